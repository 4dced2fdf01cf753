// Lines: one or more series over a shared axis. The server sends every value
// of a short window, and first, min, max and last of each column of a long
// one, so that a spike of one sample is always drawn.

import { aborted, binary, Latest, Stopped, type Binary, type Numeric, type Params } from './ask';
import { drawAxes, type Frame } from './axes';
import { timeOf, type Time } from './calendar';
import { labelled } from './coordinates';
import { announce, button, el, icon, numberInput, select, toggle, visible, zoomButtons } from './dom';
import { gestures } from './gestures';
import type { Hub, Panel } from './hub';
import { Paper, type Pen } from './pen';
import { logTicks, short, tickText, ticks, withOffset } from './scales';
import { entryName, fitAt, isNumeric, kindOf, lengthOf, nameOf, parts, selection, shownOf } from './selection';
import type { State } from './state';
import { theme } from './theme';
import { Tooltip } from './tooltip';
import type { Coordinate, Entry } from './types';

interface Series {
  id: string;
  label: string;
  params: Params;
  colour: string;
  dash: number[];
  removable: boolean;
  dtype: string;
  n: number;
}

interface Curve {
  mode: string;
  x0: number;
  x1: number;
  arrays: { [name: string]: Numeric };
  n: number; // points or columns
  start: number; // the position of the first point
  step: number; // and from one to the next
  mono: boolean; // the x values grow
}

const ordinal = (n: number) => n + (n % 100 > 10 && n % 100 < 14 ? 'th' : ['th', 'st', 'nd', 'rd'][n % 10] ?? 'th');

const most = 8; // lines of an axis that becomes series

export class Lines implements Panel {
  readonly root: HTMLElement;
  private paper: Paper;
  private curves = new Map<string, Curve>();
  private asked = new Map<string, { key: string; latest: Latest }>();
  private frame: Frame = { left: 0, top: 0, w: 1, h: 1 };
  private win = { x0: 0, x1: 1 }; // in positions
  private ends = { x0: 0, x1: 1, y0: 0, y1: 1 }; // of the axes
  private visible = false;
  private due = false;
  private moving = false;
  private timer = 0;
  private tip = new Tooltip();
  private hover: { px: number; py: number } | null = null;
  private legend = el('div', { class: 'legend', role: 'group', 'aria-label': 'Series' });
  private legendKey = '';
  private same: Entry[] = []; // arrays of the same length, for the x axis and error bands
  private over: Entry[] = []; // arrays that lines can be added of
  private all: Entry[] = [];
  private sameOf = '';
  private pending = 0;

  constructor(private hub: Hub) {
    this.paper = new Paper(() => this.redraw());
    const canvas = this.paper.canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'application');
    canvas.setAttribute('aria-label', 'Plot of lines. Left and right arrow keys read values.');
    this.listen(canvas);
    this.root = el('div', { class: 'panel lines' }, el('div', { class: 'pane' }, canvas), this.legend, this.tip.root);
  }

  private listen(canvas: HTMLCanvasElement): void {
    const store = this.hub.store;
    gestures(canvas, {
      inside: (x, y) => x >= this.frame.left && x <= this.frame.left + this.frame.w && y >= this.frame.top && y <= this.frame.top + this.frame.h,
      tool: () => (store.now.tool === 'zoom' ? 'zoom' : 'pan'),
      pan: (dx, dy) => {
        const w = this.win;
        const d = (-dx * (w.x1 - w.x0)) / this.frame.w;
        this.setWindow(w.x0 + d, w.x1 + d);
        if (store.now.b0 !== null || Math.abs(dy) > 2 * Math.abs(dx)) this.moveY(dy / this.frame.h, 1, 0.5);
      },
      zoom: (f, px, py, axis) => {
        if (axis === 'y') {
          this.moveY(0, f, 1 - (py - this.frame.top) / this.frame.h);
          return;
        }
        const w = this.win;
        const c = this.position(px);
        const least = Math.min(4, this.length());
        const span = Math.max(least, (w.x1 - w.x0) * f);
        const g = span / (w.x1 - w.x0);
        this.setWindow(c + (w.x0 - c) * g, c + (w.x1 - c) * g);
      },
      box: (x0, y0, x1, y1) => {
        const a = this.position(Math.min(x0, x1));
        const b = this.position(Math.max(x0, x1));
        const v = [this.valueAtPixel(y0), this.valueAtPixel(y1)].sort((p, q) => p - q);
        if (b - a < 1e-6 || v[1] <= v[0]) return;
        store.set({ l0: Math.round(Math.max(0, a) * 1e4) / 1e4, l1: Math.round(Math.min(this.length(), b) * 1e4) / 1e4, b0: Number(v[0].toPrecision(8)), b1: Number(v[1].toPrecision(8)) });
      },
      hover: (px, py) => {
        this.hover = { px, py };
        this.redraw();
      },
      leave: () => {
        this.hover = null;
        this.tip.hide();
        this.redraw();
      },
      click: (px) => store.set({ cx: Math.max(0, Math.min(this.length() - 1, Math.floor(this.position(px)))) }),
      home: () => store.set({ l0: null, l1: null, b0: null, b1: null }),
      moving: (now) => {
        this.moving = now;
        if (!now) this.redraw();
      },
    });
  }

  private length(): number {
    return lengthOf(this.hub.shown, this.hub.store.now.at, 'x');
  }

  private setWindow(x0: number, x1: number): void {
    const n = this.length();
    const span = Math.min(x1 - x0, n);
    x0 = Math.max(0, Math.min(n - span, x0));
    if (span >= n) this.hub.store.set({ l0: null, l1: null });
    else this.hub.store.set({ l0: Math.round(x0 * 1e4) / 1e4, l1: Math.round((x0 + span) * 1e4) / 1e4 });
    // The next event may come before the next frame, and starts from here.
    this.place();
  }

  private place(): void {
    const s = this.hub.store.now;
    this.win = { x0: s.l0 ?? 0, x1: Math.max((s.l0 ?? 0) + 1e-3, s.l1 ?? this.length()) };
  }

  // moveY shifts the value axis by a share of it and scales it about a place.
  private moveY(shift: number, f: number, about: number): void {
    const log = this.hub.store.now.ylog;
    const to = log ? Math.log10 : (v: number) => v;
    const back = log ? (v: number) => 10 ** v : (v: number) => v;
    const a = to(this.ends.y0);
    const b = to(this.ends.y1);
    const c = a + (b - a) * about;
    const d = (b - a) * shift;
    this.ends.y0 = Number(back(c + (a - c) * f + d).toPrecision(8));
    this.ends.y1 = Number(back(c + (b - c) * f + d).toPrecision(8));
    this.hub.store.set({ b0: this.ends.y0, b1: this.ends.y1 });
  }

  // position gives the position under a point of the canvas.
  private position(px: number): number {
    const t = (px - this.frame.left) / this.frame.w;
    const s = this.hub.store.now;
    if (!s.xs) {
      if (s.xlog) {
        const a = Math.max(1, this.win.x0);
        return a * (this.win.x1 / a) ** t;
      }
      return this.win.x0 + t * (this.win.x1 - this.win.x0);
    }
    // The x values grow, or the positions are taken for even.
    const c = this.first();
    if (!c?.mono) return this.win.x0 + t * (this.win.x1 - this.win.x0);
    const v = this.xValue(t);
    let lo = 0;
    let hi = c.n - 1;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (this.xOf(c, mid) < v) lo = mid + 1;
      else hi = mid;
    }
    const x1 = this.xOf(c, lo);
    const x0 = lo > 0 ? this.xOf(c, lo - 1) : x1;
    const part = x1 > x0 ? (v - x0) / (x1 - x0) : 0;
    return c.x0 + ((lo - 1 + part + 0.5) * (c.x1 - c.x0)) / c.n;
  }

  private first(): Curve | undefined {
    return this.curves.values().next().value;
  }

  private xValue(t: number): number {
    const { x0, x1 } = this.ends;
    return this.hub.store.now.xlog && x0 > 0 ? x0 * (x1 / x0) ** t : x0 + t * (x1 - x0);
  }

  private valueAtPixel(py: number): number {
    const t = 1 - (py - this.frame.top) / this.frame.h;
    const { y0, y1 } = this.ends;
    return this.hub.store.now.ylog && y0 > 0 ? y0 * (y1 / y0) ** t : y0 + t * (y1 - y0);
  }

  // xOf gives where point i of a curve lies on the x axis.
  private xOf(c: Curve, i: number): number {
    if (c.mode === 'raw') return c.arrays.x ? c.arrays.x[i] : c.start + i * c.step;
    if (c.arrays.xmin) return (c.arrays.xmin[i] + c.arrays.xmax[i]) / 2;
    if (c.arrays.edges) return (c.arrays.edges[i] + c.arrays.edges[i + 1] - 1) / 2;
    return c.x0 + ((i + 0.5) * (c.x1 - c.x0)) / c.n - 0.5;
  }

  // rows are those of an axis of series that are drawn.
  private rows(): { y0: number; y1: number } | null {
    const s = this.hub.store.now;
    const axis = s.at.indexOf('s');
    if (axis < 0) return null;
    const n = this.hub.shown.shape[axis];
    const y0 = Math.max(0, Math.min(n - most, s.row));
    return { y0, y1: Math.min(n, y0 + most) };
  }

  // series lists what to draw: the selection, an axis of series, pinned ones
  // and the second array of a comparison.
  private series(): Series[] {
    const { store, shown, info, other } = this.hub;
    const s = store.now;
    const colours = theme().series;
    const out: Series[] = [];
    const push = (id: string, label: string, params: Params, removable: boolean, dtype: string, dash: number[] = [], n = this.length()) => {
      if (out.some((o) => o.id === id)) return;
      out.push({ id, label, params, colour: colours[out.length % colours.length], dash, removable, dtype, n });
    };
    const base = (at: string[], which: { f: number; e: number }, field = s.field) => ({ ...selection(s, shown, which, at), field });
    const index = (at: string[]) => (at.length > 1 ? '[' + at.map((w) => (w === 'x' ? ':' : w)).join(', ') + ']' : '');
    const minus = s.cmp && s.mode === 'diff' && other ? ' − ' + nameOf(other, this.hub.files) : '';
    const name = (at: string[], field: string) => (field || nameOf(info, this.hub.files)) + index(at) + minus;
    const axis = s.at.indexOf('s');
    const own: string[][] = [];
    if (axis >= 0) {
      const { y0, y1 } = this.rows()!;
      for (let k = y0; k < y1; k++) own.push(s.at.map((w, i) => (i === axis ? String(k) : w)));
    } else {
      own.push(s.at);
    }
    if (info.kind !== 'record' || s.field) for (const at of own) push('own ' + at.join(), name(at, s.field), base(at, s), false, shown.dtype);
    if (s.cmp && s.mode === 'side' && other) {
      const [f, e] = s.cmp.split('.').map(Number);
      const b = shownOf(other, s.field);
      if (isNumeric(b.kind) && b.shape.length > 0) {
        for (const one of own) {
          const at = fitAt(one, b, 'lines');
          push('other ' + at.join(), 'B: ' + nameOf(other, this.hub.files) + index(at), { ...selection(s, b, { f, e }, at) }, false, b.dtype, [6, 4], lengthOf(b, at, 'x'));
        }
      }
    }
    for (const pin of s.series) {
      const m = /^(\d+)\.(\d+)\.([^@]*)@(.*)$/.exec(pin);
      if (!m) continue;
      const at = m[4].split(',');
      const field = m[3];
      const which = { f: Number(m[1]), e: Number(m[2]) };
      if (which.f === info.f && which.e === info.e) {
        const b = shownOf(info, field);
        push(pin, name(at, field), { ...selection(s, b, which, at), field }, true, b.dtype, [], lengthOf(b, at, 'x'));
        continue;
      }
      const a = this.all.find((x) => (x.f ?? info.f) === which.f && x.e === which.e);
      if (!a) continue; // it is not known yet
      const b = { shape: a.shape, kind: kindOf(a.kind), dtype: a.dtype, dims: [] };
      push(pin, this.entryName(a) + (field ? '.' + field : '') + index(at), { ...selection(s, b, which, at), field, minus: '' }, true, a.dtype, [], lengthOf(b, at, 'x'));
    }
    return out;
  }

  private load(series: Series[]): void {
    const s = this.hub.store.now;
    const n = this.length();
    const x0 = Math.max(0, Math.floor(this.win.x0));
    const x1 = Math.min(n, Math.ceil(this.win.x1) + 1);
    const w = Math.max(50, Math.min(2000, Math.round(this.frame.w)));
    const ids = new Set(series.map((x) => x.id));
    for (const [id, a] of this.asked) {
      if (ids.has(id)) continue;
      a.latest.stop();
      this.asked.delete(id);
      this.curves.delete(id);
    }
    if (n === 0) return;
    for (const one of series) {
      if (x0 >= one.n) continue;
      const fits = one.n === n;
      const params: Params = { ...one.params, x0, x1: Math.min(x1, one.n), w, xs: fits ? s.xs : '', err: one === series[0] ? s.err : '' };
      const key = JSON.stringify(params) + this.hub.generation;
      let a = this.asked.get(one.id);
      if (!a) this.asked.set(one.id, (a = { key: '', latest: new Latest() }));
      if (a.key === key) continue;
      a.key = key;
      void this.fetch(one.id, params, a.latest.next());
    }
  }

  private async fetch(id: string, params: Params, signal: AbortSignal): Promise<void> {
    this.pending++;
    try {
      const began = performance.now();
      let { head, arrays } = binary(await this.hub.ask.bytes('line', params, signal));
      if (params.xs && Number(head.step ?? 1) > 1) ({ head, arrays } = (await this.columns(params, signal)) ?? { head, arrays });
      const first = arrays.y ?? arrays.first;
      const c: Curve = { mode: String(head.mode), x0: Number(head.x0), x1: Number(head.x1), arrays, n: first?.length ?? 0, start: Number(head.start ?? head.x0), step: Number(head.step ?? 1), mono: true };
      for (let i = 1; i < c.n && c.mono; i++) c.mono = !(this.xOf(c, i) < this.xOf(c, i - 1));
      this.curves.set(id, c);
      this.hub.status(`${c.x1 - c.x0} points as ${c.mode === 'raw' ? (c.step > 1 ? `every ${ordinal(c.step)} value` : 'every value') : c.n + ' columns of first, min, max, last'} · ${Math.round(performance.now() - began)} ms`);
    } catch (err) {
      if (!aborted(err)) {
        if (!(err instanceof Stopped)) this.curves.delete(id);
        this.hub.status('');
        this.hub.problem(err);
      }
    } finally {
      this.pending--;
    }
    this.redraw();
  }

  // columns gives a line over growing x values in columns, so that no spike is
  // lost: the columns of the line, and those of the x values beside them.
  private async columns(params: Params, signal: AbortSignal): Promise<Binary | null> {
    const [f, e, ...field] = String(params.xs).split('.');
    const [y, x] = (await Promise.all([
      this.hub.ask.bytes('line', { ...params, xs: '' }, signal),
      this.hub.ask.bytes('line', { f, e, field: field.join('.'), at: 'x', x0: params.x0, x1: params.x1, w: params.w, raw: params.raw }, signal),
    ])).map(binary);
    const { min, max } = x.arrays;
    if (y.head.mode !== 'm4' || x.head.mode !== 'm4' || min.length !== y.arrays.min.length) return null;
    for (let i = 1; i < min.length; i++) if (!(min[i] >= max[i - 1])) return null;
    y.arrays.xmin = min;
    y.arrays.xmax = max;
    return y;
  }

  show(_state: State, changed: Set<keyof State> | null): void {
    this.visible = true;
    if (!changed || changed.has('f') || changed.has('e')) {
      this.curves.clear();
      this.asked.clear();
    }
    const n = this.length();
    const key = this.hub.shown.shape.join() + ' ' + n + ' ' + this.hub.files.length + ' ' + this.hub.generation;
    if (this.sameOf !== key && n > 1) {
      this.sameOf = key;
      void this.hub.entries().then((all) => {
        this.all = all;
        const shape = this.hub.shown.shape.join();
        this.over = all.filter((a) => !a.group && isNumeric(kindOf(a.kind)) && a.shape?.join() === shape).slice(0, 100);
        this.same = all.filter((a) => !a.group && a.shape?.length === 1 && a.shape[0] === n && /^(float|int|uint|datetime|bool)/.test(a.kind)).slice(0, 100);
        this.hub.refresh();
        this.redraw();
      }, () => {});
    }
    this.draw();
  }

  hide(): void {
    this.visible = false;
    clearTimeout(this.timer);
    for (const a of this.asked.values()) a.latest.stop();
    this.asked.clear();
    this.tip.hide();
  }

  private redraw(): void {
    if (!this.visible || this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  private draw(): void {
    if (!this.visible || !this.root.isConnected || !this.paper.measure()) return;
    this.place();
    const { w, h } = this.paper;
    this.frame = { left: 72, top: 16, w: Math.max(20, w - 90), h: Math.max(20, h - 64) };
    const series = this.series();
    clearTimeout(this.timer);
    if (this.moving && this.curves.size) this.timer = window.setTimeout(() => this.load(series), 40);
    else this.load(series);
    this.measure(series);
    const { x0, x1, y0, y1 } = this.ends;
    this.paper.canvas.dataset.frame = [this.frame.left, this.frame.top, this.frame.w, this.frame.h, y0, y1, x0, x1].join(); // for tests
    this.paint(this.paper.begin(), series, true);
    this.drawLegend(series);
    this.root.dataset.state = this.pending ? 'loading' : 'exact';
  }

  // measure finds the ends of both axes.
  private measure(series: Series[]): void {
    const s = this.hub.store.now;
    let x0 = Infinity, x1 = -Infinity, y0 = Infinity, y1 = -Infinity;
    for (const one of series) {
      const c = this.curves.get(one.id);
      if (!c) continue;
      for (let i = 0; i < c.n; i++) {
        const pos = c.x0 + ((i + 0.5) * (c.x1 - c.x0)) / c.n;
        if (pos < this.win.x0 - 0.5 || pos > this.win.x1 + 0.5) continue;
        const x = this.xOf(c, i);
        if (s.xs && x - x === 0 && !(s.xlog && x <= 0)) {
          if (x < x0) x0 = x;
          if (x > x1) x1 = x;
        }
        for (const a of c.mode === 'raw' ? [c.arrays.y] : [c.arrays.min, c.arrays.max, c.arrays.low, c.arrays.high]) {
          if (!a) continue;
          const v = a[i];
          if (!(v - v === 0) || (s.ylog && v <= 0)) continue;
          const e = c.mode === 'raw' && c.arrays.err ? Math.abs(c.arrays.err[i]) || 0 : 0;
          if (v - e < y0 && !(s.ylog && v - e <= 0)) y0 = v - e;
          if (v + e > y1) y1 = v + e;
        }
      }
    }
    if (!(y0 <= y1)) [y0, y1] = s.ylog ? [0.1, 1] : [0, 1];
    if (s.ylog) {
      const pad = (y1 / y0) ** 0.05;
      y0 /= y0 === y1 ? 2 : pad;
      y1 *= y0 === y1 ? 2 : pad;
    } else {
      const pad = (y1 - y0) * 0.05 || Math.abs(y0) * 0.05 || 0.5;
      y0 -= pad;
      y1 += pad;
    }
    if (s.b0 !== null && s.b1 !== null && s.b1 > s.b0 && !(s.ylog && s.b0 <= 0)) [y0, y1] = [s.b0, s.b1];
    if (!s.xs) {
      x0 = this.win.x0;
      x1 = Math.max(x0 + 1e-3, this.win.x1 - (s.l1 === null && this.length() > 1 ? 1 : 0));
      if (s.xlog) x0 = Math.max(1, x0);
    } else if (!(x1 > x0)) {
      [x0, x1] = x0 === x1 ? [x0 - 0.5, x1 + 0.5] : [0, 1];
    }
    this.ends = { x0, x1: x1 > x0 ? x1 : x0 + 1, y0, y1 };
  }

  private X(x: number): number {
    const { x0, x1 } = this.ends;
    const t = this.hub.store.now.xlog && x0 > 0 ? Math.log(x / x0) / Math.log(x1 / x0) : (x - x0) / (x1 - x0);
    return this.frame.left + t * this.frame.w;
  }

  private Y(y: number): number {
    const { y0, y1 } = this.ends;
    const t = this.hub.store.now.ylog && y0 > 0 ? Math.log(y / y0) / Math.log(y1 / y0) : (y - y0) / (y1 - y0);
    // Far outside, a canvas would draw nothing at all.
    return this.frame.top + Math.max(-50, Math.min(50, 1 - t)) * this.frame.h;
  }

  private paint(pen: Pen, series: Series[], cursor: boolean): void {
    const s = this.hub.store.now;
    const f = this.frame;
    const { x0, x1, y0, y1 } = this.ends;
    const times = this.times(series);
    const axis = (lo: number, hi: number, n: number, log: boolean, whole: boolean, time: Time | undefined) => {
      if (time && !log) return time.ticks(lo, hi, n);
      const all = log && lo > 0 ? logTicks(lo, hi, n) : ticks(lo, hi, n).filter((v) => !whole || Number.isInteger(v));
      return { all, text: tickText(all) };
    };
    const xt = axis(x0, x1, f.w / (times.x ? 100 : 90), s.xlog, s.xs === '', times.x);
    const yt = axis(y0, y1, f.h / 45, s.ylog, false, times.y);
    const dim = this.hub.shown.dims[s.at.indexOf('x')] ?? 'position';
    const label = s.xs ? this.xsLabel() : dim;
    const value = series.some((one) => one.removable) ? '' : this.hub.named();
    const xs = xt.all.map((v) => ({ at: this.X(v), text: xt.text(v) }));
    const ys = yt.all.map((v) => ({ at: this.Y(v), text: yt.text(v) }));
    this.paper.canvas.dataset.ticks = JSON.stringify({ x: xs.map((v) => [v.text, Math.round(v.at)]), y: ys.map((v) => [v.text, Math.round(v.at)]), labels: [withOffset(label, xt.text), withOffset(value, yt.text)] }); // for tests
    drawAxes(pen, f, xs, ys, withOffset(label, xt.text), withOffset(value, yt.text), true);
    pen.save();
    pen.beginPath();
    pen.rect(f.left, f.top, f.w, f.h);
    pen.clip();
    for (const one of series) {
      const c = this.curves.get(one.id);
      if (c) this.paintCurve(pen, c, one);
    }
    if (cursor) this.paintCursor(pen, series);
    pen.restore();
    this.paintThinned(pen, series);
  }

  // xsOf describes the array of the x axis, once that is known.
  private xsOf(): Coordinate | undefined {
    const s = this.hub.store.now;
    return this.hub.coordinates.describe(s.xs, s.at.indexOf('x'));
  }

  // times are those that the values of the axes stand for.
  private times(series: Series[]): { x: Time | undefined; y: Time | undefined } {
    const { store, info } = this.hub;
    const { xs } = store.now;
    const c = xs ? this.xsOf() : undefined;
    const dtype = c?.dtype ?? this.same.find((a) => this.spec(a) === xs)?.dtype ?? info.fields?.find((a) => xs === `${info.f}.${info.e}.${a.name}`)?.dtype ?? '';
    return { x: xs ? timeOf(dtype, c?.units, c?.calendar) : undefined, y: !series.length ? undefined : series[0].removable ? timeOf(series[0].dtype) : this.hub.times() };
  }

  private xsLabel(): string {
    const c = this.xsOf();
    const { xs } = this.hub.store.now;
    if (!c) return this.xsName(xs);
    return labelled(c.label || this.xsName(xs), timeOf(c.dtype, c.units, c.calendar) ? '' : c.units);
  }

  // paintThinned says which values a line is of, unless it is of all.
  private paintThinned(pen: Pen, series: Series[]): void {
    const steps = series.map((one) => this.curves.get(one.id)?.step ?? 1);
    const step = Math.max(1, ...steps);
    this.root.dataset.thinned = step > 1 ? String(step) : ''; // for tests
    if (step === 1) return;
    const text = `only every ${ordinal(step)} value is drawn: zoom in for all`;
    pen.font = '12px ui-sans-serif, system-ui, sans-serif';
    pen.textAlign = 'right';
    pen.textBaseline = 'top';
    const f = this.frame;
    const w = pen.measureText(text).width + 12;
    pen.fillStyle = theme().back;
    pen.fillRect(f.left + f.w - w - 4, f.top + 4, w, 20);
    pen.fillStyle = theme().text;
    pen.fillText(text, f.left + f.w - 10, f.top + 8);
  }

  private paintCurve(pen: Pen, c: Curve, one: Series): void {
    pen.strokeStyle = one.colour;
    pen.fillStyle = one.colour;
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    const a = c.arrays;
    const low = c.mode === 'raw' ? (a.err ? (i: number) => a.y[i] - Math.abs(a.err[i]) : null) : a.low ? (i: number) => a.low[i] : null;
    const high = c.mode === 'raw' ? (i: number) => a.y[i] + Math.abs(a.err[i]) : (i: number) => a.high[i];
    if (low) {
      pen.globalAlpha = 0.22;
      let run: number[] = [];
      const flush = () => {
        if (run.length) {
          pen.beginPath();
          run.forEach((i, k) => (k ? pen.lineTo(this.X(this.xOf(c, i)), this.Y(high(i))) : pen.moveTo(this.X(this.xOf(c, i)), this.Y(high(i)))));
          for (let k = run.length - 1; k >= 0; k--) pen.lineTo(this.X(this.xOf(c, run[k])), this.Y(low(run[k])));
          pen.closePath();
          pen.fill();
        }
        run = [];
      };
      for (let i = 0; i < c.n; i++) {
        if (Number.isFinite(low(i)) && Number.isFinite(high(i))) run.push(i);
        else flush();
      }
      flush();
      pen.globalAlpha = 1;
    }
    pen.setLineDash(one.dash);
    pen.beginPath();
    let drawing = false;
    const alone: [number, number][] = [];
    let run = 0;
    let last: [number, number] = [0, 0];
    const to = (x: number, y: number) => {
      if (drawing) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      drawing = true;
      last = [x, y];
      run++;
    };
    const lift = () => {
      if (run === 1) alone.push(last);
      drawing = false;
      run = 0;
    };
    for (let i = 0; i < c.n; i++) {
      const x = this.X(this.xOf(c, i));
      if (c.mode === 'raw') {
        const v = a.y[i];
        if (Number.isFinite(v) && Number.isFinite(x)) to(x, this.Y(v));
        else lift();
        continue;
      }
      if (!Number.isFinite(a.min[i]) || !Number.isFinite(a.max[i]) || !Number.isFinite(x)) {
        lift();
        continue;
      }
      // From the first value over both extremes to the last, in one column.
      if (Number.isFinite(a.first[i])) to(x, this.Y(a.first[i]));
      to(x, this.Y(a.min[i]));
      to(x, this.Y(a.max[i]));
      if (Number.isFinite(a.last[i])) to(x, this.Y(a.last[i]));
    }
    lift();
    pen.stroke();
    pen.setLineDash([]);
    // Values between gaps are points, and so are all when they are few.
    const many = c.mode === 'raw' && (this.win.x1 - this.win.x0) * 12 < this.frame.w;
    if (many) for (let i = 0; i < c.n; i++) if (Number.isFinite(a.y[i])) alone.push([this.X(this.xOf(c, i)), this.Y(a.y[i])]);
    if (alone.length) {
      for (const [x, y] of alone) {
        pen.beginPath();
        pen.arc(x, y, 2.6, 0, 7);
        pen.fill();
      }
    }
  }

  private nearest(c: Curve, x: number): number {
    if (c.mono && c.n > 0) {
      let lo = 0;
      let hi = c.n - 1;
      while (lo < hi) {
        const mid = (lo + hi) >> 1;
        if (this.xOf(c, mid) < x) lo = mid + 1;
        else hi = mid;
      }
      return lo > 0 && x - this.xOf(c, lo - 1) < this.xOf(c, lo) - x ? lo - 1 : lo;
    }
    let best = 0;
    for (let i = 1; i < c.n; i++) if (Math.abs(this.xOf(c, i) - x) < Math.abs(this.xOf(c, best) - x)) best = i;
    return best;
  }

  private paintCursor(pen: Pen, series: Series[]): void {
    const s = this.hub.store.now;
    const x = this.hover ? this.xValue((this.hover.px - this.frame.left) / this.frame.w) : s.cx !== null && !s.xs ? s.cx : NaN;
    if (Number.isNaN(x)) return;
    const t = theme();
    const lines: string[] = [];
    const times = this.times(series);
    let place = '';
    for (const one of series) {
      const c = this.curves.get(one.id);
      if (!c || c.n === 0) continue;
      const i = this.nearest(c, x);
      const px = this.X(this.xOf(c, i));
      const at = Math.round(this.xOf(c, i));
      if (!place) {
        pen.strokeStyle = t.faint;
        pen.lineWidth = 1;
        pen.beginPath();
        pen.moveTo(Math.round(px) + 0.5, this.frame.top);
        pen.lineTo(Math.round(px) + 0.5, this.frame.top + this.frame.h);
        pen.stroke();
        const x = this.xOf(c, i);
        const units = times.x ? '' : this.xsOf()?.units ?? '';
        place = s.xs ? this.xsName(s.xs) + ' ' + (times.x ? times.x.text(x) : (short(x, 8) + ' ' + units).trim()) : '[' + at + ']';
      }
      const time = one === series[0] ? times.y : timeOf(one.dtype);
      const units = this.hub.info.units;
      const write = (v: number) => (time ? time.text(v) : one.removable || s.field || !units || units === '1' ? short(v, 8) : short(v, 8) + ' ' + units);
      if (c.mode === 'raw') {
        lines.push((series.length > 1 ? one.label + '  ' : '') + write(c.arrays.y[i]) + (c.arrays.err ? ' ± ' + short(c.arrays.err[i], 4) : ''));
        pen.fillStyle = one.colour;
        pen.beginPath();
        pen.arc(px, this.Y(c.arrays.y[i]), 4, 0, 7);
        pen.fill();
      } else {
        lines.push((series.length > 1 ? one.label + '  ' : '') + write(c.arrays.min[i]) + ' … ' + write(c.arrays.max[i]));
      }
    }
    if (this.hover && lines.length) {
      this.tip.fill(place, lines);
      this.tip.at(this.hover.px, this.hover.py, this.root.clientWidth, this.root.clientHeight);
    } else if (lines.length) {
      this.hub.status(place + '  ' + lines.join(' | '));
    }
  }

  private spec(a: Entry): string {
    return (a.f ?? this.hub.info.f) + '.' + a.e;
  }

  // entryName is the path, after the name of the file if that is another one.
  private entryName(a: Entry): string {
    return entryName(a, this.hub.info, this.hub.files);
  }

  private xsName(spec: string): string {
    const [f, e, ...field] = spec.split('.');
    if (field.length) return field.join('.');
    const found = this.same.find((a) => this.spec(a) === f + '.' + e);
    if (found) return this.entryName(found);
    const c = this.xsOf();
    return c && spec === this.hub.store.now.xs ? c.path : spec;
  }

  // drawLegend lists the series with what one can change about them.
  private drawLegend(series: Series[]): void {
    const s = this.hub.store.now;
    const key = JSON.stringify([series.map((x) => [x.id, x.label, x.colour]), s.series, this.same.length, this.hub.info.path]);
    if (key === this.legendKey) return;
    this.legendKey = key;
    const nodes: Node[] = series.map((one) => {
      const swatch = el('span', { class: one.dash.length ? 'swatch dashed' : 'swatch' });
      swatch.style.color = one.colour;
      return el('span', { class: 'series' }, swatch, el('span', { class: 'series-name', title: visible(one.label) }, visible(one.label)),
        one.removable && button('Remove ' + one.label, () => this.hub.store.set({ series: this.hub.store.now.series.filter((x) => x !== one.id) }), { class: 'ghost' }, icon('M4 4l8 8M12 4l-8 8')));
    });
    this.legend.replaceChildren(...nodes);
  }

  controls(): Node[] {
    const { store, info } = this.hub;
    const s = store.now;
    const numeric = (info.fields ?? []).filter((f) => /^(float|int|uint|bool|datetime|timedelta|complex)/.test(f.kind) && !(f.shape?.length));
    const own = info.f + '.' + info.e;
    const choices: [string, string][] = [
      ...(info.shape.length === 1 ? numeric.map((f): [string, string] => [own + '.' + f.name, f.name]) : []),
      ...this.same.map((a): [string, string] => [this.spec(a), this.entryName(a)]),
    ];
    const out: Node[] = [];
    if (this.hub.shown.kind === 'complex') {
      out.push(select('Part', parts, s.part === 'abs' || s.part === 'polar' ? '' : s.part, (part) => store.set({ part, b0: null, b1: null })));
    }
    if (s.at.includes('s')) out.push(numberInput('From', s.row, (v) => store.set({ row: Math.max(0, Math.floor(v ?? 0)) })));
    out.push(
      select('X from', [['', 'position'], ...choices], s.xs, (xs) => store.set({ xs })),
      select('Error', [['', 'none'], ...choices], s.err, (err) => store.set({ err })),
      toggle('Logarithmic values (l)', s.ylog, () => store.set({ ylog: !s.ylog, b0: null, b1: null }), 'log y'),
      toggle('Logarithmic x axis (k)', s.xlog, () => store.set({ xlog: !s.xlog }), 'log x'),
    );
    if (numeric.length && info.shape.length === 1) {
      const free = numeric.filter((f) => f.name !== s.field && !s.series.includes(own + '.' + f.name + '@x'));
      if (free.length) out.push(select('Add', [['', 'add a field…'], ...free.map((f): [string, string] => [own + '.' + f.name + '@x', f.name])], '', (v) => v && store.set({ series: [...store.now.series, v] })));
    } else {
      const pin = own + '.' + s.field + '@' + s.at.join(',');
      if (!s.at.includes('s')) out.push(button('Pin this line, so that it stays when another position is shown', () => store.set({ series: s.series.includes(pin) ? s.series : [...s.series, pin] }), { class: 'toggle' }, 'pin line'));
      const at = '.@' + s.at.join(',');
      const more = s.field || s.at.includes('s') ? [] : this.over.filter((a) => this.spec(a) !== own && !s.series.includes(this.spec(a) + at));
      if (more.length) out.push(select('Add', [['', 'add an array…'], ...more.map((a): [string, string] => [this.spec(a) + at, this.entryName(a)])], '', (v) => v && store.set({ series: [...store.now.series, v] })));
    }
    out.push(el('span', { class: 'group' },
      ...zoomButtons(s.tool === 'zoom', (tool) => store.set({ tool }), () => store.set({ l0: null, l1: null, b0: null, b1: null }))));
    return out;
  }

  key(e: KeyboardEvent): boolean {
    const store = this.hub.store;
    const s = store.now;
    const n = this.length();
    if (e.key === 'ArrowLeft' || e.key === 'ArrowRight') {
      const step = (e.key === 'ArrowLeft' ? -1 : 1) * (e.shiftKey ? 10 : 1) * Math.max(1, Math.floor((this.win.x1 - this.win.x0) / this.frame.w));
      const cx = Math.max(0, Math.min(n - 1, (s.cx ?? Math.floor((this.win.x0 + this.win.x1) / 2)) + step));
      this.hover = null;
      store.set({ cx });
      if (cx < this.win.x0) this.setWindow(cx, cx + this.win.x1 - this.win.x0);
      if (cx >= this.win.x1) this.setWindow(cx + 1 - (this.win.x1 - this.win.x0), cx + 1);
      const c = this.first();
      if (c && c.n) {
        const i = this.nearest(c, cx);
        announce(`[${cx}] ` + (c.mode === 'raw' ? short(c.arrays.y[i], 8) : short(c.arrays.min[i]) + ' to ' + short(c.arrays.max[i])));
      }
      return true;
    }
    const mid = (this.win.x0 + this.win.x1) / 2;
    const half = (this.win.x1 - this.win.x0) / 2;
    switch (e.key) {
      case '+':
      case '=':
        this.setWindow(mid - half * 0.7, mid + half * 0.7);
        return true;
      case '-':
        this.setWindow(mid - half / 0.7, mid + half / 0.7);
        return true;
      case 'l':
        store.set({ ylog: !s.ylog, b0: null, b1: null });
        return true;
      case 'k':
        store.set({ xlog: !s.xlog });
        return true;
    }
    return false;
  }

  seen(): Params {
    return { x0: Math.max(0, Math.floor(this.win.x0)), x1: Math.min(this.length(), Math.ceil(this.win.x1)), ...this.rows() };
  }

  // lines are the columns of a table: the positions on the x axis, the series, the errors.
  lines(): Params[] {
    const s = this.hub.store.now;
    const series = this.series();
    const beside = (spec: string): Params[] => {
      const [f, e, ...field] = spec.split('.');
      const one = this.same.find((a) => this.spec(a) === f + '.' + e);
      const at = one || this.hub.info.shape.length === 1 ? 'x' : s.at.join();
      return spec ? [{ f, e, field: field.join('.'), raw: s.raw, at, name: this.xsName(spec) }] : [];
    };
    if (!s.xs && !s.err && series.every((one) => one.id.startsWith('own'))) return [];
    return [...beside(s.xs), ...series.map((one) => ({ ...one.params, name: one.label })), ...beside(s.err)];
  }

  print(): { w: number; h: number; draw: (pen: Pen) => void } {
    const series = this.series();
    return {
      w: this.paper.w,
      h: this.paper.h + 22,
      draw: (pen) => {
        this.paint(pen, series, false);
        pen.font = '11px ui-sans-serif, system-ui, sans-serif';
        pen.textAlign = 'left';
        pen.textBaseline = 'middle';
        let left = this.frame.left;
        for (const one of series) {
          pen.fillStyle = one.colour;
          pen.fillRect(left, this.paper.h + 8, 16, 3);
          pen.fillStyle = theme().text;
          pen.fillText(visible(one.label), left + 22, this.paper.h + 10);
          left += 40 + pen.measureText(visible(one.label)).width;
        }
      },
    };
  }
}
