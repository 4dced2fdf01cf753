// Pictures of a window as the server sends them, and their pixels.

import { binary, type Asker, type Numeric, type Params } from './ask';
import { paint, paintChannels, polarOf, type Colouring } from './colours';
import type { Window } from './types';

export interface Picture extends Window {
  h: number;
  w: number;
  exact: boolean;
  how: string;
  min: number; // of the elements, which may lie beyond the means of pixels
  max: number;
  nan: number;
  channels: number;
  values: Numeric;
  phase: Float32Array | null; // of complex numbers, whose magnitudes are the values
  canvas: HTMLCanvasElement;
  coloured: string; // what it was painted with
}

// askPicture asks for a picture. That of complex numbers as magnitude and phase
// comes in two, so that a pixel of many cells has both of their mean.
export async function askPicture(ask: Asker, params: Params, signal: AbortSignal): Promise<Picture> {
  if (params.part === 'polar') {
    const [p, im] = await Promise.all(['re', 'im'].map((part) => askPicture(ask, { ...params, part }, signal)));
    const phase = new Float32Array(p.values.length);
    const values = new Float32Array(p.values.length);
    for (let i = 0; i < values.length; i++) {
      values[i] = Math.hypot(p.values[i], im.values[i]);
      phase[i] = Math.atan2(im.values[i], p.values[i]);
    }
    return { ...p, values, phase, exact: p.exact && im.exact, min: NaN, max: NaN };
  }
  const { head, arrays } = binary(await ask.bytes('picture', params, signal));
  const p = head as unknown as Picture;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, p.w);
  canvas.height = Math.max(1, p.h);
  const whole = head as { [name: string]: unknown };
  return {
    h: p.h, w: p.w, y0: p.y0, y1: p.y1, x0: p.x0, x1: p.x1, exact: p.exact, how: p.how, nan: p.nan,
    min: Number(whole.min ?? NaN), max: Number(whole.max ?? NaN), channels: Number(whole.channels ?? 1) || 1,
    values: arrays.values ?? new Float32Array(0), phase: null, canvas, coloured: '',
  };
}

// colour paints a picture unless it has these colours already.
export function colour(p: Picture, c: Colouring): void {
  const key = p.channels > 1 ? c.lo + ' ' + c.hi : Object.values(c).join(' ');
  if (p.coloured === key || p.w === 0 || p.h === 0) return;
  p.coloured = key;
  const pen = p.canvas.getContext('2d')!;
  const image = pen.createImageData(p.w, p.h);
  const pixels = new Uint32Array(image.data.buffer);
  if (p.channels > 1) paintChannels(p.values, p.channels, pixels, c.lo, c.hi);
  else if (p.phase) {
    const polar = polarOf(c);
    for (let i = 0; i < pixels.length; i++) pixels[i] = polar(p.values[i], p.phase[i]);
  } else paint(p.values, pixels, c);
  pen.putImageData(image, 0, 0);
}

// indexOf gives the pixel over a cell, or -1.
function indexOf(p: Picture, y: number, x: number): number {
  if (y < p.y0 || y >= p.y1 || x < p.x0 || x >= p.x1 || p.channels > 1) return -1;
  const r = Math.min(p.h - 1, Math.floor(((y + 0.5 - p.y0) / (p.y1 - p.y0)) * p.h));
  const c = Math.min(p.w - 1, Math.floor(((x + 0.5 - p.x0) / (p.x1 - p.x0)) * p.w));
  return r * p.w + c;
}

// valueAt gives the value of the pixel over a cell.
export function valueAt(p: Picture, y: number, x: number): number {
  const i = indexOf(p, y, x);
  return i < 0 ? NaN : p.values[i];
}

// phaseAt gives the phase of the pixel over a cell.
export function phaseAt(p: Picture, y: number, x: number): number {
  const i = indexOf(p, y, x);
  return i < 0 || !p.phase ? NaN : p.phase[i];
}

// perCell tells whether each pixel is one cell.
export function perCell(p: Picture): boolean {
  return p.h >= p.y1 - p.y0 && p.w >= p.x1 - p.x0;
}

const outlying = 5; // times the range of nearly all values

// autoDomain gives the ends of a picture's values, without the outermost 0.1 %
// where they take most of the range.
export function autoDomain(pictures: (Picture | null)[], positive: boolean): [number, number] {
  const all = domainOf(pictures, 0, positive);
  if (positive) return all; // a logarithm keeps outliers near
  const most = domainOf(pictures, 0.1, false);
  return most[1] > most[0] && all[1] - all[0] > outlying * (most[1] - most[0]) ? most : all;
}

// domainOf gives the ends of a picture's values, with a share of percent cut
// off each end, as log scales need them when positive is set.
export function domainOf(pictures: (Picture | null)[], percent: number, positive: boolean): [number, number] {
  let lo = Infinity;
  let hi = -Infinity;
  const sample: number[] = [];
  for (const p of pictures) {
    if (!p) continue;
    if (percent === 0 && !positive && p.channels === 1 && !p.phase && p.min <= p.max) {
      lo = Math.min(lo, p.min);
      hi = Math.max(hi, p.max);
      continue;
    }
    const step = percent > 0 ? Math.max(1, Math.floor(p.values.length / 100000)) : 1;
    for (let i = 0; i < p.values.length; i += step) {
      const v = p.values[i];
      if (!(v - v === 0) || (positive && v <= 0)) continue;
      if (v < lo) lo = v;
      if (v > hi) hi = v;
      if (percent > 0) sample.push(v);
    }
  }
  if (percent > 0 && sample.length) {
    const sorted = Float64Array.from(sample).sort();
    const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.max(0, Math.round(q * (sorted.length - 1))))];
    lo = at(percent / 100);
    hi = at(1 - percent / 100);
  }
  return lo <= hi ? [lo, hi] : [positive ? 0.1 : 0, 1];
}
