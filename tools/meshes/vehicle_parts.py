# SPDX-License-Identifier: MIT
"""Parts that both machines or several places of one have: wheels, cab, lights, steps, handrails."""
import math

from outline import arc, rectangle, sheet
from solid import Mesh, box, loft, prism, rod, tube, turn


def wheel(radius, width):
    """A tyre with its tread and rim around the z axis; the rim's dish looks towards +z."""
    mesh = Mesh()
    half = 0.5 * width
    carcass = radius - 0.05
    rim = 0.54 * radius
    sidewall = [(rim - 0.09, 0.75), (rim + 0.03, 0.93), (0.78 * radius, 1.0), (carcass - 0.035, 0.90), (carcass, 0.68)]
    profile = [(r, -half * z) for r, z in sidewall] + [(r, half * z) for r, z in reversed(sidewall)]
    turn(mesh.use("wheels", "tyre"), (0, 0), profile, steps=32, closed=True)
    for k in range(17):
        tread_bar(mesh, radius, carcass, half, 2 * math.pi * k / 17)
        tread_bar(mesh, radius, carcass, -half, 2 * math.pi * (k + 0.5) / 17)
    dish(mesh.use("rims", "yellow"), rim, half)
    return mesh


def tread_bar(mesh, radius, carcass, half, angle):
    """One bar of the tread, slanting from the middle to a shoulder; a negative half is the other shoulder."""
    stations = [(-0.06, 0.0, radius), (0.70, 0.20, radius), (1.03, 0.25, radius - 0.11)]  # along half, turn, outside
    rings = []
    for along, turned, outside in stations:
        begin, end = angle + turned, angle + turned + 0.135
        inside = min(carcass - 0.02, outside - 0.02)
        corners = [(inside, begin), (outside, begin + 0.02), (outside, end - 0.02), (inside, end)]
        rings.append([(r * math.cos(a), r * math.sin(a), along * half) for r, a in corners])
    loft(mesh, rings if half > 0 else rings[::-1])


def dish(mesh, rim, half):
    profile = [(rim - 0.08, -0.8 * half), (rim, -0.8 * half), (rim, 0.84 * half), (rim - 0.045, 0.84 * half),
               (rim - 0.085, 0.42 * half), (0.60 * rim, 0.34 * half), (0.54 * rim, 0.34 * half)]
    turn(mesh, (0, 0), profile, steps=28)
    hub = [(0.52 * rim, 0.3 * half), (0.50 * rim, 0.56 * half), (0.40 * rim, 0.64 * half), (0.22 * rim, 0.66 * half),
           (0.20 * rim, 0.72 * half)]
    turn(mesh.use("hubs", "dark"), (0, 0), hub, steps=20)
    mesh.use("hubs", "steel")
    for k in range(8):
        a = 2 * math.pi * k / 8
        bolt = (0.66 * rim * math.cos(a), 0.66 * rim * math.sin(a))
        rod(mesh, bolt, 0.018, 0.34 * half, 0.34 * half + 0.025, steps=6)


def fender(mesh, centre, radius, begin, end, z, thickness=0.03):
    """A mudguard around a wheel between two angles in degrees."""
    prism(mesh, sheet(arc(centre, radius, begin, end, 9), -thickness), *z, bevel=0.006)


def bar(mesh, p, q, width, z):
    """A straight bar of `width` from p to q in the plane of the machine."""
    length = math.dist(p, q)
    n = ((p[1] - q[1]) / length * width / 2, (q[0] - p[0]) / length * width / 2)
    prism(mesh, [(p[0] - n[0], p[1] - n[1]), (q[0] - n[0], q[1] - n[1]), (q[0] + n[0], q[1] + n[1]),
                 (p[0] + n[0], p[1] + n[1])], *z)


def pane(mesh, a, b, thickness):
    """A sheet between two edges across the machine: a and b are (x, y, (z, z)); it is thick towards its front."""
    length = math.dist(a[:2], b[:2])
    n = ((b[1] - a[1]) / length * thickness, (a[0] - b[0]) / length * thickness)
    front = [(a[0], a[1], a[2][0]), (a[0], a[1], a[2][1]), (b[0], b[1], b[2][1]), (b[0], b[1], b[2][0])]
    loft(mesh, [front[::-1], [(x + n[0], y + n[1], z) for x, y, z in front[::-1]]])


class Cab:
    """A cab with pillars, panes and a roof, on a side outline whose corners are given as (x, y), metres:
    rear_floor, front_floor, knee (where the windscreen begins), front_top, rear_top. The rear side pane begins at the
    height `belt`, the door's pillar stands at x = `door`, and z is the span of the cab's width.
    """

    def __init__(self, rear_floor, front_floor, knee, front_top, rear_top, belt, door, z):
        self.rear_floor, self.front_floor, self.knee = rear_floor, front_floor, knee
        self.front_top, self.rear_top, self.belt, self.door, self.z = front_top, rear_top, belt, door, z

    def build(self, mesh):
        self.lower_body(mesh)
        for low, high in ((self.z[0], self.z[0] + 0.07), (self.z[1] - 0.07, self.z[1])):
            self.side(mesh, low, high)
        self.panes_across(mesh)
        self.roof(mesh)
        self.inside(mesh)

    def at_height(self, p, q, y):
        return (p[0] + (q[0] - p[0]) * (y - p[1]) / (q[1] - p[1]), y)

    def lower_body(self, mesh):
        z0, z1 = self.z
        mesh.use("cab", "yellow")
        floor = self.rear_floor[1]
        prism(mesh, [self.rear_floor, self.front_floor, (self.front_floor[0], floor + 0.12),
                     (self.rear_floor[0], floor + 0.12)], z0, z1, bevel=0.015)
        rear = self.at_height(self.rear_floor, self.rear_top, self.belt)
        wall = [self.rear_floor, (self.rear_floor[0] + 0.06, floor), (rear[0] + 0.06, rear[1]), rear]
        prism(mesh, wall, z0 + 0.02, z1 - 0.02)

    def side(self, mesh, low, high):
        """Pillars, the panel below the belt behind the door, the panes."""
        floor = self.rear_floor[1] + 0.1
        rear = self.at_height(self.rear_floor, self.rear_top, self.belt)
        door_top = (self.door, self.rear_top[1])
        panel = [(self.rear_floor[0], floor), (self.door, floor), (self.door, self.belt), rear]
        prism(mesh.use("cab", "yellow"), panel, low + 0.012, high - 0.012)
        mesh.use("cab_pillars", "dark")
        z = (low, high)
        knee, front_top = (self.knee[0] - 0.04, self.knee[1]), (self.front_top[0] - 0.04, self.front_top[1])
        bar(mesh, (self.rear_floor[0] + 0.04, floor), (self.rear_top[0] + 0.04, self.rear_top[1]), 0.09, z)
        bar(mesh, (self.door, floor), door_top, 0.07, z)
        bar(mesh, (self.front_floor[0] - 0.04, floor), knee, 0.08, z)
        bar(mesh, (knee[0], knee[1] - 0.01), front_top, 0.08, z)
        bar(mesh, (self.rear_top[0], self.rear_top[1] - 0.03), (self.front_top[0], self.front_top[1] - 0.03), 0.08, z)
        mesh.use("cab_glass", "glass")
        middle = 0.5 * (low + high)
        prism(mesh, [rear, (self.door, self.belt), door_top, self.rear_top], middle - 0.005, middle + 0.005)
        prism(mesh, [(self.door, floor), (self.front_floor[0] - 0.04, floor), knee, front_top, door_top],
              middle - 0.005, middle + 0.005)

    def panes_across(self, mesh):
        z = (self.z[0] + 0.06, self.z[1] - 0.06)
        mesh.use("cab_glass", "glass")
        inward = lambda p: (p[0] - 0.03, p[1], z)
        pane(mesh, inward(self.front_floor), inward(self.knee), 0.01)
        pane(mesh, inward(self.knee), inward(self.front_top), 0.01)
        rear = self.at_height(self.rear_floor, self.rear_top, self.belt)
        pane(mesh, (rear[0] + 0.03, rear[1], z), (self.rear_top[0] + 0.03, self.rear_top[1], z), 0.01)
        mesh.use("cab_pillars", "dark")
        box(mesh, (self.knee[0] - 0.07, self.knee[0]), (self.knee[1] - 0.03, self.knee[1] + 0.03), z)

    def roof(self, mesh):
        y = self.rear_top[1]
        x = (self.rear_top[0] - 0.05, self.front_top[0] + 0.10)
        z = (self.z[0] - 0.03, self.z[1] + 0.03)
        rings = [[(a, h, b) for a, b in reversed(rectangle(inset_range(x, d), inset_range(z, d), 0.05))]
                 for h, d in ((y - 0.02, 0.02), (y + 0.05, 0.0), (y + 0.10, 0.015), (y + 0.14, 0.10))]
        loft(mesh.use("cab_roof", "yellow"), rings)

    def inside(self, mesh):
        """Seat, console and steering wheel: what one sees through the panes."""
        middle = 0.5 * (self.z[0] + self.z[1])
        floor = self.rear_floor[1] + 0.12
        x = 0.5 * (self.rear_floor[0] + self.front_floor[0]) - 0.10
        mesh.use("seat", "black")
        box(mesh, (x - 0.20, x + 0.16), (floor, floor + 0.30), (middle - 0.18, middle + 0.18))
        box(mesh, (x - 0.26, x + 0.26), (floor + 0.30, floor + 0.46), (middle - 0.25, middle + 0.25), 0.03)
        prism(mesh, [(x - 0.28, floor + 0.42), (x - 0.14, floor + 0.42), (x - 0.26, floor + 1.06),
                     (x - 0.36, floor + 1.06)], middle - 0.24, middle + 0.24, bevel=0.03)
        column = self.front_floor[0] - 0.28
        tube(mesh, [(column, floor, middle), (column - 0.10, floor + 0.66, middle)], 0.035)
        rim = [(column - 0.10 + 0.17 * math.cos(a) * 0.95, floor + 0.68 + 0.17 * math.cos(a) * 0.3,
                middle + 0.17 * math.sin(a)) for a in (2 * math.pi * k / 12 for k in range(13))]
        tube(mesh, rim, 0.016, 5)


def inset_range(span, distance):
    return (span[0] + distance, span[1] - distance)


def lamp(mesh, x, y, z, material="white_light", size=0.07):
    """A lamp that looks forward, its glass on the front of a black housing."""
    depth = 0.07 if size > 0 else -0.07
    half = abs(size)
    box(mesh.use("lamps", "black"), tuple(sorted((x - depth, x))), (y - half, y + half), (z - half, z + half))
    glass = tuple(sorted((x, x + 0.12 * depth)))
    box(mesh.use("lamps", material), glass, (y - 0.8 * half, y + 0.8 * half), (z - 0.8 * half, z + 0.8 * half))


def handrail(mesh, line, radius=0.018):
    tube(mesh.use("handrails", "dark"), line, radius, 6)


def grille(mesh, x, y, z, bars):
    """A dark field with raised bars across it, on a face across z (z is the span of the field's depth)."""
    box(mesh.use("grilles", "black"), x, y, z)
    pitch = (y[1] - y[0]) / bars
    out = 0.012 if z[1] > 0 else -0.012
    for k in range(bars):
        level = y[0] + (k + 0.5) * pitch
        height = (level - 0.25 * pitch, level + 0.25 * pitch)
        box(mesh.use("grilles", "dark"), x, height, (z[0] + out, z[1] + out))
