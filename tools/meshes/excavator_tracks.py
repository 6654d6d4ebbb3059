# SPDX-License-Identifier: MIT
"""The excavator's undercarriage: two crawler tracks with frames and rollers, centre frame, slewing ring."""
import math

from outline import arc, hull, rounded, sheet
from solid import box, prism, rod, turn

HALF_LENGTH = 1.740      # from the swing axis to the axles of sprocket and idler
AXLE = 0.468             # their height
RADIUS = 0.410           # of the chain's path around them
GAUGE = 2.380            # between the tracks' middles
SHOE_WIDTH = 0.600
SHOES = 50               # of each track


def undercarriage(mesh):
    mesh.both_sides(track)
    centre_frame(mesh)


def path(s):
    """The place on the chain's path and its direction, s from 0 to 1, counter-clockwise seen from the right."""
    straight, bend = 2 * HALF_LENGTH, math.pi * RADIUS
    s *= 2 * (straight + bend)
    side = 1.0
    if s >= straight + bend:
        s, side = s - straight - bend, -1.0
    if s < straight:
        return (side * (s - HALF_LENGTH), AXLE - side * RADIUS), 0.0 if side > 0 else math.pi
    turn_angle = (s - straight) / RADIUS
    angle = turn_angle - math.pi / 2 if side > 0 else turn_angle + math.pi / 2
    return (side * HALF_LENGTH + RADIUS * math.cos(angle), AXLE + RADIUS * math.sin(angle)), angle + math.pi / 2


def track(mesh):
    z = GAUGE / 2
    mesh.use("shoes", "grey")
    pitch = 2 * (2 * HALF_LENGTH + math.pi * RADIUS) / SHOES
    w = 0.47 * pitch
    section = [(-w, 0.0), (-w, -0.020), (-0.75 * w, -0.020), (-0.65 * w, -0.055), (-0.5 * w, -0.055),
               (-0.4 * w, -0.020), (0.4 * w, -0.020), (0.5 * w, -0.055), (0.65 * w, -0.055), (0.75 * w, -0.020),
               (w, -0.020), (w, 0.0)]
    for k in range(SHOES):
        (x, y), angle = path((k + 0.5) / SHOES)
        c, s = math.cos(angle), math.sin(angle)
        placed = [(x + c * u - s * v, y + s * u + c * v) for u, v in section]
        prism(mesh, placed, z - SHOE_WIDTH / 2, z + SHOE_WIDTH / 2)
    mesh.use("chain", "dark")
    line = [path(k / 44)[0] for k in range(44)] + [path(0.9999)[0]]
    prism(mesh, sheet(line, 0.07), z - 0.11, z + 0.11)
    track_frame(mesh, z)


def track_frame(mesh, z):
    mesh.use("track_frame", "dark")
    frame = rounded([(-1.42, 0.27, 0.05), (1.20, 0.27, 0.05), (1.40, 0.40, 0.05), (1.40, 0.54, 0.05), (1.05, 0.62, 0.1),
                     (-1.10, 0.66, 0.1), (-1.42, 0.58, 0.05)])
    prism(mesh, frame, z - 0.20, z + 0.20, bevel=0.03)
    rod(mesh, (HALF_LENGTH, AXLE), RADIUS - 0.07, z - 0.09, z + 0.09, 0.03, 24)
    rod(mesh, (HALF_LENGTH, AXLE), 0.13, z - 0.19, z + 0.19, 0.02, 16)
    box(mesh, (1.20, HALF_LENGTH + 0.08), (AXLE - 0.10, AXLE + 0.10), (z + 0.10, z + 0.18), 0.02)
    mesh.use("sprocket", "steel")
    prism(mesh, gear((-HALF_LENGTH, AXLE), RADIUS - 0.085, RADIUS - 0.025, 19), z - 0.045, z + 0.045)
    mesh.use("final_drive", "yellow")
    turn(mesh, (-HALF_LENGTH, AXLE), [(0.27, z - 0.16), (0.27, z + 0.13), (0.22, z + 0.19), (0.12, z + 0.21)], 24)
    mesh.use("rollers", "grey")
    for k in range(7):
        rod(mesh, (-1.26 + 0.41 * k, 0.20), 0.085, z - 0.15, z + 0.15, 0.02, 14)
    for x in (-0.55, 0.62):
        rod(mesh, (x, AXLE + RADIUS - 0.14), 0.07, z - 0.12, z + 0.12, 0.015, 12)


def gear(centre, inner, outer, teeth):
    points = []
    for k in range(teeth):
        for radius, at in ((inner, 0.0), (inner, 0.4), (outer, 0.55), (outer, 0.85)):
            points += arc(centre, radius, 360 * (k + at) / teeth, 360 * (k + at) / teeth, 1)[:1]
    return points


def centre_frame(mesh):
    """The middle of the H between the tracks, its four legs, and the ring that the upper structure swings on."""
    mesh.use("centre_frame", "dark")
    prism(mesh, rounded([(-0.80, -0.62, 0.25), (0.80, -0.62, 0.25), (0.80, 0.62, 0.25), (-0.80, 0.62, 0.25)], 30),
          0.50, 0.86, bevel=0.03, axis="y")
    for x in (-1, 1):
        for z in (-1, 1):
            leg = hull([(x * 0.55, z * 0.40, 0.20), (x * 0.85, z * 1.02, 0.22)], 12)
            prism(mesh, leg, 0.42, 0.74, bevel=0.03, axis="y")
    rod(mesh, (0.0, 0.0), 0.68, 0.84, 0.92, 0.0, 36, axis="y")
    rod(mesh.use("slewing_ring", "steel"), (0.0, 0.0), 0.64, 0.90, 1.02, 0.0, 36, axis="y")
