#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the meshes under assets/ from the machine files in configs/. Run it again after a dimension has changed.

Example: tools/meshes/make_meshes.py                 writes assets/wheel_loader and assets/excavator
         tools/meshes/make_meshes.py --into OUT   writes OUT/wheel_loader and OUT/excavator
"""
import argparse
import pathlib

import excavator_front
import excavator_house
import wheel_loader_bucket
import wheel_loader_chassis
import wheel_loader_linkage
from machine_file import Machine
from materials import MATERIALS
from obj_file import mtl_text, obj_text

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Machine -> file with its points, and for each body what makes its mesh from them. The loader's file with cylinders has
# all points of the one without, and the cylinders' pins besides.
MACHINES = {
    "wheel_loader": ("wheel_loader_cylinders.yaml", {
        "ground": wheel_loader_chassis.ground,
        "boom": wheel_loader_linkage.boom,
        "tilt_lever": wheel_loader_linkage.tilt_lever,
        "rear_strut": wheel_loader_linkage.rear_strut,
        "lever": wheel_loader_linkage.lever,
        "front_strut": wheel_loader_linkage.front_strut,
        "bucket": wheel_loader_bucket.bucket,
    }),
    "excavator": ("excavator.yaml", {
        "ground": excavator_house.ground,
        "boom": excavator_front.boom,
        "arm": excavator_front.arm,
        "rocker": excavator_front.rocker,
        "link": excavator_front.link,
        "bucket": excavator_front.bucket,
    }),
}


def make_body(machine, body, make):
    try:
        return make(machine.points[body])
    except KeyError as missing:
        raise SystemExit(f"{machine.path}: body '{body}' has no point {missing}, which its mesh needs") from None


def write_machine(name, configs, folder):
    file, makers = MACHINES[name]
    machine = Machine(configs / file)
    folder.mkdir(parents=True, exist_ok=True)
    total = 0
    for body, make in makers.items():
        mesh = make_body(machine, body, make)
        total += mesh.triangles()
        title = f"{name}: {body}, in the body's frame, metres; x forward, y up, z to the right"
        (folder / f"{body}.obj").write_text(obj_text(mesh, title, f"{name}.mtl"), encoding="utf-8")
        print(f"{name}/{body}.obj: {mesh.triangles()} triangles")
    (folder / f"{name}.mtl").write_text(mtl_text(MATERIALS, name), encoding="utf-8")
    print(f"{name}: {total} triangles")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "assets", help="folder that gets the machines")
    parser.add_argument("--configs", type=pathlib.Path, default=ROOT / "configs", help="folder of the machine files")
    options = parser.parse_args()
    for name in MACHINES:
        write_machine(name, options.configs, options.into / name)


if __name__ == "__main__":
    main()
