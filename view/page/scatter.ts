// Scatter: the elements of two arrays of one shape, or of two fields, as points
// or, where they are many, as hexagons with the number of pairs in them.

import { aborted, binary, Latest, type Numeric, type Params } from './ask';
import { drawAxes, type Frame } from './axes';
import { colourOf, type Colouring } from './colours';
import { el, numberInput, select, toggle, visible, zoomButtons } from './dom';
import { gestures } from './gestures';
import type { Hub, Panel } from './hub';
import { Paper, type Pen } from './pen';
import { timeOf } from './calendar';
import { count, short, tickText, ticks, withOffset } from './scales';
import { entryName, isNumeric, kindOf, lengthOf, nameOf, partSeen } from './selection';
import { estimated } from './spread';
import type { State } from './state';
import { theme } from './theme';
import { Tooltip } from './tooltip';
import type { Entry } from './types';

interface Pairs {
  exact: boolean;
  elements: number;
  columns: number;
  rows: number;
  x: [number, number];
  y: [number, number];
  counts: Numeric;
  xs?: Numeric;
  ys?: Numeric;
}

const pointsMax = 5000; // pairs that the server sends as they are

export class Scatter implements Panel {
  readonly root: HTMLElement;
  private paper: Paper;
  private frame: Frame = { left: 78, top: 16, w: 1, h: 1 };
  private pairs: Pairs | null = null;
  private whole: Pairs | null = null; // of all values, which gives the ends of the axes
  private latest = new Latest();
  private asked = '';
  private agreed = '';
  private timer = 0;
  private visible = false;
  private moving = false;
  private due = false;
  private pending = false;
  private tip = new Tooltip();
  private same: Entry[] = [];
  private sameOf = '';
  private note = el('span', { class: 'note' });

  constructor(private hub: Hub) {
    this.paper = new Paper(() => this.redraw());
    const canvas = this.paper.canvas;
    canvas.tabIndex = 0;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Scatter plot of two arrays');
    this.root = el('div', { class: 'panel' }, el('div', { class: 'pane' }, canvas), this.tip.root);
    const { store } = hub;
    gestures(canvas, {
      inside: (x, y) => x >= this.frame.left && x <= this.frame.left + this.frame.w && y >= this.frame.top && y <= this.frame.top + this.frame.h,
      tool: () => (store.now.tool === 'zoom' ? 'zoom' : 'pan'),
      pan: (dx, dy) => {
        const { x, y } = this.ends();
        const sx = (-dx / this.frame.w) * (x[1] - x[0]);
        const sy = (dy / this.frame.h) * (y[1] - y[0]);
        this.set(x[0] + sx, x[1] + sx, y[0] + sy, y[1] + sy);
      },
      zoom: (f, px, py, axis) => {
        const { x, y } = this.ends();
        const at = this.value(px, py);
        const fx = axis === 'y' ? 1 : f;
        const fy = axis === 'x' ? 1 : f;
        this.set(at.x + (x[0] - at.x) * fx, at.x + (x[1] - at.x) * fx, at.y + (y[0] - at.y) * fy, at.y + (y[1] - at.y) * fy);
      },
      box: (px0, py0, px1, py1) => {
        const a = this.value(px0, py0);
        const b = this.value(px1, py1);
        this.set(Math.min(a.x, b.x), Math.max(a.x, b.x), Math.min(a.y, b.y), Math.max(a.y, b.y));
      },
      hover: (px, py) => this.hover(px, py),
      leave: () => this.tip.hide(),
      click: () => {},
      home: () => store.set({ a0: null, a1: null, d0: null, d1: null }),
      moving: (now) => {
        this.moving = now;
        if (!now) this.redraw();
      },
    });
  }

  private set(a0: number, a1: number, d0: number, d1: number): void {
    const r = (v: number) => Number(v.toPrecision(8));
    if (r(a1) > r(a0) && r(d1) > r(d0) && [a0, a1, d0, d1].every((v) => Math.abs(v) < 1e300)) this.hub.store.set({ a0: r(a0), a1: r(a1), d0: r(d0), d1: r(d1) });
  }

  // choices are the arrays and fields that go with each other, as F.E.field.
  private choices(): [string, string][] {
    const { info, files } = this.hub;
    const own = info.f + '.' + info.e;
    if (info.kind === 'record') return (info.fields ?? []).filter((f) => isNumeric(kindOf(f.kind)) && !f.shape?.length).map((f) => [own + '.' + f.name, f.name]);
    return [[own, nameOf(info, files)], ...this.same.filter((a) => a.shape.join() === info.shape.join() && (a.f ?? info.f) + '.' + a.e !== own).map((a): [string, string] => [(a.f ?? info.f) + '.' + a.e, entryName(a, info, files)])];
  }

  // specs are the two arrays that are shown: those of the state, as far as they
  // are there, else the first ones.
  private specs(): { x: string; y: string } {
    const s = this.hub.store.now;
    const { info } = this.hub;
    const all = this.choices().map(([spec]) => spec);
    const field = info.kind === 'record' && s.field ? info.f + '.' + info.e + '.' + s.field : '';
    const x = all.includes(s.sx) ? s.sx : field || (all[0] ?? '');
    const y = all.includes(s.sy) ? s.sy : all.find((spec) => spec !== x) ?? '';
    return { x, y };
  }

  private named(spec: string): { name: string; dtype: string } {
    const { info } = this.hub;
    const field = spec.split('.').slice(2).join('.');
    const name = this.choices().find(([v]) => v === spec)?.[1] ?? spec;
    if (field) return { name, dtype: info.fields?.find((f) => f.name === field)?.dtype ?? '' };
    return { name, dtype: this.same.find((a) => (a.f ?? info.f) + '.' + a.e === spec)?.dtype ?? info.dtype };
  }

  show(_state: State, changed: Set<keyof State> | null): void {
    this.visible = true;
    if (!changed) this.asked = '';
    const { info, generation } = this.hub;
    const key = info.kind + info.shape.join() + ' ' + info.f + generation;
    if (this.sameOf !== key && info.kind !== 'record') {
      this.sameOf = key;
      void this.hub.entries().then((all) => {
        this.same = all.filter((a) => !a.group && isNumeric(kindOf(a.kind)) && a.shape?.join() === info.shape.join()).slice(0, 200);
        this.hub.refresh();
        this.redraw();
      }, () => {});
    }
    this.draw();
  }

  hide(): void {
    this.visible = false;
    clearTimeout(this.timer);
    this.latest.stop();
    this.asked = '';
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

  // ends gives the ends of both axes.
  private ends(): { x: [number, number]; y: [number, number] } {
    const s = this.hub.store.now;
    const of = (a: number | null, b: number | null, v: [number, number] | undefined): [number, number] => (a !== null && b !== null && b > a ? [a, b] : v ?? [0, 1]);
    return { x: of(s.a0, s.a1, this.whole?.x), y: of(s.d0, s.d1, this.whole?.y) };
  }

  // elements is the number of pairs.
  private elements(): number {
    const { store, shown } = this.hub;
    return store.now.at.reduce((n, w, i) => n * (/^[yx]$/.test(w) ? shown.shape[i] : 1), 1);
  }

  private bytes(): number {
    const { info } = this.hub;
    return 2 * this.elements() * (info.nbytes / (info.shape.reduce((a, b) => a * b, 1) || 1));
  }

  private params(): Params {
    const s = this.hub.store.now;
    const { x, y } = this.specs();
    return { x, y, at: s.at.join(), raw: s.raw, part: partSeen(s, s.at), hexes: s.hexes, hexrows: Math.max(1, Math.min(400, Math.round(((s.hexes / Math.sqrt(3)) * this.frame.h) / this.frame.w))) };
  }

  private load(): void {
    const { x, y } = this.specs();
    if (!x || !y) return;
    const s = this.hub.store.now;
    const base = this.params();
    const zoomed = s.a0 !== null && s.a1 !== null && s.d0 !== null && s.d1 !== null && s.a1 > s.a0 && s.d1 > s.d0;
    const params: Params = zoomed ? { ...base, x0: s.a0, x1: s.a1, y0: s.d0, y1: s.d1 } : base;
    const exact = this.bytes() <= 512 << 20 || this.agreed === x + y;
    const key = JSON.stringify(params) + this.hub.generation + exact;
    if (key === this.asked) return;
    const other = JSON.stringify({ x, y, at: base.at, raw: base.raw, part: base.part }) + this.hub.generation;
    if (other !== this.of) this.pairs = this.whole = null;
    this.of = other;
    this.asked = key;
    clearTimeout(this.timer);
    const signal = this.latest.next();
    // The points of a few pairs are all here already.
    if (zoomed && this.whole?.xs && !this.hexagons()) {
      this.pending = false;
      return;
    }
    this.pending = true;
    const go = () => void this.fetch(params, zoomed, exact, signal);
    if (this.moving && this.pairs) this.timer = window.setTimeout(go, 80);
    else go();
  }
  private of = '';

  private async fetch(params: Params, zoomed: boolean, exact: boolean, signal: AbortSignal): Promise<void> {
    try {
      if (zoomed && !this.whole) {
        const { x0: _x0, x1: _x1, y0: _y0, y1: _y1, ...all } = params;
        this.whole = await this.ask({ ...all, quick: 1 }, signal);
      }
      for (const quick of [1, 0]) {
        const p = await this.ask({ ...params, quick }, signal);
        this.pairs = p;
        if (!zoomed) this.whole = p;
        this.redraw();
        if (p.exact || !exact) break;
      }
      this.hub.status(`${count(this.pairs!.elements)} pairs`);
    } catch (err) {
      if (aborted(err)) return;
      this.pairs = null;
      this.hub.status('');
      this.hub.problem(err);
    }
    this.pending = false;
    this.redraw();
  }

  private async ask(params: Params, signal: AbortSignal): Promise<Pairs> {
    const { head, arrays } = binary(await this.hub.ask.bytes('pairs', params, signal));
    return { ...(head as unknown as Pairs), counts: arrays.counts, xs: arrays.x, ys: arrays.y };
  }

  // hexagons tells whether hexagons are drawn, and no points.
  private hexagons(): boolean {
    const s = this.hub.store.now;
    return s.marks === 'hexagons' || this.elements() > pointsMax;
  }

  private X(v: number): number {
    const { x } = this.ends();
    return this.frame.left + ((v - x[0]) / (x[1] - x[0])) * this.frame.w;
  }

  private Y(v: number): number {
    const { y } = this.ends();
    return this.frame.top + (1 - (v - y[0]) / (y[1] - y[0])) * this.frame.h;
  }

  private value(px: number, py: number): { x: number; y: number } {
    const { x, y } = this.ends();
    return { x: x[0] + ((px - this.frame.left) / this.frame.w) * (x[1] - x[0]), y: y[0] + (1 - (py - this.frame.top) / this.frame.h) * (y[1] - y[0]) };
  }

  // middle gives the middle of a hexagon.
  private middle(p: Pairs, i: number): { x: number; y: number } {
    const first = (p.columns + 1) * (p.rows + 1);
    const [u, v] = i < first ? [Math.floor(i / (p.rows + 1)), i % (p.rows + 1)] : [Math.floor((i - first) / p.rows) + 0.5, ((i - first) % p.rows) + 0.5];
    return { x: p.x[0] + (u / p.columns) * (p.x[1] - p.x[0]), y: p.y[0] + (v / p.rows) * (p.y[1] - p.y[0]) };
  }

  private draw(): void {
    if (!this.visible || !this.root.isConnected || !this.paper.measure()) return;
    const { w, h } = this.paper;
    this.frame = { left: 78, top: 16, w: Math.max(20, w - 100), h: Math.max(20, h - 66) };
    this.load();
    this.paint(this.paper.begin());
    this.root.dataset.state = this.pending ? 'loading' : 'exact';
    const p = this.pairs;
    this.root.dataset.counts = p ? p.counts.join() : ''; // for tests
    const { x, y } = this.specs();
    const most = p && this.hexagons() ? `up to ${count(this.most(p))} in a hexagon` : '';
    this.note.replaceChildren(y ? most : 'no other array has this shape', ...(p && !p.exact && !this.pending ? [' ', estimated(this.bytes(), () => {
      this.agreed = x + y;
      this.redraw();
    })] : []));
  }

  private most(p: Pairs): number {
    let most = 0;
    for (const n of p.counts) most = Math.max(most, n);
    return most;
  }

  private paint(pen: Pen): void {
    const f = this.frame;
    const { x, y } = this.ends();
    const specs = this.specs();
    const [xs, ys] = [this.named(specs.x), this.named(specs.y)];
    const tick = (lo: number, hi: number, n: number, dtype: string) => {
      const moments = timeOf(dtype)?.ticks(lo, hi, n);
      const all = moments?.all ?? ticks(lo, hi, n);
      const text = moments?.text ?? tickText(all);
      return { all, plain: moments ? undefined : text, text };
    };
    const tx = tick(x[0], x[1], f.w / 90, xs.dtype);
    const ty = tick(y[0], y[1], f.h / 45, ys.dtype);
    const p = this.pairs;
    pen.save();
    pen.beginPath();
    pen.rect(f.left, f.top, f.w, f.h);
    pen.clip();
    if (p && this.hexagons()) this.paintHexagons(pen, p);
    else if (!this.hexagons() && this.whole?.xs) this.paintPoints(pen, this.whole);
    pen.restore();
    drawAxes(pen, f, tx.all.map((v) => ({ at: this.X(v), text: tx.text(v) })), ty.all.map((v) => ({ at: this.Y(v), text: ty.text(v) })), withOffset(visible(xs.name), tx.plain), withOffset(visible(ys.name), ty.plain), this.hub.store.now.grid);
  }

  private paintPoints(pen: Pen, p: Pairs): void {
    pen.fillStyle = theme().series[0];
    pen.globalAlpha = p.elements > 500 ? 0.45 : 0.8;
    for (let i = 0; i < p.xs!.length; i++) {
      const px = this.X(p.xs![i]);
      const py = this.Y(p.ys![i]);
      if (!(Math.abs(px) < 1e5) || !(Math.abs(py) < 1e5)) continue;
      pen.beginPath();
      pen.arc(px, py, 2.5, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
  }

  private paintHexagons(pen: Pen, p: Pairs): void {
    const s = this.hub.store.now;
    const c: Colouring = { map: s.map || 'viridis', rev: s.rev, scale: s.ylog ? 'log' : 'linear', lo: s.ylog ? 1 : 0, hi: Math.max(2, this.most(p)), tol: 0, over: false, polar: false };
    const colour = colourOf(c);
    // Half the distance of middles along x, and a third of it along y.
    const rx = Math.abs(this.X(p.x[0] + (p.x[1] - p.x[0]) / p.columns) - this.X(p.x[0])) / 2 + 0.3;
    const ry = Math.abs(this.Y(p.y[0] + (p.y[1] - p.y[0]) / p.rows) - this.Y(p.y[0])) / 3 + 0.3;
    for (let i = 0; i < p.counts.length; i++) {
      if (!p.counts[i]) continue;
      const m = this.middle(p, i);
      const [px, py] = [this.X(m.x), this.Y(m.y)];
      const v = colour(p.counts[i]);
      pen.fillStyle = `rgb(${v & 255},${(v >> 8) & 255},${(v >> 16) & 255})`;
      pen.beginPath();
      pen.moveTo(px, py - ry);
      pen.lineTo(px + rx, py - ry / 2);
      pen.lineTo(px + rx, py + ry / 2);
      pen.lineTo(px, py + ry);
      pen.lineTo(px - rx, py + ry / 2);
      pen.lineTo(px - rx, py - ry / 2);
      pen.closePath();
      pen.fill();
    }
  }

  private hover(px: number, py: number): void {
    const p = this.pairs;
    const specs = this.specs();
    if (!p) return;
    const write = (spec: string, v: number) => {
      const { name, dtype } = this.named(spec);
      return name + '  ' + (timeOf(dtype)?.text(v) ?? short(v, 8));
    };
    let best = -1;
    let least = this.hexagons() ? Infinity : 100;
    const q = this.hexagons() ? p : this.whole ?? p;
    const n = this.hexagons() ? q.counts.length : q.xs!.length;
    for (let i = 0; i < n; i++) {
      const m = this.hexagons() ? this.middle(q, i) : { x: q.xs![i], y: q.ys![i] };
      const d = (this.X(m.x) - px) ** 2 + (this.Y(m.y) - py) ** 2;
      if (d < least) [best, least] = [i, d];
    }
    if (best < 0) {
      this.tip.hide();
      return;
    }
    const m = this.hexagons() ? this.middle(q, best) : { x: q.xs![best], y: q.ys![best] };
    const lines = [write(specs.x, m.x), write(specs.y, m.y)];
    if (this.hexagons()) this.tip.fill('around', [...lines, count(q.counts[best]) + (q.counts[best] === 1 ? ' pair' : ' pairs')]);
    else this.tip.fill('[' + this.index(best) + ']', lines);
    this.tip.at(px, py, this.root.clientWidth, this.root.clientHeight);
  }

  // index writes the place of a pair.
  private index(i: number): string {
    const { store, shown } = this.hub;
    const at = store.now.at;
    const n = [...at].map((w, k) => (/^[yx]$/.test(w) ? shown.shape[k] : 1));
    const out: string[] = [];
    for (let k = at.length - 1; k >= 0; k--) {
      out.unshift(/^[yx]$/.test(at[k]) ? String(i % n[k]) : at[k]);
      i = Math.floor(i / n[k]);
    }
    return out.join(', ');
  }

  controls(): Node[] {
    const { store } = this.hub;
    const s = store.now;
    const { x, y } = this.specs();
    const choices = this.choices();
    const clear = { a0: null, a1: null, d0: null, d1: null };
    const out: Node[] = [
      select('X', choices, x, (sx) => store.set({ sx, sy: y, ...clear })),
      select('Y', choices, y, (sy) => store.set({ sx: x, sy, ...clear })),
      select('Marks', [['', 'auto'], ['hexagons', 'hexagons']], s.marks, (marks) => store.set({ marks })),
      ...(this.hexagons() ? [
        numberInput('In a row', s.hexes, (v) => store.set({ hexes: Math.max(2, Math.min(400, Math.round(v ?? 40))) })),
        toggle('Logarithmic colours (l)', s.ylog, () => store.set({ ylog: !s.ylog }), 'log colours'),
      ] : []),
      el('span', { class: 'group' },
        ...zoomButtons(s.tool === 'zoom', (tool) => store.set({ tool }), () => store.set(clear))),
      this.note,
    ];
    return out;
  }

  key(e: KeyboardEvent): boolean {
    if (e.key === 'l') this.hub.store.set({ ylog: !this.hub.store.now.ylog });
    else if (e.key === 'h' || e.key === 'Home') this.hub.store.set({ a0: null, a1: null, d0: null, d1: null });
    else return false;
    return true;
  }

  seen(): Params {
    const { store, shown } = this.hub;
    const at = store.now.at;
    return at.includes('y') ? { y0: 0, y1: lengthOf(shown, at, 'y'), x0: 0, x1: lengthOf(shown, at, 'x') } : { x0: 0, x1: lengthOf(shown, at, 'x') };
  }

  lines(): Params[] {
    const s = this.hub.store.now;
    const { x, y } = this.specs();
    return x && y ? [x, y].map((spec) => {
      const [f, e, ...field] = spec.split('.');
      const { name, dtype } = this.named(spec);
      return { f, e, field: field.join('.'), raw: s.raw, at: s.at.join(), name, part: /complex|c(8|16)$/.test(dtype) ? partSeen(s, s.at) || 'abs' : '' };
    }) : [];
  }

  print(): { w: number; h: number; draw: (pen: Pen) => void } {
    return { w: this.paper.w, h: this.paper.h, draw: (pen) => this.paint(pen) };
  }
}
