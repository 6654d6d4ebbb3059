# SPDX-License-Identifier: MIT
"""The excavator's boom, arm, bucket and the two links between them.

Across the machine (z, metres from the middle plane) the parts lie in layers, so that nothing touches in any pose: arm
and bucket cylinder in the middle; link and arm; the bucket's ears around them; the rockers and the boom's fork outside;
the boom cylinders, a pair, outside the boom.
"""
import math

from outline import hull, limbs, rounded, sheet
from pins import boss, mirrored, pin
from solid import Mesh, prism

EYE = 0.075                    # half the room for the eye of the bucket cylinder's rod, between the link's plates
ARM = 0.162                    # half the arm's width
EAR = (0.172, 0.210)           # the bucket's ears
ROCKER = (0.220, 0.256)
FORK = (0.182, 0.226)          # the boom's side plates
BOOM_CYLINDER = 0.420          # middle of the boom cylinders
FOOT = 0.306                   # half the width of the boom's foot
LUG = (0.095, 0.135)           # lugs for the arm cylinder and the bucket cylinder
HALF_WIDTH = 0.600             # of the bucket
TEETH = 5


def disc(point, radius):
    return (point[0], point[1], radius)


def between(p, q, t):
    return (p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]))


def boom(points):
    """Side plates that end in a fork around the arm, a box between them, lugs for the arm cylinder on top."""
    a, c, q, t = (points[name] for name in "ACQT")
    mesh = Mesh().use("boom", "yellow")
    knee = (points["knee"][0] - 0.05, points["knee"][1] - 0.43)
    spine = [disc(a, 0.20), (*between(a, knee, 0.5), 0.275), disc(knee, 0.355), (*between(knee, c, 0.48), 0.265)]
    end = between(knee, c, 0.86)
    plates = limbs([spine + [disc(c, 0.185)]], step=0.03)
    core = limbs([[disc(a, 0.18)] + [(x, y, r - 0.014) for x, y, r in spine[1:]] + [(*end, 0.165)]], step=0.03)

    def half(m):
        prism(m, plates, *FORK, bevel=0.008)
        boss(m, a, 0.165, (FORK[1] - 0.01, FOOT))
        boss(m, c, 0.150, (FORK[0] + 0.01, FORK[1] + 0.030))
        boss(m, q, 0.115, (FORK[1] - 0.01, BOOM_CYLINDER - 0.070))
        feet = [(t[0] - 0.42, t[1] - 0.12, 0.0), (t[0] + 0.22, t[1] - 0.20, 0.0)]
        prism(m, hull([disc(t, 0.100), *feet]), *LUG, bevel=0.008)
        boss(m, t, 0.078, (LUG[0] + 0.01, LUG[1] + 0.012))

    prism(mesh, core, -FORK[0] - 0.01, FORK[0] + 0.01)
    mesh.both_sides(half)
    pin(mesh, "C", c, 0.062, (-FORK[1] - 0.05, FORK[1] + 0.05))
    pin(mesh, "Q", q, 0.055, *mirrored(FORK[1], BOOM_CYLINDER + 0.085))
    pin(mesh, "T", t, 0.052, (-LUG[1] - 0.035, LUG[1] + 0.035))
    return mesh


def arm(points):
    """A tapered box, deep at the boom's pin, with the arm cylinder's pin behind it."""
    c, g, h, u, v = (points[name] for name in "CGHUV")
    mesh = Mesh().use("arm", "yellow")
    shoulder = (c[0] + 0.02, c[1] + 0.13)
    root = (v[0] + 0.05, c[1] + 0.185)
    taper = (g[0] - 0.30, g[1] + 0.045)
    chain = [disc(u, 0.125), disc(shoulder, 0.25), disc(root, 0.245), disc(taper, 0.165), disc(h, 0.130)]
    plates = limbs([chain, [disc(shoulder, 0.22), disc(c, 0.185)]], fillet_size=0.12, step=0.02)
    core = limbs([[(x, y, r - 0.013) for x, y, r in chain[:-1]] + [disc(h, 0.118)]], step=0.02)

    def half(m):
        prism(m, plates, ARM - 0.036, ARM, bevel=0.008)
        boss(m, c, 0.150, (ARM - 0.01, FORK[0] - 0.006))
        boss(m, g, 0.085, (ARM - 0.01, ROCKER[0] - 0.006))
        boss(m, h, 0.105, (ARM - 0.01, EAR[0] - 0.004))
        feet = [(v[0] - 0.26, v[1] - 0.16, 0.0), (v[0] + 0.36, v[1] - 0.16, 0.0)]
        prism(m, hull([disc(v, 0.095), *feet]), *LUG, bevel=0.008)
        boss(m, v, 0.075, (LUG[0] + 0.01, LUG[1] + 0.012))

    # The arm cylinder's eye works between the plates: the box between them begins ahead of it.
    cut = [p for p in core if p[0] > u[0] + 0.30]
    prism(mesh, cut, -ARM + 0.030, ARM - 0.030)
    mesh.both_sides(half)
    pin(mesh, "G", g, 0.045, (-ROCKER[1] - 0.03, ROCKER[1] + 0.03))
    pin(mesh, "U", u, 0.055, (-ARM - 0.035, ARM + 0.035))
    pin(mesh, "V", v, 0.050, (-LUG[1] - 0.035, LUG[1] + 0.035))
    return mesh


def rocker(points):
    """A pair of flat bars, one on either side of the arm."""
    g, j = points["G"], points["J"]
    mesh = Mesh().use("rocker", "yellow")
    outline = bar_outline(g, j, 0.085, 0.058)

    def half(m):
        prism(m, outline, *ROCKER, bevel=0.007)
        boss(m, j, 0.075, (ARM + 0.004, ROCKER[1] + 0.010))
        boss(m, g, 0.070, (ROCKER[0] + 0.01, ROCKER[1] + 0.010))

    mesh.both_sides(half)
    pin(mesh, "J", j, 0.045, (-ROCKER[1] - 0.03, ROCKER[1] + 0.03))
    return mesh


def bar_outline(p, q, eye, waist):
    ends = [[disc(at, eye), (at[0] + 1e-4, at[1], eye)] for at in (p, q)]
    return limbs([[disc(p, waist), disc(q, waist)], *ends], fillet_size=0.10)


def link(points):
    """Two plates around the cylinder's eye at J, one solid eye at K."""
    j, k = points["J"], points["K"]
    mesh = Mesh().use("link", "yellow")
    outline = bar_outline(j, k, 0.090, 0.068)

    def half(m):
        prism(m, outline, EYE + 0.004, ARM - 0.004, bevel=0.008)

    mesh.both_sides(half)
    prism(mesh, hull([(*between(j, k, 0.45), 0.045), disc(k, 0.060)]), -EYE - 0.01, EYE + 0.01)
    boss(mesh, k, 0.078, (-ARM, ARM))
    return mesh


def bucket(points):
    """Bent shell, side plates with cutters, a lip with teeth that end in the model's tip, ears for arm and link."""
    h, k, tip, heel, back = (points[name] for name in ("H", "K", "tip", "heel", "back"))
    mesh = Mesh().use("shell", "yellow")
    lip, brow = between(tip, heel, 0.24), (back[0] - 0.29, back[1] - 0.25)
    nose = (h[0] + 0.15, h[1] + 0.17)
    line = open_line([lip, heel, back, brow, nose], [0, 0.42, 0.36, 0.10, 0])
    prism(mesh, sheet(line, 0.022), -HALF_WIDTH + 0.008, HALF_WIDTH - 0.008)
    mesh.both_sides(lambda m: bucket_side(m, points, line))
    teeth(mesh, tip, heel)
    pin(mesh, "H", h, 0.050, (-EAR[1] - 0.035, EAR[1] + 0.035))
    pin(mesh, "K", k, 0.048, (-EAR[1] - 0.030, EAR[1] + 0.030))
    return mesh


def open_line(corners, radii):
    """A line with rounded corners; rounded() is for closed ones, so the closing edge is left out again."""
    closed = rounded([(*corner, radius) for corner, radius in zip(corners, radii)], 14)
    begin = closed.index(corners[0])
    closed = closed[begin:] + closed[:begin]
    return closed if closed[-1] == corners[-1] else [closed[0], *closed[:0:-1]]


def bucket_side(mesh, points, line):
    h, k, tip, heel, back = (points[name] for name in ("H", "K", "tip", "heel", "back"))
    mesh.use("sides", "yellow")
    edge = [(h[0] + 0.55, tip[1] + 0.10), between(tip, heel, 0.17)]
    prism(mesh, [*line, edge[0], (tip[0] - 0.24, tip[1] + 0.055)], HALF_WIDTH - 0.026, HALF_WIDTH)
    rim = sheet([line[-1], edge[0], (tip[0] - 0.24, tip[1] + 0.055)], 0.085)
    prism(mesh, rim, HALF_WIDTH - 0.034, HALF_WIDTH + 0.010, bevel=0.005)
    mesh.use("side_cutters", "steel")
    cutter = [(tip[0] - 0.40, tip[1] + 0.066), (tip[0] - 0.13, tip[1] + 0.045), between(tip, heel, 0.20),
              between(tip, heel, 0.46), (tip[0] - 0.42, tip[1] + 0.18)]
    prism(mesh, cutter, HALF_WIDTH - 0.036, HALF_WIDTH + 0.018, bevel=0.005)
    mesh.use("wear_plates", "dark")
    corner = sheet(nearest_part(line, heel, 5), -0.012)
    for low in (0.12, 0.40):
        prism(mesh, corner, low, low + 0.12)
    mesh.use("ears", "yellow")
    feet = [(back[0] - 0.27, back[1] - 0.22), (back[0] - 0.02, back[1] - 0.02),
            (line[-1][0] + 0.01, line[-1][1] + 0.01)]
    prism(mesh, hull([disc(h, 0.115), disc(k, 0.105), *[(*foot, 0.0) for foot in feet]]), *EAR, bevel=0.006)
    for at, radius in ((h, 0.090), (k, 0.080)):
        boss(mesh, at, radius, (EAR[0] + 0.01, min(EAR[1] + 0.014, ROCKER[0] - 0.004)))


def nearest_part(line, point, count):
    middle = min(range(len(line)), key=lambda i: math.dist(line[i], point))
    begin = max(0, middle - count // 2)
    return line[begin: begin + count]


def teeth(mesh, tip, heel):
    """A lip across the floor's front end and teeth in its direction; a tooth's point is the tip."""
    length = math.dist(tip, heel)
    u = ((heel[0] - tip[0]) / length, (heel[1] - tip[1]) / length)  # from the tip into the bucket's floor
    n = (-u[1], u[0])                                               # towards the opening

    def at(along, inwards):
        return (tip[0] + along * u[0] + inwards * n[0], tip[1] + along * u[1] + inwards * n[1])

    mesh.use("cutting_edge", "steel")
    prism(mesh, [at(0.13, -0.004), at(0.30, -0.004), at(0.30, 0.036), at(0.18, 0.036), at(0.13, 0.008)],
          -HALF_WIDTH + 0.01, HALF_WIDTH - 0.01)
    mesh.use("teeth", "steel")
    pitch = (2 * HALF_WIDTH - 0.14) / (TEETH - 1)
    outline = [at(0.0, 0.0), at(0.16, -0.026), at(0.29, -0.026), at(0.31, 0.0), at(0.31, 0.04), at(0.28, 0.062),
               at(0.16, 0.062), at(0.02, 0.012)]
    for k in range(TEETH):
        z = -HALF_WIDTH + 0.07 + k * pitch
        prism(mesh, outline, z - 0.05, z + 0.05, bevel=0.008)
