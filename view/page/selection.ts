// Which part of an array a question is about: field, axes and positions.

import type { ArrayInfo, Kind } from './types';
import type { State, View } from './state';
import type { Params } from './ask';

// Shown is what a view sees of an array: the whole, or one field of it.
export interface Shown {
  shape: number[];
  kind: Kind;
  dtype: string;
  dims: string[];
  pairs?: boolean;
}

export function shownOf(info: ArrayInfo, field: string): Shown {
  const f = field ? info.fields?.find((x) => x.name === field) : undefined;
  const shape = f ? [...info.shape, ...(f.shape ?? [])] : info.shape;
  const dims = shape.map((_, i) => info.dims?.[i] || 'axis ' + i);
  return { shape, kind: kindOf(f ? f.kind : info.kind), dtype: f ? f.dtype : info.dtype, dims, pairs: info.pairs && !f?.shape?.length };
}

// kindOf drops the bits of kinds such as float32.
export function kindOf(kind: string): Kind {
  return kind.replace(/\d+$/, '') as Kind;
}

const numeric = new Set<Kind>(['float', 'int', 'uint', 'bool', 'complex', 'datetime', 'timedelta']);

export function isNumeric(kind: Kind): boolean {
  return numeric.has(kind);
}

// viewsOf gives the views that can show it, the best first.
export function viewsOf(s: Shown): View[] {
  const out = plainViews(s);
  if (s.pairs && s.shape.length > 0 && (isNumeric(s.kind) || s.kind === 'record')) out.push('scatter');
  return out;
}

function plainViews(s: Shown): View[] {
  const n = s.shape.length;
  if (n === 0) return ['text'];
  if (!isNumeric(s.kind)) return ['table', 'text'];
  if (n === 1) return ['lines', 'table', 'histogram', 'text'];
  const all: View[] = ['heatmap', 'lines', 'table', 'histogram', 'text'];
  const last = s.shape[n - 1];
  if (n >= 3 && s.kind !== 'complex' && s.kind !== 'datetime' && s.kind !== 'timedelta' && s.shape.some((d) => d === 3 || d === 4)) {
    if ((last === 3 || last === 4) && s.shape[n - 2] > 4 && /^(uint8|.?u1)$/.test(s.dtype)) return ['image', ...all];
    all.splice(1, 0, 'image');
  }
  const flat = Math.min(s.shape[n - 1], s.shape[n - 2]) <= 1;
  return flat ? ['lines', 'table', ...all.filter((v) => v !== 'lines' && v !== 'table')] : all;
}

// rolesOf gives the axes a view needs.
export function rolesOf(view: View, s: Shown): string[] {
  switch (view) {
    case 'heatmap':
    case 'histogram':
    case 'scatter':
      return s.shape.length >= 2 ? ['y', 'x'] : ['x'];
    case 'image':
      return ['y', 'x', 'c'];
    case 'lines':
      return ['x'];
    case 'table':
      return s.kind === 'record' || s.shape.length < 2 ? ['y'] : ['y', 'x'];
    case 'text':
      return [];
  }
}

export const projections = ['mean', 'max', 'min', 'sum'];

// fitAt makes positions and roles fit a view: each axis has one word, each
// role occurs once, positions lie in the shape. What fits already stays.
export function fitAt(at: string[], s: Shown, view: View, cursor: (number | null)[] = []): string[] {
  const roles = rolesOf(view, s);
  const n = s.shape.length;
  const out: string[] = [];
  const taken = new Set<string>();
  for (let i = 0; i < n; i++) {
    let word = at[i] ?? '';
    const role = roles.includes(word) || (word === 's' && view === 'lines');
    if (role && !taken.has(word) && !(word === 'c' && s.shape[i] !== 3 && s.shape[i] !== 4)) {
      taken.add(word);
    } else if (projections.includes(word) && isNumeric(s.kind)) {
      // A projection stays.
    } else {
      const gone = word === 'y' ? cursor[0] : word === 'x' ? cursor[1] : null;
      const v = /^\d+$/.test(word) ? Number(word) : gone ?? NaN;
      word = Number.isNaN(v) ? '' : String(Math.min(Math.max(0, v), Math.max(0, s.shape[i] - 1)));
    }
    out.push(word);
  }
  // Channels first, which only some axes can hold, then x and y from the last.
  for (const role of ['c', 'x', 'y']) {
    if (!roles.includes(role) || taken.has(role)) continue;
    const can = (i: number) => role !== 'c' || s.shape[i] === 3 || s.shape[i] === 4;
    const find = (free: (word: string, length: number) => boolean) => {
      for (let i = n - 1; i >= 0; i--) if (can(i) && free(out[i], s.shape[i])) return i;
      return -1;
    };
    // An axis of colours or the like makes a thin picture: longer ones first.
    let pick = role === 'c' ? -1 : find((w, length) => w === '' && length > 4);
    if (pick < 0) pick = find((w) => w === '');
    if (pick < 0) pick = find((w) => !roles.includes(w));
    if (pick < 0 && role === 'c') pick = find(() => true);
    if (pick >= 0) out[pick] = role;
  }
  // Whoever lost its axis to the channels gets another one.
  for (const role of ['x', 'y']) {
    if (!roles.includes(role) || out.includes(role)) continue;
    let pick = -1;
    for (let i = n - 1; i >= 0 && pick < 0; i--) if (!roles.includes(out[i])) pick = i;
    if (pick >= 0) out[pick] = role;
  }
  ordered(out, s, at);
  return out.map((w) => (w === '' ? '0' : w));
}

// ordered puts y before x unless one has chosen otherwise.
function ordered(out: string[], s: Shown, before: string[]): void {
  const y = out.indexOf('y');
  const x = out.indexOf('x');
  if (y < 0 || x < 0 || y < x || (before[y] === 'y' && before[x] === 'x')) return;
  if (s.shape.length > 1 && before[x] !== 'x') {
    out[y] = 'x';
    out[x] = 'y';
  }
}

// lengthOf is the length of the axis with a role, or 1.
export function lengthOf(s: Shown, at: string[], role: string): number {
  const i = at.indexOf(role);
  return i < 0 ? 1 : s.shape[i];
}

// parts are those of complex numbers, '' the one without being asked for.
export const parts: [string, string][] = [['', 'magnitude'], ['phase', 'phase'], ['re', 'real'], ['im', 'imaginary']];

export const partNames: { [part: string]: string } = { abs: 'magnitude', phase: 'phase', re: 'real', im: 'imaginary', polar: 'lightness: magnitude, hue: phase' };

// textPart gives the part that texts and numbers are of, '' for whole elements:
// magnitude and phase together are a way to draw.
export function textPart(state: State): string {
  return state.part === 'polar' ? '' : state.part;
}

// seriesAsRows gives the axes with rows in place of an axis of series, of which
// a panel says which are seen.
export function seriesAsRows(state: State): string[] {
  const of = state.view === 'lines' ? 'y' : String(state.row);
  return state.at.map((w) => (w === 's' ? of : w));
}

// partSeen is the part of complex numbers that is seen, '' for whole elements:
// a picture and a line show the magnitude without being asked, a table and the
// hues of a heatmap both parts.
export function partSeen(state: State, at: string[]): string {
  if (state.view === 'heatmap' && state.part === 'polar') return '';
  const whole = (state.view === 'table' || state.view === 'text') && !at.some((w) => projections.includes(w));
  return textPart(state) || (whole ? '' : 'abs');
}

// selection gives the parameters that every question about values has.
export function selection(state: State, s: Shown, which: { f: number; e: number } = state, at: string[] = state.at): Params {
  return {
    f: which.f,
    e: which.e,
    field: state.field,
    part: s.kind === 'complex' ? textPart(state) || 'abs' : '',
    minus: state.cmp && state.mode === 'diff' ? state.cmp : '',
    raw: state.raw,
    at: at.join(','),
  };
}

// nameOf is the path of an array, or the name of a file that holds one.
export function nameOf(info: { f: number; path: string; file: string }, files: { f: number; entries: number }[]): string {
  const alone = files.find((f) => f.f === info.f)?.entries === 1;
  return info.path && !alone ? info.path : info.file.replace(/^.*[/\\]/, '');
}

// entryName is the path, after the name of the file if that is another one than the array's.
export function entryName(a: { f?: number; path: string }, info: { f: number }, files: { f: number; entries: number; name: string }[]): string {
  const f = a.f ?? info.f;
  const name = nameOf({ f, path: a.path, file: files[f]?.name ?? '' }, files);
  return f === info.f || files[f]?.entries === 1 ? name : files[f]?.name + ': ' + name;
}

// keyOf writes the name of a field as lists of keys have it.
export const keyOf = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_.]*$/u.test(name) ? name : '`' + name + '`');

// pair reads F.E.
export function pair(text: string): { f: number; e: number } | undefined {
  const m = /^(\d+)\.(\d+)$/.exec(text);
  return m ? { f: Number(m[1]), e: Number(m[2]) } : undefined;
}

// indexText writes the place of an element as NumPy indexes it.
export function indexText(at: string[], y: number, x: number): string {
  return at.map((w) => (w === 'y' ? y : w === 'x' ? x : w === 'c' ? ':' : w)).join(', ');
}
