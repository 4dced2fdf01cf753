// All that one sees is in the address, so that an address shares it.

export type View = 'heatmap' | 'image' | 'lines' | 'table' | 'histogram' | 'text' | 'scatter';

export interface State {
  f: number;
  e: number;
  field: string;
  part: string;
  raw: boolean; // packed elements as they are stored
  at: string[]; // one word per axis: a position, y, x, c, s, mean, max, min or sum
  view: View;
  // pictures
  y0: number | null;
  y1: number | null;
  x0: number | null;
  x1: number | null;
  how: string;
  map: string;
  rev: boolean;
  scale: string;
  clip: string; // percent cut from each end of the domain, or nothing for as many as there are far outliers
  lo: number | null;
  hi: number | null;
  over: boolean; // mark values outside of the domain
  aspect: string;
  up: boolean; // the first row at the bottom
  // lines
  l0: number | null;
  l1: number | null;
  b0: number | null;
  b1: number | null;
  xs: string;
  err: string;
  series: string[];
  ax: string[]; // the coordinates of each axis: found ones, - for positions, or F.E
  xlog: boolean;
  ylog: boolean;
  // histogram
  bins: number;
  h0: number | null; // its range
  h1: number | null;
  // scatter
  sx: string; // F.E.field of the x axis and of the y axis
  sy: string;
  marks: string; // hexagons, or points if they are few
  hexes: number; // in a row
  a0: number | null; // ends of the x axis and of the y axis
  a1: number | null;
  d0: number | null;
  d1: number | null;
  // both
  grid: boolean;
  tool: string; // what a drag does: pan, zoom, box, line or path
  // table and cursor
  row: number;
  col: number;
  cy: number | null;
  cx: number | null;
  where: string;
  sort: string;
  // groups of rows
  by: string;
  aggs: string;
  pivot: string;
  gorder: string;
  // comparison
  cmp: string; // F.E of the second array
  mode: string; // side or diff
  tol: number;
  planes: boolean; // three planes through the cursor
  theme: string;
  speed: number; // positions a second while an axis is played
  reg: string; // what a tool has drawn: box, line or path, and its corners y,x;y,x…
}

export const initial: State = {
  f: 0, e: 0, field: '', part: '', raw: false, at: [], view: 'heatmap',
  y0: null, y1: null, x0: null, x1: null, how: 'mean', map: '', rev: false, scale: 'linear', clip: '', lo: null, hi: null, over: false, aspect: 'auto', up: false,
  l0: null, l1: null, b0: null, b1: null, xs: '', err: '', series: [], ax: [], xlog: false, ylog: false,
  grid: false, tool: 'pan', row: 0, col: 0, cy: null, cx: null, where: '', sort: '', by: '', aggs: '', pivot: '', gorder: '',
  cmp: '', mode: 'side', tol: 0, planes: false, theme: '', speed: 8, reg: '', bins: 64, h0: null, h1: null, sx: '', sy: '', marks: '', hexes: 40, a0: null, a1: null, d0: null, d1: null,
};

// plainRows forgets the groups of rows.
export const plainRows: Partial<State> = { by: '', aggs: '', pivot: '', gorder: '' };

type Key = keyof State;
type Listener = (now: State, changed: Set<Key>) => void;

export function encode(s: State): string {
  const parts: string[] = [];
  for (const key of Object.keys(initial) as Key[]) {
    const value = s[key];
    const text = Array.isArray(value) ? value.join(key === 'series' ? '~' : ',') : value === null ? '' : value === true ? '1' : value === false ? '' : String(value);
    const plain = initial[key];
    const usual = Array.isArray(plain) ? '' : plain === null ? '' : plain === true ? '1' : plain === false ? '' : String(plain);
    if (text !== usual || key === 'view') parts.push(key + '=' + encodeURIComponent(text).replaceAll('%2C', ',').replaceAll('%3A', ':'));
  }
  return parts.join('&');
}

export function decode(hash: string): Partial<State> {
  const out: { [key: string]: unknown } = {};
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  for (const key of Object.keys(initial) as Key[]) {
    const text = params.get(key);
    if (text === null) continue;
    const plain = initial[key];
    if (Array.isArray(plain)) out[key] = text === '' ? [] : text.split(key === 'series' ? '~' : ',');
    else if (typeof plain === 'boolean') out[key] = text === '1';
    else if (plain === null || typeof plain === 'number') {
      const v = Number(text);
      if (text !== '' && Number.isFinite(v)) out[key] = v;
    } else out[key] = text;
  }
  return out as Partial<State>;
}

export class Store {
  now: State;
  private listeners: Listener[] = [];
  private changed = new Set<Key>();
  private due = false;
  private timer = 0;
  private written = '';
  given: Set<Key> | null = null; // what the address says, while the state is from there

  constructor() {
    const read = (hash: string) => {
      const state = decode(hash);
      this.given = new Set(Object.keys(state) as Key[]);
      return { ...initial, ...state };
    };
    this.now = read(location.hash);
    // The page may have written its own address since, so the one of the event counts.
    addEventListener('hashchange', (event) => {
      const { hash } = new URL(event.newURL);
      if (hash.slice(1) !== this.written) this.set(read(hash));
    });
  }

  listen(l: Listener): void {
    this.listeners.push(l);
  }

  // set changes the state at once; the listeners hear of it in the next frame.
  set(patch: Partial<State>): void {
    let any = false;
    for (const key of Object.keys(patch) as Key[]) {
      if (String(this.now[key]) === String(patch[key])) continue;
      any = true;
      this.changed.add(key);
    }
    if (!any) return;
    this.now = { ...this.now, ...patch };
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => this.tell());
  }

  private tell(): void {
    this.due = false;
    const changed = this.changed;
    this.changed = new Set();
    for (const l of this.listeners) l(this.now, changed);
    // Browsers refuse more than about 20 changes of the address a second.
    this.timer ||= window.setTimeout(() => this.write(), 200);
  }

  write(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.written = encode(this.now);
    history.replaceState(null, '', '#' + this.written);
  }
}
