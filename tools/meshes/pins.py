# SPDX-License-Identifier: MIT
"""Pins and the bosses that carry them.

A pin's group is pin_<POINT> and holds nothing but round bars about that point: its centre in x and y is the point, and
its extent in z says where along the pin the joined parts and the cylinders are.
"""
from solid import rod


def pin(mesh, name, point, radius, *spans):
    """A pin through the point, once for each span (from, to) along z."""
    group, material = mesh.group, mesh.material
    mesh.use(f"pin_{name}", "chrome")
    for low, high in spans:
        rod(mesh, point, radius, low, high, bevel=0.15 * radius, steps=20)
    mesh.use(group, material)


def boss(mesh, point, radius, *spans, bevel=0.012):
    """A round boss, once for each span; as many sides as its size deserves."""
    steps = 16 if radius < 0.09 else 20 if radius < 0.13 else 24
    for low, high in spans:
        rod(mesh, point, radius, low, high, bevel, steps)


def mirrored(low, high):
    """The span on the right of the machine and its mirror image on the left."""
    return (low, high), (-high, -low)
