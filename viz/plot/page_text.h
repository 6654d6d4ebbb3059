// SPDX-License-Identifier: MIT
// The parts of a page that are the same for every figure: head, style and body here, the script that draws in page_draw.h, the one
// that listens to the mouse in page_mouse.h. `figure` is put between kPageBody and kPageDraw.
#pragma once

namespace rodeo::plot {

inline constexpr const char* kPageHead = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
)html";

inline constexpr const char* kPageStyle = R"html(<style>
body { font: 14px sans-serif; margin: 12px auto; max-width: 1600px; padding: 0 12px; color: #222; background: #fff; }
h1 { font-size: 18px; text-align: center; margin: 4px; }
.panel { margin-bottom: 6px; }
.legend { padding-left: 80px; }
.legend span { margin-right: 18px; white-space: nowrap; }
.legend svg { vertical-align: middle; margin-right: 6px; }
canvas { display: block; width: 100%; cursor: crosshair; touch-action: none; }
#tip { position: fixed; display: none; pointer-events: none; background: #fffffff0; border: 1px solid #888; padding: 4px 8px;
       font-size: 13px; white-space: pre; }
#help { color: #777; font-size: 12px; text-align: center; }
</style></head><body>
)html";

inline constexpr const char* kPageBody = R"html(<div id="panels"></div>
<div id="tip"></div>
<p id="help">wheel: zoom (with Shift: the upright axis of a curve over time) &middot; drag: pan &middot; double click: all of it &middot; hover: values</p>
<script>
"use strict";
)html";

}  // namespace rodeo::plot
