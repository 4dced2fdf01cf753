// The frame around a plot: ticks, labels, grid lines.

import type { Pen } from './pen';
import { theme } from './theme';

export interface Frame {
  left: number;
  top: number;
  w: number;
  h: number;
}

export interface Tick {
  at: number;
  text: string;
}

export const font = '11px ui-sans-serif, system-ui, sans-serif';

export function drawAxes(pen: Pen, f: Frame, xs: Tick[], ys: Tick[], xLabel: string, yLabel: string, grid: boolean): void {
  const c = theme();
  pen.save();
  pen.font = font;
  pen.lineWidth = 1;
  pen.setLineDash([]);
  if (grid) {
    pen.strokeStyle = c.grid;
    pen.beginPath();
    for (const t of xs) {
      pen.moveTo(Math.round(t.at) + 0.5, f.top);
      pen.lineTo(Math.round(t.at) + 0.5, f.top + f.h);
    }
    for (const t of ys) {
      pen.moveTo(f.left, Math.round(t.at) + 0.5);
      pen.lineTo(f.left + f.w, Math.round(t.at) + 0.5);
    }
    pen.stroke();
  }
  pen.strokeStyle = c.axis;
  pen.beginPath();
  pen.rect(Math.round(f.left) - 0.5, Math.round(f.top) - 0.5, Math.round(f.w) + 1, Math.round(f.h) + 1);
  for (const t of xs) {
    pen.moveTo(Math.round(t.at) + 0.5, f.top + f.h);
    pen.lineTo(Math.round(t.at) + 0.5, f.top + f.h + 5);
  }
  for (const t of ys) {
    pen.moveTo(f.left - 5, Math.round(t.at) + 0.5);
    pen.lineTo(f.left, Math.round(t.at) + 0.5);
  }
  pen.stroke();
  pen.fillStyle = c.text;
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  let end = -Infinity;
  for (const t of xs) {
    const w = pen.measureText(t.text).width;
    if (t.at - w / 2 < end + 6) continue;
    pen.fillText(t.text, t.at, f.top + f.h + 8);
    end = t.at + w / 2;
  }
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  let widest = 0;
  for (const t of ys) {
    pen.fillText(t.text, f.left - 8, t.at);
    widest = Math.max(widest, pen.measureText(t.text).width);
  }
  pen.fillStyle = c.faint;
  pen.textAlign = 'center';
  pen.textBaseline = 'alphabetic';
  pen.fillText(xLabel, f.left + f.w / 2, f.top + f.h + 36);
  const apart = Math.max(52, widest + 14); // of the label from the axis
  if (apart > f.left - 8) { // beside long texts there is no room for it
    pen.textAlign = 'left';
    pen.fillText(yLabel, 8, f.top - 5);
    pen.restore();
    return;
  }
  pen.save();
  pen.translate(f.left - apart, f.top + f.h / 2);
  pen.rotate(-Math.PI / 2);
  pen.fillText(yLabel, 0, 0);
  pen.restore();
  pen.restore();
}
