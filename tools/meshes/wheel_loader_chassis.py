# SPDX-License-Identifier: MIT
"""The wheel loader's ground: front frame with its tower, articulation, rear frame, wheels, cab, hood, counterweight.

Ground coordinates, metres: y = 0 is the ground, x = 0 above the front axle. The tower's plates and the brackets of the
cylinders follow the pins A, D, P and T; the rest of the machine is where a loader of 18 to 20 t has it.
"""
from outline import hull, limbs, rounded
from pins import boss, mirrored, pin
from solid import Mesh, box, loft, prism, rod, tube
from vehicle_parts import Cab, fender, grille, handrail, lamp, wheel
from wheel_loader_linkage import ARM, BRACKET, LEVER, disc

WHEEL_RADIUS, WHEEL_WIDTH, TRACK = 0.800, 0.600, 2.080
AXLE = 0.800                    # height
REAR_AXLE = -3.300
ARTICULATION = -1.640
FRAME = 0.780                   # height of the front frame's middle
INNER = (ARM[0] - 0.050, ARM[0] - 0.018)   # tower plates on either side of a lift arm
OUTER = (ARM[1] + 0.018, ARM[1] + 0.050)


def ground(points):
    mesh = Mesh()
    mesh.both_sides(lambda m: front_frame(m, points))
    front_frame_middle(mesh)
    pins(mesh, points)
    articulation(mesh)
    mesh.both_sides(rear_frame)
    rear_frame_middle(mesh)
    hood(mesh)
    Cab(rear_floor=(-2.66, 1.50), front_floor=(-1.28, 1.50), knee=(-1.12, 1.98), front_top=(-1.30, 3.20),
        rear_top=(-2.62, 3.20), belt=2.20, door=-2.12, z=(-0.76, 0.76)).build(mesh)
    mesh.both_sides(cab_outside)
    rod(mesh.use("beacon", "orange_light"), (-2.40, 0.0), 0.07, 3.32, 3.48, 0.03, 14, axis="y")
    wheels(mesh)
    return mesh


def wheels(mesh):
    one = wheel(WHEEL_RADIUS, WHEEL_WIDTH)

    def right(m):
        m.add_mesh(one, (0.0, AXLE, TRACK / 2), 0.10)
        m.add_mesh(one, (REAR_AXLE, AXLE, TRACK / 2), 0.23)

    mesh.both_sides(right)


def front_frame(mesh, points):
    """One side: what carries the pins, the axle's end, fender and headlamp."""
    mesh.use("front_frame", "yellow")
    tower(mesh, points)
    cylinder_brackets(mesh, points)
    axle(mesh, 0.0)
    across = (TRACK / 2 - 0.33, TRACK / 2 + 0.33)
    fender(mesh.use("fenders", "yellow"), (0.0, AXLE), WHEEL_RADIUS + 0.09, 62, 158, across)
    mesh.use("fenders", "dark")
    box(mesh, (-0.62, -0.50), (1.30, 1.46), (OUTER[1] - 0.02, TRACK / 2 - 0.30))
    tube(mesh, [(-0.16, 1.68, 0.86), (-0.16, 2.06, 0.86)], 0.028, 8)
    lamp(mesh, -0.08, 2.12, 0.86, size=0.085)
    lamp(mesh, -0.09, 1.98, 0.86, "orange_light", 0.045)


def tower(mesh, points):
    """Plates on both sides of a lift arm; a block joins them below."""
    a, p = points["A"], points["P"]
    mast = [disc(a, 0.165), (p[0] + 0.02, FRAME + 0.12, 0.30)]
    inner = limbs([mast, [(p[0] - 0.22, FRAME, 0.18), (0.28, FRAME, 0.18)]], fillet_size=0.30)
    outer = limbs([mast, [(p[0] - 0.10, FRAME, 0.18), (0.10, FRAME, 0.18)]], fillet_size=0.30)
    prism(mesh, inner, *INNER, bevel=0.008)
    prism(mesh, outer, *OUTER, bevel=0.008)
    box(mesh, (p[0] - 0.20, 0.10), (FRAME - 0.16, FRAME + 0.14), (INNER[0] + 0.005, OUTER[1] - 0.005), 0.012)
    boss(mesh, a, 0.125, (INNER[0] - 0.02, INNER[1]), (OUTER[0], OUTER[1] + 0.02))
    boss(mesh, p, 0.110, (INNER[0] - 0.012, INNER[1]))


def cylinder_brackets(mesh, points):
    """The side plate's rear part, down to the articulation; inner brackets for tilt lever and cylinders.

    The lift cylinder swings past the tilt lever's pin, which therefore ends inside it.
    """
    d, p, t = points["D"], points["P"], points["T"]
    side = [(p[0] + 0.1, FRAME - 0.14, 0), (p[0] + 0.1, FRAME + 0.40, 0.1), (t[0] + 0.1, t[1] + 0.24, 0.1),
            (ARTICULATION + 0.22, t[1] + 0.14, 0.06), (ARTICULATION + 0.22, FRAME - 0.20, 0.06)]
    prism(mesh, rounded(side), *INNER, bevel=0.008)
    foot = FRAME - 0.02
    spread = [(p[0] - 0.14, FRAME, 0.12), (p[0] + 0.34, FRAME, 0.12)]
    inner = limbs([[disc(d, 0.105), (p[0] + 0.20, FRAME + 0.15, 0.17)], [disc(p, 0.105), (p[0], FRAME, 0.14)], spread],
                  fillet_size=0.16)
    prism(mesh, inner, *BRACKET, bevel=0.006)
    boss(mesh, d, 0.085, (BRACKET[0] + 0.01, BRACKET[1] + 0.008))
    prism(mesh, hull([disc(t, 0.105), (t[0] - 0.16, foot, 0.0), (t[0] + 0.26, foot, 0.0)]),
          LEVER[0] + 0.010, LEVER[1], bevel=0.006)


def front_frame_middle(mesh):
    """What closes the frame: floor, front plate, axle housing."""
    mesh.use("front_frame", "yellow")
    side = INNER[0] + 0.004
    box(mesh, (ARTICULATION + 0.24, 0.40), (0.56, 0.76), (-side, side), 0.01)
    prism(mesh, [(0.18, 0.70), (0.44, 0.70), (0.44, 0.86), (0.30, 1.00), (0.24, 1.00)], -side, side)
    turned_housing(mesh, 0.0)


def axle(mesh, x):
    mesh.use("axles", "dark")
    rod(mesh, (x, AXLE), 0.15, 0.25, TRACK / 2 - 0.10, 0.0, 18)
    rod(mesh, (x, AXLE), 0.24, TRACK / 2 - WHEEL_WIDTH / 2 - 0.06, TRACK / 2 - 0.10, 0.0, 20)


def turned_housing(mesh, x):
    rod(mesh.use("axles", "dark"), (x, AXLE - 0.02), 0.27, -0.26, 0.26, 0.09, 20)


def pins(mesh, points):
    pin(mesh, "A", points["A"], 0.060, *mirrored(INNER[0] - 0.035, OUTER[1] + 0.035))
    pin(mesh, "D", points["D"], 0.052, (-BRACKET[1] - 0.012, BRACKET[1] + 0.012))
    pin(mesh, "P", points["P"], 0.050, *mirrored(BRACKET[0] - 0.004, INNER[1] + 0.01))
    pin(mesh, "T", points["T"], 0.050, (-LEVER[1] - 0.03, LEVER[1] + 0.03))


def articulation(mesh):
    """Where the machine bends: plates of both frames around two upright pins."""
    for y in (0.56, 1.06):
        mesh.use("articulation", "dark")
        for centre, low in ((ARTICULATION + 0.35, y), (ARTICULATION - 0.35, y + 0.062)):
            outline = hull([(ARTICULATION, 0.0, 0.15), (centre, -0.30, 0.04), (centre, 0.30, 0.04)])
            prism(mesh, outline, low, low + 0.055, axis="y")
        rod(mesh.use("articulation", "chrome"), (ARTICULATION, 0.0), 0.065, y - 0.04, y + 0.16, 0.01, 16, axis="y")


def rear_frame(mesh):
    """One side: frame plate, axle, fender, platform with steps and tank, counterweight's flank, lamps."""
    mesh.use("rear_frame", "dark")
    prism(mesh, rounded([(ARTICULATION - 0.18, 0.50, 0.05), (ARTICULATION - 0.18, 1.28, 0.05), (-4.70, 1.28, 0.05),
                         (-4.70, 0.78, 0.05), (-2.40, 0.62, 0.3)]), 0.36, 0.40, bevel=0.006)
    axle(mesh, REAR_AXLE)
    fender(mesh.use("fenders", "yellow"), (REAR_AXLE, AXLE), WHEEL_RADIUS + 0.10, 22, 150, (0.70, TRACK / 2 + 0.33))
    mesh.use("platform", "dark")
    box(mesh, (-2.62, -1.22), (1.36, 1.46), (0.38, 1.28), 0.012)
    mesh.use("tanks", "yellow")
    box(mesh, (-2.34, -1.86), (0.62, 1.37), (0.42, 1.20), 0.03)
    mesh.use("steps", "grey")
    for y in (0.46, 0.76, 1.06):
        box(mesh, (-1.80, -1.38), (y, y + 0.035), (1.00, 1.26))
    for x in (-1.80, -1.36):
        box(mesh, (x - 0.02, x + 0.02), (0.44, 1.38), (1.06, 1.22))
    handrail(mesh, [(-1.30, 1.46, 1.24), (-1.30, 2.30, 1.24), (-1.34, 2.36, 1.20), (-1.34, 2.36, 0.80)])
    handrail(mesh, [(-2.56, 1.46, 1.24), (-2.56, 2.28, 1.24), (-2.52, 2.34, 1.24), (-1.92, 2.34, 1.24),
                    (-1.88, 2.28, 1.24), (-1.88, 1.46, 1.24)])


def rear_frame_middle(mesh):
    mesh.use("rear_frame", "dark")
    box(mesh, (-4.66, ARTICULATION - 0.24), (0.74, 1.22), (-0.37, 0.37), 0.01)
    turned_housing(mesh, REAR_AXLE)
    # Counterweight: a cast block across the tail, its corners well rounded seen from above.
    outline = rounded([(-4.36, -1.20, 0.06), (-4.36, 1.20, 0.06), (-4.78, 1.20, 0.10), (-5.10, 0.86, 0.20),
                       (-5.10, -0.86, 0.20), (-4.78, -1.20, 0.10)])
    prism(mesh.use("counterweight", "dark"), outline, 0.74, 1.36, bevel=0.04, axis="y")
    for z in (-0.86, 0.86):
        box(mesh.use("lamps", "red_light"), (-5.075, -5.02), (1.395, 1.475), (z - 0.14, z + 0.14))
        box(mesh.use("lamps", "black"), (-5.06, -4.80), (1.36, 1.49), (z - 0.17, z + 0.17))


def hood(mesh):
    """Engine hood that falls off to the rear, with grilles, exhaust and the air filter's cap."""
    profile = rounded([(-2.70, 1.28, 0), (-2.70, 2.42, 0.12), (-3.30, 2.40, 0.3), (-4.72, 2.14, 0.16),
                       (-4.92, 1.36, 0.10), (-4.60, 1.28, 0)], 22)
    prism(mesh.use("hood", "yellow"), profile, -0.70, 0.70, bevel=0.07)
    for side in (1, -1):
        z = (0.692, 0.706) if side > 0 else (-0.706, -0.692)
        grille(mesh, (-4.56, -3.90), (1.48, 1.98), z, 6)
        grille(mesh, (-3.70, -2.96), (1.94, 2.18), z, 3)
    rear = [(-4.80, 1.98), (-4.945, 1.46)]
    ring = [[(x + dx, y, z) for x, y, z in ((rear[0][0], rear[0][1], -0.52), (rear[0][0], rear[0][1], 0.52),
                                            (rear[1][0], rear[1][1], 0.52), (rear[1][0], rear[1][1], -0.52))]
            for dx in (-0.02, 0.06)]
    loft(mesh.use("grilles", "black"), ring)
    for k in range(6):
        t = (k + 0.5) / 6
        x, y = rear[0][0] + t * (rear[1][0] - rear[0][0]), rear[0][1] + t * (rear[1][1] - rear[0][1])
        box(mesh.use("grilles", "dark"), (x - 0.032, x), (y - 0.018, y + 0.018), (-0.52, 0.52))
    rod(mesh.use("exhaust", "dark"), (-3.42, 0.30), 0.075, 2.30, 2.74, 0.01, 16, axis="y")
    tube(mesh.use("exhaust", "chrome"), [(-3.42, 2.70, 0.30), (-3.42, 3.00, 0.30), (-3.52, 3.10, 0.30)], 0.055, 12)
    rod(mesh.use("air_filter", "black"), (-3.42, -0.30), 0.05, 2.30, 2.62, 0.0, 12, axis="y")
    rod(mesh, (-3.42, -0.30), 0.12, 2.60, 2.80, 0.03, 16, axis="y")


def cab_outside(mesh):
    """One side of what hangs on the cab: work lamps, mirror."""
    for z in (0.34, 0.60):
        lamp(mesh, -1.16, 3.31, z, size=0.055)
    handrail(mesh, [(-1.22, 3.00, 0.76), (-1.06, 2.98, 1.00), (-1.06, 2.50, 1.02)], 0.014)
    box(mesh.use("mirrors", "black"), (-1.10, -1.05), (2.50, 2.86), (0.94, 1.12), 0.012)
