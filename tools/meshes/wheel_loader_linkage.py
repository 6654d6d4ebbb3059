# SPDX-License-Identifier: MIT
"""The wheel loader's boom and the linkage that tilts its bucket.

Across the machine (z, metres from the middle plane) the parts lie in layers, so that nothing touches in any pose:
struts and the tilt cylinder in the middle, the two plates of tilt lever and lever around them, lugs of the boom and
brackets of the chassis around those, then the lift cylinders, the chassis's inner tower plates, the lift arms, and the
outer tower plates.
"""
from outline import hull, limbs
from pins import boss, mirrored, pin
from solid import Mesh, prism, rod

EYE = (-0.085, 0.085)          # eyes of the struts
LEVER = (0.095, 0.145)         # plates of tilt lever and lever
LUG = (0.160, 0.195)           # lugs on the boom's cross tube, for the lever and the lift cylinders
BRACKET = (0.166, 0.198)       # brackets on the chassis, for the tilt lever and the lift cylinders
LIFT_CYLINDER = 0.280          # middle of the lift cylinders
ARM = (0.420, 0.520)           # lift arms


def disc(point, radius):
    return (point[0], point[1], radius)


def beside(point, dx, dy):
    return (point[0] + dx, point[1] + dy)


def boom(points):
    """Two lift arms of thick plate, cranked upwards at the lever's pin, and a cross tube that carries the lever."""
    a, e, h, q = points["A"], points["E"], points["H"], points["Q"]
    mesh = Mesh()
    outline = arm_outline(a, e, h, q)
    tube = beside(e, -0.10, -0.27)

    def half(m):
        m.use("lift_arms", "yellow")
        prism(m, outline, *ARM, bevel=0.014)
        boss(m, a, 0.150, (ARM[0] - 0.010, ARM[1] + 0.010))
        boss(m, h, 0.130, (ARM[0] - 0.006, ARM[1] + 0.006))
        boss(m, q, 0.105, (ARM[0] - 0.055, ARM[0] + 0.02))
        prism(m, hull([disc(tube, 0.21), disc(beside(tube, -0.16, 0.05), 0.12)]), ARM[0] - 0.02, ARM[0] + 0.01, 0.008)
        m.use("cross_tube", "yellow")
        prism(m, limbs([[disc(e, 0.125), disc(tube, 0.165)], [disc(tube, 0.165), disc(q, 0.10)]]), *LUG, bevel=0.008)
        boss(m, e, 0.095, (LUG[0] - 0.002, LUG[1] + 0.02))
        boss(m, q, 0.085, (LUG[0] - 0.008, LUG[1] + 0.012))

    mesh.both_sides(half)
    rod(mesh.use("cross_tube", "yellow"), tube, 0.135, -ARM[0] - 0.01, ARM[0] + 0.01, steps=28)
    pin(mesh, "E", e, 0.055, (-LUG[1] - 0.035, LUG[1] + 0.035))
    pin(mesh, "Q", q, 0.050, *mirrored(LUG[0] - 0.02, ARM[1] + 0.02))
    return mesh


def arm_outline(a, e, h, q):
    """Deep at the lift cylinder and at the crank, slender at both ends."""
    crank = beside(e, 0.02, -0.09)
    nose = (h[0] - 0.42, h[1] + 0.035)
    spine = [disc(a, 0.165), (0.5 * q[0], 0.055, 0.165), disc(beside(q, 0.05, 0.10), 0.205), disc(crank, 0.225),
             disc(nose, 0.150), disc(h, 0.145)]
    return limbs([spine, [disc(beside(q, 0.05, 0.10), 0.15), disc(q, 0.125)]], fillet_size=0.10)


def crank(points, centre, radii, mesh):
    """Two forged plates around a hub at `centre`, a limb to each of the other pins."""
    hub = disc(points[centre], radii[centre])
    chains = [[hub, disc(points[name], radius)] for name, radius in radii.items() if name != centre]
    outline = limbs(chains, fillet_size=0.16)  # which makes the hub 0.04 larger

    def half(m):
        prism(m, outline, *LEVER, bevel=0.012)
        for name, radius in radii.items():
            boss(m, points[name], radius - 0.022, (LEVER[0] + 0.01, LEVER[1] + 0.010))

    mesh.both_sides(half)


def tilt_lever(points):
    mesh = Mesh().use("lever", "yellow")
    crank(points, "D", {"D": 0.090, "R": 0.095, "U": 0.095}, mesh)
    boss(mesh, points["D"], 0.060, (-LEVER[0] - 0.01, LEVER[0] + 0.01))  # slim: the rear strut folds down over it
    pin(mesh, "R", points["R"], 0.045, (-LEVER[1] - 0.03, LEVER[1] + 0.03))
    pin(mesh, "U", points["U"], 0.045, (-LEVER[1] - 0.016, LEVER[1] + 0.016))  # it passes between brackets
    return mesh


def lever(points):
    mesh = Mesh().use("lever", "yellow")
    crank(points, "E", {"E": 0.100, "S": 0.100, "F": 0.105}, mesh)
    boss(mesh, points["E"], 0.090, (-LEVER[0] - 0.01, LEVER[0] + 0.01))
    web = hull([disc(points["E"], 0.07), (0.48 * points["S"][0], 0.0, 0.05),
                (0.42 * points["F"][0], 0.42 * points["F"][1], 0.05)])
    prism(mesh, web, -LEVER[0] - 0.01, LEVER[0] + 0.01)
    for name in ("S", "F"):
        pin(mesh, name, points[name], 0.048, (-LEVER[1] - 0.03, LEVER[1] + 0.03))
    return mesh


def strut(points, begin, end, eye, waist):
    """A flat bar with an eye at either end."""
    p, q = points[begin], points[end]
    mesh = Mesh().use("bar", "yellow")
    chains = [[disc(p, waist), disc(q, waist)]] + [[disc(at, eye), disc(beside(at, 1e-4, 0), eye)] for at in (p, q)]
    prism(mesh, limbs(chains, fillet_size=0.14), -0.055, 0.055, bevel=0.014)
    for at in (p, q):
        boss(mesh, at, eye - 0.012, EYE)
    return mesh


def rear_strut(points):
    return strut(points, "R", "S", 0.090, 0.046)


def front_strut(points):
    return strut(points, "F", "K", 0.095, 0.060)
