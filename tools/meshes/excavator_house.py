# SPDX-License-Identifier: MIT
"""The excavator's ground: undercarriage, and the upper structure with cab, engine house, tanks and counterweight.

Ground coordinates, metres: y = 0 is the ground, x = 0 the swing axis. The brackets follow the pins A (boom) and P (boom
cylinders); the rest is where an excavator of 20 to 22 t has it. The cab is on the left, at negative z.
"""
from excavator_front import BOOM_CYLINDER, disc
from excavator_tracks import undercarriage
from outline import arc, hull, limbs, rounded
from pins import boss, mirrored, pin
from solid import Mesh, box, prism, rod, tube
from vehicle_parts import Cab, grille, handrail, lamp

DECK = (1.000, 1.130)            # heights of the swing frame's underside and top
BRACKET = (0.312, 0.340)         # plates of the boom's foot
BAY = 0.560                      # half the width of the bay where boom and cylinders move
TAIL = 2.750                     # radius of the counterweight
HALF_WIDTH = 1.400


def ground(points):
    mesh = Mesh()
    undercarriage(mesh)
    swing_frame(mesh)
    mesh.both_sides(lambda m: boom_foot(m, points))
    pin(mesh, "A", points["A"], 0.065, *mirrored(BRACKET[0] - 0.03, BRACKET[1] + 0.045))
    pin(mesh, "P", points["P"], 0.055, *mirrored(BRACKET[0] - 0.02, BOOM_CYLINDER + 0.134))
    engine_house(mesh)
    counterweight(mesh)
    right_side(mesh)
    Cab(rear_floor=(-0.46, DECK[1] + 0.03), front_floor=(1.24, DECK[1] + 0.03), knee=(1.34, 1.78),
        front_top=(1.04, 2.86), rear_top=(-0.40, 2.86), belt=1.95, door=0.28, z=(-1.43, -0.585)).build(mesh)
    cab_outside(mesh)
    return mesh


def swing_frame(mesh):
    mesh.use("swing_frame", "dark")
    outline = [(-2.20, -HALF_WIDTH), (1.30, -HALF_WIDTH), (1.30, -BAY), (0.34, -BAY), (0.34, BAY),
               (1.22, BAY), (1.22, HALF_WIDTH), (-2.20, HALF_WIDTH)]
    prism(mesh, outline, *DECK, bevel=0.02, axis="y")


def boom_foot(mesh, points):
    """One side: the plate that carries the boom, and the lug outside the boom cylinder's eye."""
    a, p = points["A"], points["P"]
    mesh.use("boom_foot", "yellow")
    base = DECK[1] + 0.03
    plate = limbs([[disc(a, 0.175), (a[0] - 0.25, base, 0.22)], [(a[0] - 0.50, base, 0.10), (p[0] - 0.05, base, 0.14)],
                   [(p[0] - 0.20, base, 0.12), disc(p, 0.125)]], fillet_size=0.25)
    prism(mesh, plate, *BRACKET, bevel=0.008)
    boss(mesh, a, 0.135, (BRACKET[0] - 0.004, BRACKET[1] + 0.025))
    outer = BOOM_CYLINDER + (BOOM_CYLINDER - BRACKET[1])
    prism(mesh, hull([disc(p, 0.115), (p[0] - 0.34, base - 0.06, 0.0), (p[0] - 0.30, base - 0.14, 0.0)]),
          outer, outer + 0.036, bevel=0.006)
    boss(mesh, p, 0.085, (outer + 0.01, outer + 0.046))


def engine_house(mesh):
    mesh.use("engine_house", "yellow")
    side = rounded([(-2.20, DECK[1] - 0.01, 0), (-2.20, 1.98, 0.10), (-0.62, 1.98, 0.10),
                    (-0.56, DECK[1] - 0.01, 0)], 30)
    prism(mesh, side, -HALF_WIDTH + 0.01, HALF_WIDTH - 0.01, bevel=0.05)
    box(mesh, (-2.02, -1.06), (1.95, 2.10), (-0.74, 0.74), 0.045)
    for z in ((HALF_WIDTH - 0.016, HALF_WIDTH - 0.004), (-HALF_WIDTH + 0.004, -HALF_WIDTH + 0.016)):
        grille(mesh, (-2.04, -1.42), (1.30, 1.82), z, 6)
        grille(mesh, (-1.26, -0.76), (1.42, 1.82), z, 5)
    rod(mesh.use("exhaust", "dark"), (-1.62, 0.98), 0.07, 1.94, 2.12, 0.0, 14, axis="y")
    tube(mesh.use("exhaust", "chrome"), [(-1.62, 2.10, 0.98), (-1.62, 2.40, 0.98), (-1.74, 2.50, 0.98)], 0.05, 12)


def counterweight(mesh):
    """A cast block whose back is an arc about the swing axis, so that it clears what the machine's tail clears."""
    outline = [(-2.10, HALF_WIDTH), *arc((0.0, 0.0), TAIL, 150.5, 209.5, 10), (-2.10, -HALF_WIDTH)]
    prism(mesh.use("counterweight", "dark"), outline, DECK[0] - 0.02, 2.03, bevel=0.06, axis="y")
    for z in (-0.95, 0.95):
        box(mesh.use("lamps", "red_light"), (-2.60, -2.545), (1.52, 1.60), (z - 0.12, z + 0.12))
    box(mesh.use("counterweight", "yellow"), (-2.765, -2.70), (1.70, 1.80), (-0.62, 0.62), 0.01)


def right_side(mesh):
    """Tanks and tool box to the right of the boom, with a step and handrails."""
    z = (BAY + 0.03, HALF_WIDTH - 0.01)
    mesh.use("tanks", "yellow")
    box(mesh, (-0.60, 0.50), (DECK[1] - 0.01, 1.90), z, 0.035)
    box(mesh, (0.48, 1.18), (DECK[1] - 0.01, 1.52), z, 0.035)
    mesh.use("steps", "grey")
    box(mesh, (0.60, 1.08), (1.515, 1.535), (z[0] + 0.12, z[1] - 0.12))
    box(mesh, (-0.46, 0.40), (1.895, 1.915), (z[0] + 0.12, z[1] - 0.12))
    rod(mesh.use("tanks", "dark"), (0.20, 1.10), 0.07, 1.90, 1.96, 0.01, 14, axis="y")
    rail = z[1] - 0.05
    handrail(mesh, [(1.10, 1.50, rail), (1.10, 2.05, rail), (1.04, 2.12, rail), (0.52, 2.50, rail), (0.44, 2.50, rail),
                    (-0.44, 2.50, rail), (-0.50, 2.44, rail), (-0.50, 1.88, rail)])
    handrail(mesh, [(0.44, 2.50, rail), (0.44, 1.88, rail)])
    lamp(mesh, 1.24, 1.40, z[1] - 0.20, size=0.065)
    handrail(mesh, [(1.12, 1.50, z[1] - 0.02), (1.16, 2.02, z[1] + 0.06)], 0.014)
    box(mesh.use("mirrors", "black"), (1.14, 1.19), (1.98, 2.28), (z[1] - 0.02, z[1] + 0.16), 0.012)


def cab_outside(mesh):
    """Lamps, beacon, mirror and handrail at the cab."""
    for z in (-1.22, -0.72):
        lamp(mesh, 1.12, 2.97, z, size=0.055)
    rod(mesh.use("beacon", "orange_light"), (-0.20, -0.80), 0.065, 2.98, 3.12, 0.03, 14, axis="y")
    handrail(mesh, [(1.10, 2.60, -1.38), (1.20, 2.60, -1.52), (1.20, 2.30, -1.54)], 0.014)
    box(mesh.use("mirrors", "black"), (1.17, 1.22), (2.16, 2.50), (-1.62, -1.46), 0.012)
    handrail(mesh, [(0.34, 1.40, -1.42), (0.34, 1.40, -1.47), (0.34, 2.30, -1.47), (0.34, 2.30, -1.42)], 0.016)
