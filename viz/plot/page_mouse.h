// SPDX-License-Identifier: MIT
// The script of a page that zooms, pans and reads values under the mouse.
#pragma once

namespace rodeo::plot {

inline constexpr const char* kPageMouse = R"html(
class LivePanel extends Panel {
  constructor(data) {
    super(data);
    this.listen();
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
      const x = column(s.x)[i], y = column(s.y)[i], value = number(d.log ? Math.pow(10, y) : y);
      if (!lines.length && this.isTime) lines.push(d.x + ": " + number(x));
      lines.push((s.name ? s.name + ": " : this.isTime ? d.y + ": " : "") +
        (this.isTime ? value : "(" + number(x) + ", " + value + ")") +
        (s.shade === undefined ? "" : "  " + d.shade + " " + number(column(s.shade)[i])));
      c.fillStyle = figure.colours[s.colour];
      this.dot(c, this.px(x), this.py(y), 4);
    }
    const cell = d.field ? this.fieldAt(this.x(px), this.y(py)) : null;
    if (d.field) lines.push("(" + number(this.x(px)) + ", " + number(this.y(py)) + ")" +
      (cell === null ? " cannot be reached" : "  " + d.shade + " " + number(cell)));
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

const panels = figure.panels.map(data => new LivePanel(data));

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
