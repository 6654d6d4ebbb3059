// SPDX-License-Identifier: MIT
// The parts of a page that are the same for every figure. `figure` is put between kPageBody and kPageScript.
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

inline constexpr const char* kPageScript = R"html(
const LEFT = 80, RIGHT = 20, SHADE = 110, TOP = 8, BOTTOM = 44, DASHES = [[], [8, 5], [2, 4], [10, 4, 2, 4], [14, 6]];
const tip = document.getElementById("tip");
const column = i => figure.columns[i];
const number = v => v === null ? "-" : String(+v.toPrecision(6));

function shadeColour(v) {
  const at = Math.min(1, Math.max(0, v)) * (figure.shades.length - 1), i = Math.min(Math.floor(at), figure.shades.length - 2);
  return figure.shades[i].map((c, k) => Math.round(c + (at - i) * (figure.shades[i + 1][k] - c)));
}

// Steps of 1, 2 or 5 times a power of ten, about `count` of them.
function ticks(low, high, count) {
  const raw = (high - low) / count, power = Math.pow(10, Math.floor(Math.log10(raw)));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw), list = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) list.push(+(k * step).toPrecision(12));
  return list;
}

class Panel {
  constructor(data) {
    this.data = data;
    this.isTime = !data.path;
    this.box = document.createElement("div");
    this.box.className = "panel";
    this.addLegend();
    this.canvas = document.createElement("canvas");
    this.box.appendChild(this.canvas);
    document.getElementById("panels").appendChild(this.box);
    if (data.field) this.image = this.paintField(data.field);
    this.listen();
  }

  addLegend() {
    const named = this.data.series.filter(s => s.name);
    if (!named.length) return;
    const legend = document.createElement("div");
    legend.className = "legend";
    for (const s of named) {
      const entry = document.createElement("span"), mark = document.createElement("span");
      mark.innerHTML = '<svg width="34" height="8"><line x1="0" y1="4" x2="34" y2="4" stroke-width="2.5" stroke="' +
        figure.colours[s.colour] + '" stroke-dasharray="' + DASHES[s.dash % 5].join(" ") + '"/></svg>';
      mark.style.marginRight = "0";
      entry.append(mark, document.createTextNode(s.name));
      legend.appendChild(entry);
    }
    this.box.appendChild(legend);
  }

  paintField(field) {
    const image = document.createElement("canvas");
    image.width = field.width;
    image.height = field.height;
    this.codes = new Int16Array(field.width * field.height);
    for (let i = 0, at = 0; i < field.runs.length; i += 2) {
      this.codes.fill(field.runs[i + 1], at, at += field.runs[i]);
    }
    const context = image.getContext("2d"), pixels = context.createImageData(field.width, field.height);
    for (let i = 0; i < this.codes.length; i++) {
      if (this.codes[i] < 0) continue;
      const row = field.height - 1 - Math.floor(i / field.width), to = 4 * (row * field.width + i % field.width);
      pixels.data.set([...shadeColour(this.codes[i] / 1000), 255], to);
    }
    context.putImageData(pixels, 0, 0);
    return image;
  }

  right() { return this.data.shade ? SHADE : RIGHT; }

  // The size of the page's width; the share of the figure's height that this panel has.
  resize() {
    const width = this.canvas.clientWidth, [x0, x1, y0, y1] = this.data.frame;
    let height = Math.max(200, (window.innerHeight - 110) / figure.panels.length);
    if (this.data.equal) {
      const fit = (width - LEFT - this.right()) * (y1 - y0) / (x1 - x0) + TOP + BOTTOM;
      height = Math.min(Math.max(300, fit), Math.max(300, window.innerHeight - 110));
    }
    const ratio = window.devicePixelRatio || 1;
    this.canvas.style.height = height + "px";
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.ratio = ratio;
    this.area = { x: LEFT, y: TOP, w: width - LEFT - this.right(), h: height - TOP - BOTTOM };
    if (!this.view) this.reset();
    this.draw();
  }

  reset() {
    let [x0, x1, y0, y1] = this.data.frame;
    if (this.data.equal) {
      const scale = Math.max((x1 - x0) / this.area.w, (y1 - y0) / this.area.h);
      const cx = (x0 + x1) / 2, cy = (y0 + y1) / 2, w = scale * this.area.w / 2, h = scale * this.area.h / 2;
      [x0, x1, y0, y1] = [cx - w, cx + w, cy - h, cy + h];
    }
    this.view = { x0, x1, y0, y1 };
  }

  px(x) { return this.area.x + (x - this.view.x0) / (this.view.x1 - this.view.x0) * this.area.w; }
  py(y) { return this.area.y + (this.view.y1 - y) / (this.view.y1 - this.view.y0) * this.area.h; }
  x(px) { return this.view.x0 + (px - this.area.x) / this.area.w * (this.view.x1 - this.view.x0); }
  y(py) { return this.view.y1 - (py - this.area.y) / this.area.h * (this.view.y1 - this.view.y0); }

  draw() {
    const c = this.canvas.getContext("2d"), a = this.area;
    c.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    this.drawAxes(c);
    c.save();
    c.beginPath();
    c.rect(a.x, a.y, a.w, a.h);
    c.clip();
    if (this.image) this.drawField(c);
    for (const s of this.data.series) this.drawSeries(c, s);
    for (const d of this.data.drawings) this.drawDrawing(c, d);
    this.drawMarks(c);
    c.restore();
    if (this.data.shade) this.drawBar(c);
  }

  drawAxes(c) {
    const a = this.area, v = this.view;
    c.font = "13px sans-serif";
    c.lineWidth = 1;
    c.setLineDash([]);
    c.strokeStyle = "#ddd";
    c.fillStyle = "#222";
    c.textAlign = "center";
    c.textBaseline = "top";
    for (const t of ticks(v.x0, v.x1, a.w / 90)) {
      this.line(c, this.px(t), a.y, this.px(t), a.y + a.h);
      c.fillText(number(t), this.px(t), a.y + a.h + 5);
    }
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const t of ticks(v.y0, v.y1, a.h / 45)) {
      this.line(c, a.x, this.py(t), a.x + a.w, this.py(t));
      c.fillText(number(t), a.x - 6, this.py(t));
    }
    c.strokeStyle = "#444";
    c.strokeRect(a.x, a.y, a.w, a.h);
    c.textAlign = "center";
    c.fillText(this.data.x, a.x + a.w / 2, a.y + a.h + 33);
    c.save();
    c.translate(14, a.y + a.h / 2);
    c.rotate(-Math.PI / 2);
    c.fillText(this.data.y, 0, 0);
    c.restore();
  }

  line(c, x0, y0, x1, y1) {
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
  }

  trace(c, xs, ys) {
    c.beginPath();
    let isDown = false;
    for (let i = 0; i < xs.length; i++) {
      if (xs[i] === null || ys[i] === null) { isDown = false; continue; }
      const x = this.px(xs[i]), y = this.py(ys[i]);
      isDown ? c.lineTo(x, y) : c.moveTo(x, y);
      isDown = true;
    }
    c.stroke();
  }

  drawSeries(c, s) {
    const xs = column(s.x), ys = column(s.y);
    c.lineWidth = 1.8;
    c.strokeStyle = figure.colours[s.colour];
    c.setLineDash(DASHES[s.dash % 5]);
    if (s.shade === undefined) return this.trace(c, xs, ys);
    const [low, high] = this.data.shadeRange, shades = column(s.shade);
    c.lineWidth = 4;
    for (let i = 1; i < xs.length; i++) {
      if (xs[i] === null || xs[i - 1] === null) continue;
      c.strokeStyle = "rgb(" + shadeColour((shades[i] - low) / (high - low)) + ")";
      this.line(c, this.px(xs[i - 1]), this.py(ys[i - 1]), this.px(xs[i]), this.py(ys[i]));
    }
  }

  drawDrawing(c, d) {
    const xs = column(d.x), ys = column(d.y);
    c.setLineDash([]);
    c.lineWidth = d.width;
    c.strokeStyle = c.fillStyle = "#111";
    this.trace(c, xs, ys);
    if (d.dots) xs.forEach((x, i) => { if (x !== null) this.dot(c, this.px(x), this.py(ys[i]), 2.5); });
  }

  dot(c, x, y, r) {
    c.beginPath();
    c.arc(x, y, r, 0, 2 * Math.PI);
    c.fill();
  }

  drawField(c) {
    const f = this.data.field, x0 = this.px(f.x0 - f.cell / 2), y1 = this.py(f.y0 - f.cell / 2);
    const x1 = this.px(f.x0 + (f.width - 0.5) * f.cell), y0 = this.py(f.y0 + (f.height - 0.5) * f.cell);
    c.imageSmoothingEnabled = false;
    c.drawImage(this.image, x0, y0, x1 - x0, y1 - y0);
  }

  // Letters that would cover each other go to lower rows.
  drawMarks(c) {
    const a = this.area, last = [-1e9, -1e9, -1e9];
    c.fillStyle = "#111";
    c.textBaseline = "middle";
    for (const [x, y, text, isLeft, isBelow] of this.data.marks) {
      const px = this.px(x);
      if (y !== null) {
        this.dot(c, px, this.py(y), 3.5);
        c.textAlign = isLeft ? "right" : "left";
        c.fillText(text, px + (isLeft ? -6 : 6), this.py(y) + (isBelow ? 9 : -9));
        continue;
      }
      let row = 0;
      while (row < 2 && px - last[row] < 14) row++;
      last[row] = px;
      c.setLineDash([2, 4]);
      c.lineWidth = 1;
      c.strokeStyle = "#888";
      this.line(c, px, a.y, px, a.y + a.h);
      const isAtEnd = a.x + a.w - px < 14;
      c.textAlign = isAtEnd ? "right" : "left";
      c.fillText(text, px + (isAtEnd ? -3 : 3), a.y + 10 + 14 * row);
    }
  }

  drawBar(c) {
    const a = this.area, x = a.x + a.w + 14, [low, high] = this.data.shadeRange;
    for (let i = 0; i < a.h; i++) {
      c.fillStyle = "rgb(" + shadeColour(1 - i / a.h) + ")";
      c.fillRect(x, a.y + i, 16, 1.5);
    }
    c.fillStyle = "#222";
    c.textAlign = "left";
    c.textBaseline = "middle";
    for (const t of ticks(low, high, 6)) c.fillText(number(t), x + 20, a.y + a.h * (high - t) / (high - low));
    c.save();
    c.translate(x + 72, a.y + a.h / 2);
    c.rotate(-Math.PI / 2);
    c.textAlign = "center";
    c.fillText(this.data.shade, 0, 0);
    c.restore();
  }

  listen() {
    const at = e => { const r = this.canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    this.canvas.addEventListener("wheel", e => {
      e.preventDefault();
      this.zoom(...at(e), Math.pow(1.0015, e.deltaY || e.deltaX), e.shiftKey);
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", e => {
      this.held = at(e);
      if (e.isTrusted) this.canvas.setPointerCapture(e.pointerId);
    });
    this.canvas.addEventListener("pointermove", e => this.held ? this.pan(...at(e)) : this.hover(...at(e), e));
    this.canvas.addEventListener("pointerup", () => { this.held = null; });
    this.canvas.addEventListener("pointerleave", () => { tip.style.display = "none"; });
    this.canvas.addEventListener("dblclick", () => resetAll());
  }

  zoom(px, py, factor, isUpright) {
    const x = this.x(px), y = this.y(py), v = this.view;
    if (!this.isTime || !isUpright) [v.x0, v.x1] = [x + (v.x0 - x) * factor, x + (v.x1 - x) * factor];
    if (!this.isTime || isUpright) [v.y0, v.y1] = [y + (v.y0 - y) * factor, y + (v.y1 - y) * factor];
    shareX(this);
  }

  pan(px, py) {
    const v = this.view, dx = this.x(this.held[0]) - this.x(px), dy = this.y(this.held[1]) - this.y(py);
    Object.assign(v, { x0: v.x0 + dx, x1: v.x1 + dx, y0: v.y0 + dy, y1: v.y1 + dy });
    this.held = [px, py];
    shareX(this);
  }

  // The sample of a curve that is nearest to the mouse: along x where x rises, else by distance.
  nearest(s, px, py) {
    const xs = column(s.x), ys = column(s.y);
    let best = -1, least = Infinity;
    for (let i = 0; i < xs.length; i++) {
      if (xs[i] === null || ys[i] === null) continue;
      const dx = this.px(xs[i]) - px, d = this.isTime ? Math.abs(dx) : Math.hypot(dx, this.py(ys[i]) - py);
      if (d < least) { least = d; best = i; }
    }
    return { i: best, distance: least };
  }

  hover(px, py, e) {
    const lines = [], d = this.data;
    this.draw();
    const c = this.canvas.getContext("2d");
    for (const s of d.series) {
      const { i, distance } = this.nearest(s, px, py);
      if (i < 0 || (!this.isTime && distance > 40)) continue;
      const x = column(s.x)[i], y = column(s.y)[i];
      if (!lines.length && this.isTime) lines.push(d.x + ": " + number(x));
      lines.push((s.name ? s.name + ": " : this.isTime ? d.y + ": " : "") +
        (this.isTime ? number(y) : "(" + number(x) + ", " + number(y) + ")") +
        (s.shade === undefined ? "" : "  " + d.shade + " " + number(column(s.shade)[i])));
      c.fillStyle = figure.colours[s.colour];
      this.dot(c, this.px(x), this.py(y), 4);
    }
    const value = d.field ? this.fieldAt(this.x(px), this.y(py)) : null;
    if (d.field) lines.push("(" + number(this.x(px)) + ", " + number(this.y(py)) + ")" +
      (value === null ? " cannot be reached" : "  " + d.shade + " " + number(value)));
    tip.textContent = lines.join("\n");
    tip.style.display = lines.length ? "block" : "none";
    tip.style.left = Math.min(e.clientX + 14, window.innerWidth - tip.offsetWidth - 8) + "px";
    tip.style.top = Math.min(e.clientY + 14, window.innerHeight - tip.offsetHeight - 8) + "px";
  }

  fieldAt(x, y) {
    const f = this.data.field, i = Math.round((x - f.x0) / f.cell), j = Math.round((y - f.y0) / f.cell);
    if (i < 0 || j < 0 || i >= f.width || j >= f.height || this.codes[j * f.width + i] < 0) return null;
    const [low, high] = this.data.shadeRange;
    return low + this.codes[j * f.width + i] / 1000 * (high - low);
  }
}

const panels = figure.panels.map(data => new Panel(data));

// Curves over the same axis move together.
function shareX(from) {
  for (const panel of panels) {
    if (panel !== from && panel.data.x === from.data.x && panel.isTime && from.isTime) {
      Object.assign(panel.view, { x0: from.view.x0, x1: from.view.x1 });
    }
    panel.draw();
  }
}

function resetAll() {
  for (const panel of panels) { panel.reset(); panel.draw(); }
}

const layOut = () => panels.forEach(panel => panel.resize());
window.addEventListener("resize", layOut);
layOut();
</script></body></html>
)html";

}  // namespace rodeo::plot
