# SPDX-License-Identifier: MIT
"""Solids as polygons with normals: prisms with bevelled edges, turned parts, lofts, tubes.

Axes: x forward, y up, z to the right of the machine. Faces are counter-clockwise seen from outside. A vertex's normal
is the mean of those of its faces that are within CREASE of the face at hand: round parts are smooth, plates flat.
"""
import math

from outline import counter_clockwise, cross, inset, rectangle

CREASE = math.cos(math.radians(38))


class Mesh:
    """Faces as (group, material, [(position, normal), ...]), in the order in which they were made."""

    def __init__(self):
        self.faces = []
        self.group, self.material = "body", "yellow"

    def use(self, group, material):
        """What follows belongs to this group and is made of this material."""
        self.group, self.material = group, material
        return self

    def add(self, points, polygons):
        normals = [newell(points, polygon) for polygon in polygons]
        touching = {}
        for k, polygon in enumerate(polygons):
            for i in polygon:
                touching.setdefault(i, []).append(k)
        for k, polygon in enumerate(polygons):
            unit = normalized(normals[k])
            corner = {i: vertex_normal(unit, [normals[m] for m in touching[i]]) for i in polygon}
            for piece in pieces(points, polygon, unit):
                self.faces.append((self.group, self.material, [(points[i], corner[i]) for i in piece]))

    def add_mesh(self, other, move=(0.0, 0.0, 0.0), turn=0.0):
        """Another mesh, turned about its z axis by `turn` (radians), then moved."""
        c, s = math.cos(turn), math.sin(turn)
        for group, material, face in other.faces:
            self.faces.append((group, material, [
                ((c * p[0] - s * p[1] + move[0], s * p[0] + c * p[1] + move[1], p[2] + move[2]),
                 (c * n[0] - s * n[1], s * n[0] + c * n[1], n[2])) for p, n in face]))

    def both_sides(self, build):
        """What build(mesh) makes, and its mirror image in the machine's middle plane z = 0."""
        begin = len(self.faces)
        build(self)
        for group, material, face in self.faces[begin:]:
            mirrored = [((p[0], p[1], -p[2]), (n[0], n[1], -n[2])) for p, n in reversed(face)]
            self.faces.append((group, material, mirrored))

    def triangles(self):
        return sum(len(face) - 2 for _, _, face in self.faces)


def newell(points, polygon):
    """Twice the polygon's area as a vector along its normal."""
    n = [0.0, 0.0, 0.0]
    for i, j in zip(polygon, polygon[1:] + polygon[:1]):
        p, q = points[i], points[j]
        n[0] += (p[1] - q[1]) * (p[2] + q[2])
        n[1] += (p[2] - q[2]) * (p[0] + q[0])
        n[2] += (p[0] - q[0]) * (p[1] + q[1])
    return tuple(n)


def normalized(v):
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) or 1.0
    return (v[0] / length, v[1] / length, v[2] / length)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross3(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def vertex_normal(unit, neighbours):
    near = [n for n in neighbours if dot(unit, normalized(n)) > CREASE]
    return normalized(tuple(sum(n[i] for n in near) for i in range(3))) if near else unit


def pieces(points, polygon, unit):
    """The polygon as triangles and quadrilaterals."""
    if len(polygon) <= 4:
        return [polygon]
    drop = max(range(3), key=lambda i: abs(unit[i]))
    u, v = [(1, 2), (2, 0), (0, 1)][drop]
    flat = {i: (points[i][u], points[i][v]) for i in polygon}
    return clip_ears(list(polygon) if unit[drop] > 0 else list(polygon)[::-1], flat, unit[drop] < 0)


def clip_ears(ring, flat, backwards):
    triangles = []
    while len(ring) > 3:
        k = next((k for k in range(len(ring)) if is_ear(ring, k, flat)), 0)
        triangles.append([ring[k - 1], ring[k], ring[(k + 1) % len(ring)]])
        ring.pop(k)
    triangles.append(ring)
    return [t[::-1] for t in triangles] if backwards else triangles


def is_ear(ring, k, flat):
    a, b, c = flat[ring[k - 1]], flat[ring[k]], flat[ring[(k + 1) % len(ring)]]
    if cross(a, b, c) <= 1e-12:
        return False
    others = (flat[i] for i in ring if flat[i] not in (a, b, c))
    return not any(cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others)


# Where the plane of an outline and its third direction lie: an outline across x is in (y, z), across y in (z, x).
AXES = {"z": lambda u, v, w: (u, v, w), "x": lambda u, v, w: (w, u, v), "y": lambda u, v, w: (v, w, u)}


def loft(mesh, rings):
    """A solid through rings with equally many points, each counter-clockwise seen from the last ring's side."""
    n = len(rings[0])
    points = [p for ring in rings for p in ring]
    polygons = [list(range(n))[::-1], list(range(len(points) - n, len(points)))]
    for k in range(len(rings) - 1):
        for j in range(n):
            a, b = k * n + j, k * n + (j + 1) % n
            polygons.append([a, b, b + n, a + n])
    mesh.add(points, polygons)


def prism(mesh, outline, low, high, bevel=0.0, axis="z"):
    """An outline pulled from `low` to `high` along an axis, with the edges of both ends bevelled.

    A rounded corner of the outline needs a radius above the bevel, or the bevelled end folds over itself.
    The outline is in (x, y) along z, in (y, z) along x, and in (x, z) along y.
    """
    if axis == "y":
        outline = [(z, x) for x, z in outline]
    outline = counter_clockwise(list(outline))
    place = AXES[axis]
    levels = [(outline, low), (outline, high)]
    if bevel:
        small = inset(outline, bevel)
        levels = [(small, low), (outline, low + bevel), (outline, high - bevel), (small, high)]
    loft(mesh, [[place(u, v, w) for u, v in ring] for ring, w in levels])


def box(mesh, x, y, z, bevel=0.0):
    """A block between x[0] and x[1] and so on, all its edges bevelled."""
    prism(mesh, rectangle(x, y, bevel), z[0], z[1], bevel)


def turn(mesh, centre, profile, steps=20, axis="z", closed=False):
    """A turned part: the profile [(radius, along), ...] around an axis through `centre`, the plane as for a prism.

    The profile runs with the material on its left seen with the radius to the right and the axis up: from the lower end
    outwards and up. A radius of 0 ends in a point; other ends are capped; a closed profile makes a ring.
    """
    place = AXES[axis]
    cu, cv = (centre[1], centre[0]) if axis == "y" else centre
    angles = [2 * math.pi * (k + 0.5) / steps for k in range(steps)]
    points, rings = [], []
    for radius, along in profile:
        ring = angles if radius > 0 else [0.0]
        rings.append([len(points) + k for k in range(len(ring))])
        points += [place(cu + radius * math.cos(a), cv + radius * math.sin(a), along) for a in ring]
    polygons = [] if closed else [r for r in (rings[0][::-1], rings[-1]) if len(r) > 1]
    pairs = list(zip(rings, rings[1:])) + ([(rings[-1], rings[0])] if closed else [])
    for a, b in pairs:
        for j in range(steps):
            i, k = j, (j + 1) % steps
            quad = [a[i % len(a)], a[k % len(a)], b[k % len(b)], b[i % len(b)]]
            polygons.append([p for m, p in enumerate(quad) if p not in quad[:m]])
    mesh.add(points, polygons)


def rod(mesh, centre, radius, low, high, bevel=0.0, steps=20, axis="z"):
    """A round bar, its ends chamfered."""
    profile = [(radius, low), (radius, high)]
    if bevel:
        profile = [(radius - bevel, low), (radius, low + bevel), (radius, high - bevel), (radius - bevel, high)]
    turn(mesh, centre, profile, steps, axis)


def tube(mesh, line, radius, steps=6):
    """A round bar bent along a line of points in space: handrails, mirrors' arms, steps."""
    directions = [normalized(tuple(q[i] - p[i] for i in range(3))) for p, q in zip(line, line[1:])]
    start = (0.0, 0.0, 1.0) if abs(directions[0][2]) < 0.9 else (1.0, 0.0, 0.0)
    side, rings = start, []
    for k, p in enumerate(line):
        d1, d2 = directions[max(0, k - 1)], directions[min(k, len(directions) - 1)]
        along = normalized(tuple(a + b for a, b in zip(d1, d2)))
        side = normalized(tuple(side[i] - dot(side, along) * along[i] for i in range(3)))
        other = cross3(along, side)
        rings.append([tuple(p[i] + radius * (math.cos(a) * side[i] + math.sin(a) * other[i]) for i in range(3))
                      for a in (2 * math.pi * j / steps for j in range(steps))])
    loft(mesh, rings)
