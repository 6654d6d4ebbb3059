# SPDX-License-Identifier: MIT
"""Writes Wavefront OBJ and MTL: text, the same bytes for the same mesh."""


def number(value, digits):
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Table:
    """Lines of one kind, each written once; OBJ counts from 1."""

    def __init__(self, word, digits):
        self.word, self.digits, self.index = word, digits, {}
        self.seen = {}  # exact vector -> its line: most vectors come several times, and writing them is slow

    def find(self, vector):
        if vector not in self.seen:
            key = " ".join(number(value, self.digits) for value in vector)
            self.seen[vector] = self.index.setdefault(key, len(self.index) + 1)
        return self.seen[vector]

    def lines(self):
        return [f"{self.word} {key}" for key in self.index]


def obj_text(mesh, title, materials_file):
    # A micrometre for positions: a pin's centre must be good to 1e-6 m. Normals only shade.
    positions, normals = Table("v", 6), Table("vn", 3)
    blocks = {}
    for group, material, face in mesh.faces:
        corners = [(positions.find(p), normals.find(n)) for p, n in face]
        if len({p for p, _ in corners}) == len(corners):  # a face with two equal corners has no area
            line = "f " + " ".join(f"{p}//{n}" for p, n in corners)
            blocks.setdefault(group, {}).setdefault(material, []).append(line)
    lines = [f"# {title}", "# Made by tools/meshes/make_meshes.py; change that, not this. SPDX-License-Identifier: MIT",
             f"mtllib {materials_file}", *positions.lines(), *normals.lines()]
    for group, by_material in blocks.items():
        lines.append(f"g {group}")
        for material, faces in by_material.items():
            lines += [f"usemtl {material}", *faces]
    return "\n".join(lines) + "\n"


def mtl_text(materials, title):
    lines = [f"# {title}", "# Made by tools/meshes/make_meshes.py. SPDX-License-Identifier: MIT"]
    for name, (colour, shine, opacity) in materials.items():
        kd = " ".join(number(c, 3) for c in colour)
        ka = " ".join(number(c, 3) for c in colour)
        ks = number(shine, 3)
        exponent = number(8 + 120 * shine, 0)
        lines += ["", f"newmtl {name}", f"Ka {ka}", f"Kd {kd}", f"Ks {ks} {ks} {ks}", f"Ns {exponent}",
                  f"d {number(opacity, 3)}", "illum 2"]
    return "\n".join(lines) + "\n"
