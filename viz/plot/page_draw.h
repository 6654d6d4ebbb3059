// SPDX-License-Identifier: MIT
// The script of a page that draws a panel on a canvas.
#pragma once

namespace rodeo::plot {

inline constexpr const char* kPageDraw = R"html(
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
      if (this.data.log && !Number.isInteger(t)) continue;
      this.line(c, a.x, this.py(t), a.x + a.w, this.py(t));
      c.fillText(this.data.log ? "1e" + t : number(t), a.x - 6, this.py(t));
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
}
)html";

}  // namespace rodeo::plot
