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

// outlying tells whether nearly all values take less than a fifth of the range of all.
export const outlying = (all: [number, number], most: [number, number]): boolean => most[1] > most[0] && all[1] - all[0] > 5 * (most[1] - most[0]);

const ends = new WeakMap<Picture, [number, number]>();

// pixelEnds gives the values between which all but 0.2 % of the pixels are.
export function pixelEnds(pictures: (Picture | null)[]): [number, number] {
  let [lo, hi] = [Infinity, -Infinity];
  for (const p of pictures) {
    if (!p) continue;
    let e = ends.get(p);
    if (!e) {
      const step = Math.max(1, Math.floor(p.values.length / 100000));
      const sorted = Float64Array.from(p.values.filter((v, i) => i % step === 0 && v - v === 0)).sort();
      const at = (q: number) => sorted[Math.round(q * (sorted.length - 1))];
      ends.set(p, (e = sorted.length ? [at(0.001), at(0.999)] : [Infinity, -Infinity]));
    }
    [lo, hi] = [Math.min(lo, e[0]), Math.max(hi, e[1])];
  }
  return [lo, hi];
}

// domainOf estimates the ends of the elements by the values of the pixels, of
// those above 0 for log scales.
export function domainOf(pictures: (Picture | null)[], positive: boolean): [number, number] {
  let [lo, hi] = [Infinity, -Infinity];
  for (const p of pictures) {
    for (const v of p?.values ?? []) {
      if (!(v - v === 0) || (positive && v <= 0)) continue;
      if (v < lo) lo = v;
      if (v > hi) hi = v;
    }
  }
  return lo <= hi ? [lo, hi] : [positive ? 0.1 : 0, 1];
}
