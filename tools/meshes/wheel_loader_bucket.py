# SPDX-License-Identifier: MIT
"""The wheel loader's bucket: bent shell, side plates, cutting edge with teeth, lugs for the boom and the front strut.

The floor lies on y = -depth and the teeth end at the point `tip`. The straight part of the back is the tangent from
`top` to a circle around the hinge pin, so that the lift arm's end has room in front of it however the points are moved.
"""
import math

from outline import arc, hull, sheet
from pins import boss, mirrored, pin
from solid import Mesh, loft, prism, rod
from wheel_loader_linkage import ARM, LEVER, disc

HALF_WIDTH = 1.400       # over the side plates
SHELL = 0.028            # thickness of floor and back
CLEARANCE = 0.185        # from the hinge pin to the outside of the back
BEND = 0.34              # radius of the bend between floor and back
TEETH = 8


def bucket(points):
    shape = Shape(points)
    mesh = Mesh()
    shell(mesh.use("shell", "yellow"), shape)
    mesh.both_sides(lambda m: side(m, shape))
    edge(mesh, shape)
    mesh.both_sides(lambda m: hinge_lugs(m, points, shape))
    pin(mesh, "H", points["H"], 0.060, *mirrored(ARM[0] - 0.075, ARM[1] + 0.075))
    pin(mesh, "K", points["K"], 0.050, (-LEVER[1] - 0.03, LEVER[1] + 0.03))
    return mesh


class Shape:
    """The outside of floor and back, as a line from the floor's front end to the top."""

    def __init__(self, points):
        self.tip, self.top = points["tip"], points["top"]
        self.floor = self.tip[1]
        self.floor_end = self.tip[0] - 0.30
        hinge = points["H"]
        dx, dy = self.top[0] - hinge[0], self.top[1] - hinge[1]
        lean = math.atan2(dy, dx) + math.asin(CLEARANCE / math.hypot(dx, dy))  # of the straight back, from the x axis
        self.up = (math.cos(lean), math.sin(lean))
        self.out = (-self.up[1], self.up[0])       # from the back towards the boom
        # Centre of the bend: BEND above the floor and BEND inside the back's line.
        height = self.floor + BEND
        t = (height - self.top[1] + BEND * self.out[1]) / self.up[1]
        self.centre = (self.top[0] + t * self.up[0] - BEND * self.out[0], height)
        bend = arc(self.centre, BEND, 270, 90 + math.degrees(lean), 8)
        self.line = [(self.floor_end, self.floor), *bend, self.top]

    def on_back(self, along, inwards=0.0):
        """A point `along` the back down from the top, `inwards` of its outside."""
        return tuple(self.top[i] - along * self.up[i] - inwards * self.out[i] for i in (0, 1))


def shell(mesh, shape):
    """Floor and back in one bent plate; a hollow beam along the top; a spill guard above it in the middle."""
    prism(mesh, sheet(shape.line[::-1], SHELL), -HALF_WIDTH + 0.01, HALF_WIDTH - 0.01)
    beam = [shape.on_back(*at) for at in ((0.15, 0.004), (0.135, -0.06), (0.03, -0.06), (0.0, 0.004))]
    prism(mesh, beam, -HALF_WIDTH + 0.01, HALF_WIDTH - 0.01)
    ridge = shape.top
    guard = [(-0.95, 0.0), (0.95, 0.0), (0.78, 0.16), (-0.78, 0.16)]  # (z, height along the back)
    ring = [[(ridge[0] + s * shape.up[0] - t * shape.out[0], ridge[1] + s * shape.up[1] - t * shape.out[1], z)
             for z, s in guard] for t in (SHELL, 0.004)]
    loft(mesh, ring)


def side(mesh, shape):
    """A side plate, its thicker front edge, the cutter below it and the heel's wear plate."""
    tip, top = shape.tip, shape.top
    front = [(tip[0] - 0.13, tip[1] + 0.10), (tip[0] - 0.42, tip[1] + 0.62), (top[0] + 0.17, top[1] - 0.10)]
    plate = shape.line + [(top[0] + 0.06, top[1] + 0.0)] + front[::-1] + [(tip[0] - 0.10, tip[1])]
    mesh.use("sides", "yellow")
    prism(mesh, plate, HALF_WIDTH - 0.035, HALF_WIDTH, bevel=0.0)
    rim = sheet([(top[0] + 0.06, top[1])] + front[::-1], -0.10)
    prism(mesh, rim, HALF_WIDTH - 0.045, HALF_WIDTH + 0.012, bevel=0.006)
    mesh.use("side_cutters", "steel")
    cutter = [(tip[0] - 0.36, tip[1] - 0.004), (tip[0] - 0.04, tip[1] - 0.004), (tip[0] - 0.12, tip[1] + 0.16),
              (tip[0] - 0.28, tip[1] + 0.40), (tip[0] - 0.36, tip[1] + 0.36)]
    prism(mesh, cutter, HALF_WIDTH - 0.05, HALF_WIDTH + 0.022, bevel=0.006)
    mesh.use("wear_plates", "dark")
    heel = sheet(shape.line[2:7], -0.014)
    for z in (0.15, 0.62, 1.09):
        prism(mesh, heel, z, z + 0.22)


def edge(mesh, shape):
    """A bevelled cutting edge across the floor, with bolted teeth whose points are the model's tip."""
    x, y = shape.tip
    mesh.use("cutting_edge", "steel")
    base = x - 0.13
    prism(mesh, [(shape.floor_end - 0.02, y - 0.002), (base, y - 0.002), (base, y + 0.008), (base - 0.07, y + 0.040),
                 (shape.floor_end - 0.02, y + 0.040)], -HALF_WIDTH + 0.02, HALF_WIDTH - 0.02)
    mesh.use("teeth", "steel")
    tooth = [(x - 0.32, y - 0.004), (x, y), (x - 0.02, y + 0.014), (x - 0.17, y + 0.075), (x - 0.30, y + 0.075),
             (x - 0.34, y + 0.045)]
    pitch = (2 * HALF_WIDTH - 0.20) / (TEETH - 1)
    for k in range(TEETH):
        z = -HALF_WIDTH + 0.10 + k * pitch
        prism(mesh, tooth, z - 0.055, z + 0.055, bevel=0.008)
    mesh.use("bolts", "dark")
    for k in range(TEETH - 1):
        for offset in (0.30, 0.70):
            z = -HALF_WIDTH + 0.10 + (k + offset) * pitch
            rod(mesh, (shape.floor_end + 0.06, z), 0.024, y + 0.035, y + 0.056, 0.005, 6, axis="y")


def hinge_lugs(mesh, points, shape):
    """Two lugs around each lift arm, two around the front strut in the middle, each with its boss."""
    h, k = points["H"], points["K"]
    mesh.use("lugs", "yellow")
    foot = along_back(shape, h)
    outline = hull([disc(h, 0.125), (*shape.on_back(foot - 0.34, 0.01), 0), (*shape.on_back(foot + 0.10, 0.01), 0)])
    for low in (ARM[0] - 0.050, ARM[1] + 0.012):
        prism(mesh, outline, low, low + 0.038, bevel=0.006)
    boss(mesh, h, 0.095, (ARM[0] - 0.062, ARM[0] - 0.02), (ARM[1] + 0.02, ARM[1] + 0.062))
    foot = along_back(shape, k)
    outline = hull([disc(k, 0.100), (*shape.on_back(foot - 0.22, 0.01), 0), (*shape.on_back(foot + 0.36, 0.01), 0)])
    prism(mesh, outline, LEVER[0], LEVER[1] - 0.01, bevel=0.006)
    boss(mesh, k, 0.078, (LEVER[0] + 0.01, LEVER[1] + 0.01))


def along_back(shape, point):
    return sum((shape.top[i] - point[i]) * shape.up[i] for i in (0, 1))
