// The shapes that a tool draws on a picture: a box, a line or a path.

import type { Pane } from './pane';
import type { Pen } from './pen';

export interface Shape {
  kind: string; // box, line or path
  corners: [number, number][]; // rows and columns; those of a box are its first element and the one after its last
}

const cornersMax = 200;

// shapeOf reads a region, as far as it lies in a picture.
export function shapeOf(text: string, ny: number, nx: number): Shape | null {
  const [kind, rest] = text.split(':');
  const cut = (v: number, n: number) => Math.max(0, Math.min(n, Math.floor(v) || 0));
  const box = kind === 'box';
  const corners = (rest ?? '').split(';').map((c): [number, number] => {
    const [y, x] = c.split(',').map(Number);
    return [cut(y, box ? ny : ny - 1), cut(x, box ? nx : nx - 1)];
  });
  if (!/^(box|line|path)$/.test(kind) || corners.length < 2 || corners.length > 2 * cornersMax) return null;
  if (box && (corners[1][0] <= corners[0][0] || corners[1][1] <= corners[0][1])) return null;
  return { kind, corners };
}

// regionText writes the region between places in cells that one has drawn.
export function regionText(kind: string, places: { y: number; x: number }[], ny: number, nx: number): string {
  const floor = (v: number, n: number) => Math.max(0, Math.min(n - 1, Math.floor(v)));
  const first = places[0];
  const last = places[places.length - 1];
  if (kind === 'box') {
    const [y0, y1] = [floor(Math.min(first.y, last.y), ny), floor(Math.max(first.y, last.y), ny)];
    const [x0, x1] = [floor(Math.min(first.x, last.x), nx), floor(Math.max(first.x, last.x), nx)];
    return `box:${y0},${x0};${y1 + 1},${x1 + 1}`;
  }
  const step = kind === 'line' ? places.length - 1 : Math.ceil(places.length / cornersMax);
  const corners = places.filter((_, i) => i % step === 0 || i === places.length - 1).map((p) => `${floor(p.y, ny)},${floor(p.x, nx)}`);
  const apart = corners.filter((c, i) => c !== corners[i - 1]);
  return apart.length < 2 ? '' : `${kind}:${apart.join(';')}`;
}

// drawRegion draws the outline over a picture.
export function drawRegion(pen: Pen, pane: Pane, text: string, ny: number, nx: number): void {
  const shape = shapeOf(text, ny, nx);
  if (!shape) return;
  const f = pane.frame;
  const at = shape.corners.map(([y, x]): [number, number] => (shape.kind === 'box' ? [pane.X(x), pane.Y(y)] : [pane.X(x + 0.5), pane.Y(y + 0.5)]));
  pen.save();
  pen.beginPath();
  pen.rect(f.left, f.top, f.w, f.h);
  pen.clip();
  pen.setLineDash([]);
  for (const [width, colour] of [[4, '#000000'], [2, '#ffffff']] as const) {
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.fillStyle = colour;
    pen.beginPath();
    if (shape.kind === 'box') pen.rect(at[0][0], Math.min(at[0][1], at[1][1]), at[1][0] - at[0][0], Math.abs(at[1][1] - at[0][1]));
    else at.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
    pen.stroke();
    if (shape.kind === 'box') continue;
    for (const [x, y] of [at[0], at[at.length - 1]]) {
      pen.beginPath();
      pen.arc(x, y, width + 1, 0, 7);
      pen.fill();
    }
  }
  pen.restore();
}
