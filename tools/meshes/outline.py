# SPDX-License-Identifier: MIT
"""Closed outlines in a plane: lists of (x, y), counter-clockwise, metres.

Plates and forgings are contours of a signed distance (negative inside): limbs are tapered capsules between pins, and a
smooth minimum gives the fillets where they meet. Marching along the squares of a grid finds the contour; it is then
thinned out.
"""
import math


def area(points):
    return 0.5 * sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(points, points[1:] + points[:1]))


def counter_clockwise(points):
    return points if area(points) > 0 else points[::-1]


def arc(centre, radius, begin, end, steps):
    """Points on a circle, angles in degrees, both ends included."""
    angles = [math.radians(begin + (end - begin) * k / steps) for k in range(steps + 1)]
    return [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]


def rectangle(x, y, cut=0.0):
    """Between x[0], x[1] and y[0], y[1]; corners cut at 45 degrees."""
    corners = [(x[0], y[0]), (x[1], y[0]), (x[1], y[1]), (x[0], y[1])]
    return rounded([(*corner, cut) for corner in corners], 90) if cut else corners


def rounded(corners, step=18):
    """A polygon (x, y, radius) with its corners rounded, an edge of the rounding turning `step` degrees at most."""
    outline = []
    for k, (x, y, radius) in enumerate(corners):
        before, after = corners[k - 1], corners[(k + 1) % len(corners)]
        outline += fillet((x, y), before, after, radius, step)
    return counter_clockwise(outline)


def fillet(corner, before, after, radius, step):
    a, b = math.dist(corner, before[:2]), math.dist(corner, after[:2])
    u = [(before[i] - corner[i]) / a for i in (0, 1)]
    v = [(after[i] - corner[i]) / b for i in (0, 1)]
    half = 0.5 * math.acos(max(-1.0, min(1.0, u[0] * v[0] + u[1] * v[1])))  # half the corner's inner angle
    if radius <= 0 or half > 0.49 * math.pi:
        return [corner]
    reach = min(radius / math.tan(half), 0.48 * a, 0.48 * b)
    radius = reach * math.tan(half)
    middle = math.hypot(u[0] + v[0], u[1] + v[1])
    centre = [corner[i] + (u[i] + v[i]) / middle * radius / math.sin(half) for i in (0, 1)]
    begin = [corner[i] + u[i] * reach - centre[i] for i in (0, 1)]
    turn = math.pi - 2 * half
    if u[0] * v[1] - u[1] * v[0] > 0:
        turn = -turn
    steps = max(1, math.ceil(abs(turn) / math.radians(step) - 1e-9))
    return [turned(begin, turn * k / steps, centre) for k in range(steps + 1)]


def turned(vector, angle, origin=(0.0, 0.0)):
    c, s = math.cos(angle), math.sin(angle)
    return (origin[0] + c * vector[0] - s * vector[1], origin[1] + s * vector[0] + c * vector[1])


def inset(points, distance):
    """The outline moved inwards by `distance`, edges staying parallel."""
    moved = []
    for k, q in enumerate(points):
        n1, n2 = edge_normal(points[k - 1], q), edge_normal(q, points[(k + 1) % len(points)])
        scale = distance / max(0.35, 1 + n1[0] * n2[0] + n1[1] * n2[1])
        moved.append((q[0] - (n1[0] + n2[0]) * scale, q[1] - (n1[1] + n2[1]) * scale))
    return moved


def edge_normal(p, q):
    length = math.dist(p, q) or 1.0
    return ((q[1] - p[1]) / length, (p[0] - q[0]) / length)


def sheet(line, thickness):
    """A plate bent along an open line; it lies to the left of the line."""
    normals = [edge_normal(p, q) for p, q in zip(line, line[1:])]
    inner = []
    for k, q in enumerate(line):
        n1, n2 = normals[max(0, k - 1)], normals[min(k, len(normals) - 1)]
        scale = thickness / (1 + n1[0] * n2[0] + n1[1] * n2[1])
        inner.append((q[0] - (n1[0] + n2[0]) * scale, q[1] - (n1[1] + n2[1]) * scale))
    return counter_clockwise(list(line) + inner[::-1])


def hull(discs, steps=24):
    """The convex outline around discs (x, y, radius): a rope around them."""
    points = sorted({p for x, y, r in discs for p in (arc((x, y), r, 0, 360, steps)[:-1] if r else [(x, y)])})
    lower, upper = [], []
    for chain, ordered in ((lower, points), (upper, points[::-1])):
        for p in ordered:
            while len(chain) > 1 and cross(chain[-2], chain[-1], p) <= 1e-12:
                chain.pop()
            chain.append(p)
    return lower[:-1] + upper[:-1]


def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def limbs(chains, fillet_size=0.06, step=0.012):
    """The outline around chains of discs [(x, y, radius), ...], each disc joined to the next by a tapered limb.

    Where two chains meet, the corner between them is filled; within a chain it is not.
    """
    limbs_of = [list(zip(chain, chain[1:])) for chain in chains]

    def distance(x, y):
        values = [min(capsule(x, y, a, b) for a, b in pairs) for pairs in limbs_of]
        value = values[0]
        for other in values[1:]:
            value = smooth_minimum(value, other, fillet_size)
        return value

    return thinned(contour(distance, chains[0][0][:2], step), 0.002)


def capsule(x, y, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / (dx * dx + dy * dy)))
    return math.hypot(x - a[0] - t * dx, y - a[1] - t * dy) - a[2] - t * (b[2] - a[2])


def smooth_minimum(a, b, size):
    """The lesser of two distances; where both are within `size` a little less still, which fills the corner."""
    h = max(size - abs(a - b), 0.0) / size
    return min(a, b) - 0.25 * h * h * size


def contour(distance, inside, step):
    """The outline where distance is zero around the point `inside`, by marching from square to square of a grid."""
    known = {}

    def value(node):
        if node not in known:
            known[node] = distance(inside[0] + node[0] * step, inside[1] + node[1] * step)
        return known[node]

    i = 0
    while value((i + 1, 0)) < 0:
        i += 1
    cell, side, points = (i, 0), 0, []  # the outline enters this cell through its lower side
    while not points or (cell, side) != ((i, 0), 0):
        ring = [(cell[0] + u, cell[1] + v) for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
        points.append(crossing(ring[side], ring[(side + 1) % 4], value, inside, step))
        # Around the cell counter-clockwise, the outline comes in where the corners turn from inside to outside and
        # goes out where they turn back: the inside then lies on its left.
        while not (value(ring[side]) >= 0 and value(ring[(side + 1) % 4]) < 0):
            side = (side + 1) % 4
        du, dv = ((0, -1), (1, 0), (0, 1), (-1, 0))[side]
        cell, side = (cell[0] + du, cell[1] + dv), (side + 2) % 4
    return counter_clockwise(points)


def crossing(p, q, value, origin, step):
    t = value(p) / (value(p) - value(q))
    return tuple(origin[k] + step * (p[k] + t * (q[k] - p[k])) for k in (0, 1))


def thinned(points, tolerance):
    """Douglas and Peucker's thinning of a closed outline: no point left out lies further off than the tolerance."""
    far = max(range(len(points)), key=lambda k: math.dist(points[0], points[k]))
    return thin_line(points[: far + 1], tolerance)[:-1] + thin_line(points[far:] + points[:1], tolerance)[:-1]


def thin_line(line, tolerance):
    a, b = line[0], line[-1]
    length = math.dist(a, b) or 1.0
    offsets = [abs(cross(a, b, p)) / length for p in line]
    worst = max(range(len(line)), key=offsets.__getitem__)
    if offsets[worst] <= tolerance:
        return [a, b]
    return thin_line(line[: worst + 1], tolerance)[:-1] + thin_line(line[worst:], tolerance)
