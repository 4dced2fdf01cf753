// Three planes through one element of an array of three or more axes: the
// picture itself, and two across it, along the axis of a slider.

import type { Pane } from './pane';
import type { Pen } from './pen';
import { lengthOf, type Shown } from './selection';
import type { State } from './state';

// depthOf gives the axis that the other planes are along, or -1 without planes.
export function depthOf(state: State, shown: Shown): number {
  if (!state.planes || state.view !== 'heatmap' || (state.cmp && state.mode === 'side')) return -1;
  return candidate(state.at, shown);
}

// candidate gives the last axis that stands at a position, or -1.
export function candidate(at: string[], shown: Shown): number {
  for (let i = at.length - 1; i >= 0; i--) if (/^\d+$/.test(at[i]) && shown.shape[i] > 1) return i;
  return -1;
}

// crossOf gives the element that all planes go through.
export function crossOf(state: State, shown: Shown, depth: number): { y: number; x: number; z: number } {
  const middle = (role: string) => Math.floor(lengthOf(shown, state.at, role) / 2);
  return { y: state.cy ?? middle('y'), x: state.cx ?? middle('x'), z: Number(state.at[depth]) };
}

// planeAt gives the positions of plane i: 1 has the depth as its rows and the
// same columns, 2 the same rows and the depth as its columns.
export function planeAt(i: number, state: State, shown: Shown, depth: number): string[] {
  const cross = crossOf(state, shown, depth);
  return state.at.map((w, k) => {
    if (k === depth) return i === 1 ? 'y' : i === 2 ? 'x' : w;
    if (i === 1 && w === 'y') return String(cross.y);
    if (i === 2 && w === 'x') return String(cross.x);
    return w;
  });
}

// planeState gives the state with the window of plane i, whose depth is seen whole.
export function planeState(i: number, state: State): State {
  if (i === 1) return { ...state, y0: null, y1: null, cy: null, cx: null };
  if (i === 2) return { ...state, x0: null, x1: null, cy: null, cx: null };
  return { ...state, cy: null, cx: null };
}

// pick gives the change of the state that moves the cross to a cell of plane i.
export function pick(i: number, state: State, shown: Shown, depth: number, y: number, x: number): Partial<State> {
  const cross = crossOf(state, shown, depth);
  const at = (z: number) => state.at.map((w, k) => (k === depth ? String(z) : w));
  if (i === 1) return { at: at(y), cy: cross.y, cx: x };
  if (i === 2) return { at: at(x), cy: y, cx: cross.x };
  return { cy: y, cx: x };
}

// drawCross draws where the other planes cut plane i.
export function drawCross(pen: Pen, pane: Pane, i: number, state: State, shown: Shown, depth: number): void {
  const c = crossOf(state, shown, depth);
  const [y, x] = i === 1 ? [c.z, c.x] : i === 2 ? [c.y, c.z] : [c.y, c.x];
  const f = pane.frame;
  const px = pane.X(x + 0.5);
  const py = pane.Y(y + 0.5);
  pen.save();
  pen.beginPath();
  pen.rect(f.left, f.top, f.w, f.h);
  pen.clip();
  for (const [width, colour] of [[3, '#000000'], [1, '#ffffff']] as const) {
    pen.globalAlpha = width > 1 ? 0.45 : 1;
    pen.lineWidth = width;
    pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(f.left, py);
    pen.lineTo(f.left + f.w, py);
    pen.moveTo(px, f.top);
    pen.lineTo(px, f.top + f.h);
    pen.stroke();
  }
  pen.restore();
}
