# SPDX-License-Identifier: MIT
"""Materials of both machines: colour (red, green, blue), how shiny (0 to 1), opacity."""

MATERIALS = {
    "yellow": ((0.96, 0.66, 0.05), 0.25, 1.0),      # painted sheet metal
    "dark": ((0.17, 0.18, 0.19), 0.15, 1.0),        # frames, counterweight, cab's pillars
    "grey": ((0.42, 0.43, 0.44), 0.15, 1.0),        # steps, guards, shoes of the tracks
    "black": ((0.05, 0.05, 0.055), 0.05, 1.0),      # grilles, seat, rubber
    "tyre": ((0.075, 0.075, 0.08), 0.03, 1.0),
    "glass": ((0.30, 0.42, 0.48), 0.9, 0.35),
    "steel": ((0.52, 0.52, 0.54), 0.45, 1.0),       # cutting edge and teeth, worn bright
    "chrome": ((0.75, 0.76, 0.78), 0.9, 1.0),       # pins; the viewer's piston rods
    "white_light": ((0.95, 0.95, 0.88), 0.8, 1.0),
    "orange_light": ((0.98, 0.42, 0.05), 0.6, 1.0),
    "red_light": ((0.80, 0.06, 0.05), 0.6, 1.0),
}
