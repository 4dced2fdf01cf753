// The heatmap and the image: one pane, or two side by side with one window.

import type { Params } from './ask';
import { ColourBar } from './colourbar';
import { diverging, maps, type Colouring } from './colours';
import { announce, el, icon, select, toggle, numberInput, zoomButtons } from './dom';
import { gestures } from './gestures';
import type { Hub, Panel } from './hub';
import { Pane, type Subject } from './pane';
import type { Pen } from './pen';
import type { Region } from './region';
import { drawRegion, regionText } from './shape';
import { domainOf, outlying, pixelEnds, perCell } from './picture';
import { candidate, depthOf, drawCross, pick, planeAt, planeState } from './planes';
import { count, digitsFor, short } from './scales';
import { estimated, Spread } from './spread';
import { fitAt, indexText, lengthOf, nameOf, pair, partNames, parts, projections, selection, shownOf, textPart, viewsOf } from './selection';
import type { State } from './state';
import { theme } from './theme';
import { Tooltip } from './tooltip';
import { labelled } from './coordinates';
import { timeOf } from './calendar';

export class Heatmap implements Panel {
  readonly root: HTMLElement;
  private panes: Pane[] = [];
  private spreads: Spread[] = [];
  private holders: HTMLElement[] = [];
  private bar: ColourBar;
  private colouring: Colouring = { map: 'viridis', rev: false, scale: 'linear', lo: 0, hi: 1, tol: 0, over: false, polar: false };
  private moving = false;
  private due = false;
  private visible = false;
  private region: Region | null = null; // once its script has come
  private asked = false;
  private drawing = ''; // a region that one is drawing
  private tip: Tooltip;
  private hovered: { pane: Pane; y: number; x: number } | null = null;
  private counted = el('span', { class: 'note' });

  constructor(private hub: Hub) {
    this.bar = new ColourBar(hub.store);
    this.tip = new Tooltip();
    const stage = el('div', { class: 'panes' });
    for (let i = 0; i < 3; i++) {
      const pane = new Pane(hub, () => this.redraw(), () => this.redraw(true));
      const canvas = pane.paper.canvas;
      canvas.tabIndex = 0;
      canvas.setAttribute('role', 'application');
      canvas.setAttribute('aria-label', i === 0 ? 'Picture of the array. Arrow keys move a cursor that reads values.' : i === 1 ? 'Picture of the second array, or of a plane across the first.' : 'Picture of another plane.');
      canvas.dataset.pane = String(i);
      this.listen(pane);
      this.spreads.push(new Spread(hub, () => this.redraw()));
      const holder = el('div', { class: 'pane' }, canvas);
      this.panes.push(pane);
      this.holders.push(holder);
      stage.append(holder);
    }
    this.root = el('div', { class: 'panel heatmap' }, el('div', { class: 'picture-row' }, stage, this.bar.root), this.tip.root);
  }

  private listen(pane: Pane): void {
    const store = this.hub.store;
    gestures(pane.paper.canvas, {
      inside: (x, y) => pane.inside(x, y),
      tool: () => store.now.tool,
      pan: (dx, dy) => {
        const w = pane.win;
        const y = (-dy * (w.y1 - w.y0)) / pane.frame.h * (store.now.up ? -1 : 1);
        const x = (-dx * (w.x1 - w.x0)) / pane.frame.w;
        this.setWindow(pane, w.y0 + y, w.y1 + y, w.x0 + x, w.x1 + x);
      },
      zoom: (factor, px, py, axis) => this.zoom(pane, factor, px, py, axis),
      draw: (places, done) => this.drawn(pane, store.now.tool, places, done),
      box: (x0, y0, x1, y1) => {
        const a = pane.cellAt(x0, y0);
        const b = pane.cellAt(x1, y1);
        if (store.now.tool === 'box') {
          this.drawn(pane, 'box', [{ x: x0, y: y0 }, { x: x1, y: y1 }], true);
          return;
        }
        this.setWindow(pane, Math.min(a.y, b.y), Math.max(a.y, b.y), Math.min(a.x, b.x), Math.max(a.x, b.x));
      },
      hover: (px, py) => this.hover(pane, px, py),
      leave: () => {
        this.hovered = null;
        this.tip.hide();
      },
      click: (px, py) => {
        const c = this.cell(pane, px, py);
        const depth = this.depth();
        store.set(depth < 0 ? { cy: c.y, cx: c.x } : pick(this.panes.indexOf(pane), store.now, this.hub.shown, depth, c.y, c.x));
      },
      home: () => store.set({ y0: null, y1: null, x0: null, x1: null }),
      moving: (now) => {
        this.moving = now;
        if (!now) this.redraw();
      },
    });
  }

  // drawn takes a region that one has drawn, or is drawing.
  private drawn(pane: Pane, kind: string, places: { x: number; y: number }[], done: boolean): void {
    const { ny, nx } = this.size();
    const text = places.length < 2 ? '' : regionText(kind, places.map((p) => pane.cellAt(p.x, p.y)), ny, nx);
    this.drawing = done ? '' : text;
    if (done && text) this.hub.store.set({ reg: text });
    else this.redraw();
  }

  private zoom(pane: Pane, factor: number, px: number, py: number, axis: string): void {
    const w = pane.win;
    const c = pane.cellAt(px, py);
    const { ny, nx } = this.size(pane);
    // Two cells are seen at least, and a little more than everything at most.
    const fit = (f: number, span: number, n: number) => Math.min((Math.max(n, 4) * 1.25) / span, Math.max(f, Math.min(1, 2 / span)));
    const equal = this.equal(this.hub.store.now);
    const both = equal || axis === 'xy';
    let fy = both || axis === 'y' ? factor : 1;
    let fx = both || axis === 'x' ? factor : 1;
    if (equal) {
      fy = fx = factor > 1 ? Math.min(factor, Math.max(fit(factor, w.y1 - w.y0, ny), fit(factor, w.x1 - w.x0, nx))) : Math.max(factor, Math.min(fit(factor, w.y1 - w.y0, ny), 1));
    } else {
      fy = fit(fy, w.y1 - w.y0, ny);
      fx = fit(fx, w.x1 - w.x0, nx);
    }
    this.setWindow(pane, c.y + (w.y0 - c.y) * fy, c.y + (w.y1 - c.y) * fy, c.x + (w.x0 - c.x) * fx, c.x + (w.x1 - c.x) * fx);
  }

  // setWindow moves the window, whose centre stays over the array.
  private setWindow(pane: Pane, y0: number, y1: number, x0: number, x1: number): void {
    // A plane across the picture moves the window of the axis that both have.
    if (this.depth() >= 0 && pane !== this.panes[0]) {
      const w = this.panes[0].win;
      if (pane === this.panes[1]) [y0, y1] = [w.y0, w.y1];
      else [x0, x1] = [w.x0, w.x1];
    }
    const { ny, nx } = this.size();
    const shift = (a: number, b: number, n: number) => {
      const mid = (a + b) / 2;
      return mid < 0 ? -mid : mid > n ? n - mid : 0;
    };
    const dy = shift(y0, y1, ny);
    const dx = shift(x0, x1, nx);
    const r = (v: number) => Math.round(v * 1e4) / 1e4;
    if (!(y1 - y0 > 1e-3) || !(x1 - x0 > 1e-3)) return;
    if (y0 <= 0 && y1 >= ny && x0 <= 0 && x1 >= nx && !this.moving) this.hub.store.set({ y0: null, y1: null, x0: null, x1: null });
    else this.hub.store.set({ y0: r(y0 + dy), y1: r(y1 + dy), x0: r(x0 + dx), x1: r(x1 + dx) });
    // The next event may come before the next frame, and starts from here.
    const equal = this.equal(this.hub.store.now);
    for (const [i, pane] of this.active().entries()) this.place(pane, i, equal);
  }

  // depth is the axis that three planes are along, or -1.
  private depth(): number {
    return depthOf(this.hub.store.now, this.hub.shown);
  }

  private place(pane: Pane, i: number, equal: boolean): void {
    const s = this.hub.store.now;
    if (this.depth() < 0) pane.place(this.subject(i), s, equal);
    else pane.place(this.subject(i), planeState(i, s), equal && i === 0);
  }

  private size(pane?: Pane): { ny: number; nx: number } {
    if (pane && this.depth() >= 0) return this.subject(this.panes.indexOf(pane));
    const s = this.hub.shown;
    const at = this.hub.store.now.at;
    return { ny: lengthOf(s, at, 'y'), nx: lengthOf(s, at, 'x') };
  }

  private equal(state: State): boolean {
    if (state.aspect !== 'auto') return state.aspect === 'equal';
    const { ny, nx } = this.size();
    return ny > 0 && nx > 0 && Math.max(ny / nx, nx / ny) <= 6;
  }

  private cell(pane: Pane, px: number, py: number): { y: number; x: number } {
    const c = pane.cellAt(px, py);
    const { ny, nx } = this.size(pane);
    return { y: Math.max(0, Math.min(ny - 1, Math.floor(c.y))), x: Math.max(0, Math.min(nx - 1, Math.floor(c.x))) };
  }

  private hover(pane: Pane, px: number, py: number): void {
    const p = pane.cellAt(px, py);
    const { ny, nx } = this.size(pane);
    if (p.y < 0 || p.x < 0 || p.y >= ny || p.x >= nx) {
      this.tip.hide();
      this.hovered = null;
      return;
    }
    const c = this.cell(pane, px, py);
    this.hovered = { pane, ...c };
    const box = pane.paper.canvas.getBoundingClientRect();
    const root = this.root.getBoundingClientRect();
    this.tip.at(px + box.left - root.left, py + box.top - root.top, root.width, root.height);
    this.fillTip();
    this.tip.later(() => this.exact(c.y, c.x, pane));
  }

  private exact(y: number, x: number, of = this.panes[0]): void {
    const s = this.hub.store.now;
    for (const pane of this.depth() < 0 ? this.active() : [of]) {
      const subject = this.subject(this.panes.indexOf(pane));
      if (s.at.some((w) => projections.includes(w)) || y >= subject.ny || x >= subject.nx) continue;
      if (s.view === 'image') {
        pane.wantPixel(subject, y, x);
        continue;
      }
      pane.texts.use(subject.cells, this.hub.generation);
      pane.texts.want(y, y + 1, x, x + 1, subject.ny, subject.nx);
    }
    this.fillTip();
  }

  private textOf(pane: Pane, y: number, x: number): string {
    const state = this.hub.store.now;
    if (state.view === 'image') {
      const exact = pane.pixelAt(y, x);
      if (exact) return exact.join('  ');
      const p = pane.now;
      if (!p || y < p.y0 || y >= p.y1 || x < p.x0 || x >= p.x1) return '';
      const k = (Math.min(p.h - 1, Math.floor(((y + 0.5 - p.y0) / (p.y1 - p.y0)) * p.h)) * p.w + Math.min(p.w - 1, Math.floor(((x + 0.5 - p.x0) / (p.x1 - p.x0)) * p.w))) * p.channels;
      return '≈ ' + Array.from(p.values.slice(k, k + p.channels)).map((v) => short(v)).join('  ');
    }
    const text = pane.texts.at(y, x);
    if (text) return text;
    return '≈ ' + short(pane.valueAt(y, x), digitsFor(this.colouring.lo, this.colouring.hi, 6));
  }

  // withUnits writes a value with its units, or as the moment that it stands for.
  private withUnits(text: string): string {
    const { info, store } = this.hub;
    if (!text || store.now.field || store.now.view === 'image') return text;
    const time = timeOf('', info.units, info.calendar); // the texts of datetime64 are dates
    const v = Number(text.replace('≈ ', ''));
    if (time && v === v) return `${text}: ${time.text(v)}`;
    return text + (info.units && info.units !== '1' && !time && text !== 'nan' ? ' ' + info.units : '');
  }

  private fillTip(): void {
    const h = this.hovered;
    if (!h) return;
    const planes = this.depth() >= 0;
    const at = planes ? String(this.subject(this.panes.indexOf(h.pane)).params.at).split(',') : this.hub.store.now.at;
    this.tip.fill('[' + indexText(at, h.y, h.x) + ']', (planes ? [h.pane] : this.active()).map((p) => this.withUnits(this.textOf(p, h.y, h.x))), this.hub.coordinates.place(at, h.y, h.x));
  }

  private active(): Pane[] {
    const s = this.hub.store.now;
    const other = this.hub.other && shownOf(this.hub.other, s.field);
    if (this.depth() >= 0) return this.panes;
    return this.panes.slice(0, s.cmp && s.mode === 'side' && other && viewsOf(other).includes(s.view) ? 2 : 1);
  }

  private subject(i: number): Subject {
    const { store, shown, info, other } = this.hub;
    const s = store.now;
    const depth = this.depth();
    const two = i === 1 && depth < 0; // side by side
    const second = two && other ? pair(s.cmp)! : s;
    const mine = two && other ? shownOf(other, s.field) : shown;
    const at = two ? fitAt(s.at, mine, s.view) : depth < 0 ? s.at : planeAt(i, s, shown, depth);
    const params = selection(s, mine, second, at);
    if (two) params.minus = '';
    const ny = lengthOf(mine, at, 'y');
    const nx = lengthOf(mine, at, 'x');
    const name = two && other ? other : info;
    const slice = at.map((w, k) => (w === 'y' || w === 'x' || w === 'c' ? ':' : w)).join(', ');
    const place = name === info ? this.hub.coordinates.place(at).join(', ') : '';
    const long = s.field ? '' : labelled(name.label, unitsOf(name));
    const title = (long ? long + ' · ' : '') + nameOf(name, this.hub.files) + (s.field ? '.' + s.field : '') + '[' + slice + ']' + (params.minus && other ? ' − ' + nameOf(other, this.hub.files) : '') + (shown.kind === 'complex' ? ' · ' + partNames[s.part || 'abs'] : '') + (place ? ' · ' + place : '');
    const cells: Params = { ...params, part: shown.kind === 'complex' ? textPart(s) : '' };
    const along = (role: string) => (mine === shown || mine.shape.join() === shown.shape.join() ? this.hub.coordinates.along(at.indexOf(role)) : null);
    const polar = this.polar();
    if (polar) params.part = 'polar';
    return { params, cells, ny, nx, yLabel: mine.dims[at.indexOf('y')] ?? '', xLabel: mine.dims[at.indexOf('x')] ?? '', title, yAlong: along('y'), xAlong: along('x'), how: polar && s.how !== 'nearest' ? 'mean' : s.how };
  }

  // polar tells whether complex numbers are shown as hue and lightness.
  private polar(): boolean {
    const { shown, store } = this.hub;
    return shown.kind === 'complex' && store.now.part === 'polar' && store.now.view === 'heatmap';
  }

  show(_state: State, changed: Set<keyof State> | null): void {
    this.visible = true;
    if (!changed) for (const p of [...this.panes, ...this.spreads]) p.forget();
    this.redraw(true);
  }

  hide(): void {
    this.visible = false;
    clearTimeout(this.reading);
    for (const p of this.panes) p.stop();
    for (const p of this.spreads) p.forget();
    this.region?.stop();
    this.tip.hide();
  }

  private redraw(now = false): void {
    if (!this.visible) return;
    if (now) this.draw();
    else if (!this.due) {
      this.due = true;
      requestAnimationFrame(() => {
        this.due = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    if (!this.visible || !this.root.isConnected) return;
    const state = this.hub.store.now;
    const active = this.active();
    for (const [i, holder] of this.holders.entries()) holder.hidden = i >= active.length;
    this.holders[0].parentElement!.classList.toggle('three', active.length > 2);
    this.bar.root.hidden = state.view === 'image' && this.panes[0].now?.values instanceof Uint8Array;
    this.guess = false;
    this.colouring = this.colours(state);
    const equal = this.equal(state);
    for (const [i, pane] of active.entries()) {
      if (!pane.paper.measure()) continue;
      this.place(pane, i, equal);
      pane.load(this.moving);
      const pen = pane.paper.begin();
      pane.draw(pen, this.colouring, this.depth() < 0 ? state : planeState(i, state));
      this.outline(pen, pane, i);
    }
    const subject = this.subject(0);
    if (state.reg && !this.region) void this.loadRegion();
    this.region?.show(subject, this.bytes(0) / (subject.ny * subject.nx || 1));
    if (!this.bar.root.hidden) this.bar.show(this.colouring, active.map((p) => p.now), (edges) => this.counts(edges), this.hub.named(), this.hub.times());
    this.bar.say(this.guess ? estimated(Math.max(...active.map((_, i) => this.bytes(i))), () => active.forEach((_, i) => this.spreads[i].agree(this.subject(i).params))) : null);
    this.note(state);
    if (this.hovered) this.fillTip();
    this.root.dataset.state = active.some((p) => p.pending) ? 'loading' : 'exact';
  }

  private async loadRegion(): Promise<void> {
    if (this.asked) return;
    this.asked = true;
    try {
      const { Region } = await import('./more');
      this.region = new Region(this.hub, () => this.redraw());
      this.root.append(this.region.root);
      this.redraw();
    } catch (err) {
      this.hub.problem(err);
    }
  }

  private outline(pen: Pen, pane: Pane, i: number): void {
    const depth = this.depth();
    if (depth >= 0) drawCross(pen, pane, i, this.hub.store.now, this.hub.shown, depth);
    if (i > 0) return; // the region is of the first
    const { ny, nx } = this.subject(i);
    drawRegion(pen, pane, this.drawing || this.hub.store.now.reg, ny, nx);
    const place = this.region?.place();
    if (!place || this.region!.root.hidden) return;
    pen.fillStyle = theme().series[0];
    pen.beginPath();
    pen.arc(pane.X(place.x + 0.5), pane.Y(place.y + 0.5), 5, 0, 7);
    pen.fill();
  }

  // note counts the pixels that differ by more than the tolerance.
  private note(state: State): void {
    const p = this.panes[0].now;
    if (!(state.cmp && state.mode === 'diff' && p)) {
      this.counted.textContent = '';
      return;
    }
    let over = 0;
    for (const v of p.values) if (!(Math.abs(v) <= state.tol)) over++;
    this.counted.textContent = over === 0 ? 'no pixel differs' : `${count(over)} of ${count(p.values.length)} pixels differ`;
  }

  private guess = false; // the ends of the colours or the counts are estimated

  // bytes is the size of a slice.
  private bytes(i: number): number {
    const { info, other, shown, store } = this.hub;
    const of = i === 1 && other && this.depth() < 0 ? other : info;
    const { ny, nx } = this.subject(i);
    const item = of.nbytes / (of.shape.reduce((a, b) => a * b, 1) || 1);
    return ny * nx * item * (store.now.view === 'image' ? lengthOf(shown, store.now.at, 'c') : 1);
  }

  // counts gives the number of elements of what is seen between edges.
  private counts(edges: number[]): number[] | null {
    const out = new Array<number>(edges.length - 1).fill(0);
    const active = this.active();
    if (active.every((p) => p.now && perCell(p.now))) return null; // the pixels are the elements
    for (const [i, pane] of active.entries()) {
      const p = pane.now;
      const got = p && this.spreads[i].count(this.subject(i).params, { y0: Math.max(0, p.y0), y1: p.y1, x0: p.x0, x1: p.x1 }, edges, this.bytes(i));
      if (!got?.counts) {
        this.guess = true;
        return null;
      }
      if (!got.exact) this.guess = true;
      got.counts.forEach((n, k) => (out[k] += n));
    }
    return out;
  }

  // domain gives the ends of the elements of the slices. Those of the pixels
  // stand in for them until they come.
  private domain(percent: number, positive: boolean): [number, number] {
    const active = this.active();
    const pictures = active.map((p) => p.whole ?? p.now);
    const ends: [number, number] = [Infinity, -Infinity];
    for (const [i, pane] of active.entries()) {
      const p = pictures[i];
      if (!p) continue;
      const plain = percent === 0 && !positive && p.channels === 1 && !p.phase;
      // The exact picture of all is still to come, or is there.
      if (plain && (p.exact || pane.whole === pane.now)) {
        if (!p.exact) this.guess = true;
        if (p.min <= p.max) [ends[0], ends[1]] = [Math.min(ends[0], p.min), Math.max(ends[1], p.max)];
        continue;
      }
      const got = this.spreads[i].ask(this.subject(i).params, percent, positive, this.bytes(i));
      if (!got?.exact) this.guess = true;
      if (!got) return domainOf(pictures, positive);
      ends[0] = Math.min(ends[0], got.low ?? Infinity);
      ends[1] = Math.max(ends[1], got.high ?? -Infinity);
    }
    return ends[0] <= ends[1] ? ends : domainOf([], positive);
  }

  // auto gives the ends without the outermost 0.1 % where they take most of the
  // range. The pixels tell whether it may be so, before the elements are asked.
  private auto(positive: boolean): [number, number] {
    const all = this.domain(0, positive);
    const pictures = this.active().map((p) => p.whole ?? p.now);
    // A logarithm keeps outliers near.
    if (positive || pictures.some((p) => p?.phase) || !outlying(all, pixelEnds(pictures))) return all;
    const most = this.domain(0.1, false);
    return outlying(all, most) ? most : all;
  }

  private colours(state: State): Colouring {
    const diff = state.cmp !== '' && state.mode === 'diff';
    const phase = this.hub.shown.kind === 'complex' && state.part === 'phase';
    let [lo, hi] = [0, 1];
    if (state.view === 'image') {
      if (!this.bar.root.hidden) [lo, hi] = this.domain(Number(state.clip), false);
      if (Number(state.clip) === 0) {
        const f = this.hub.shown.kind === 'float';
        lo = Math.min(0, lo);
        hi = f ? Math.max(1, hi) : hi > 255 ? 65535 : 255;
      }
    } else if (this.hub.shown.kind === 'bool' && !diff) {
      [lo, hi] = [0, 1];
    } else if (phase) {
      [lo, hi] = [-Math.PI, Math.PI];
    } else {
      [lo, hi] = state.clip ? this.domain(Number(state.clip), state.scale === 'log') : this.auto(state.scale === 'log');
    }
    const map = state.map || (diff ? 'RdBu' : phase ? 'twilight' : 'viridis');
    if (this.polar()) lo = state.scale === 'log' ? lo : 0; // black is no magnitude
    else if (diverging(map) && state.scale !== 'log' && lo < 0 && hi > 0 || diff) {
      hi = Math.max(Math.abs(lo), Math.abs(hi));
      lo = -hi;
    }
    // One value alone is in the middle of the colours.
    if (lo === hi) {
      const d = Math.abs(lo) * 0.01 || 1;
      lo -= d;
      hi += d;
    }
    lo = state.lo ?? lo;
    hi = state.hi ?? hi;
    if (state.scale === 'log' && !(lo > 0)) lo = hi > 0 ? hi / 1e6 : 1e-6;
    if (!(hi > lo)) hi = lo === 0 ? 1 : lo + Math.abs(lo) * 1e-3;
    return { map, rev: state.rev !== (map === 'RdBu'), scale: state.view === 'image' ? 'linear' : state.scale, lo, hi, tol: diff ? state.tol : 0, over: state.over && state.view !== 'image', polar: this.polar() };
  }

  controls(): Node[] {
    const store = this.hub.store;
    const s = store.now;
    const groups: [string, string][] = maps.map((m) => [m.name, m.name + (m.safe ? '' : ' ⚠ not colour-blind safe')]);
    const out: Node[] = [];
    if (s.view === 'heatmap') {
      const polar = this.polar();
      if (!polar) out.push(
        select('Map', [['', 'auto'], ...groups], s.map, (map) => store.set({ map })),
        toggle('Reverse the colours', s.rev, () => store.set({ rev: !store.now.rev }), icon('M4 3v9m0 0l-2.500-2.500M4 12l2.500-2.500M11 13V4m0 0L8.500 6.500M11 4l2.500 2.500')),
      );
      out.push(
        select('Scale', ['linear', 'log', 'symlog', 'sqrt'].map((v) => [v, v]), s.scale, (scale) => store.set({ scale, lo: null, hi: null })),
      );
    }
    const bytes = s.view === 'image' && /^(uint8|.?u1)$/.test(this.hub.shown.dtype);
    if (!bytes) out.push(select('Domain', [['', 'auto'], ['0', 'min – max'], ['0.1', '0.1 – 99.9 %'], ['1', '1 – 99 %'], ['2', '2 – 98 %'], ['5', '5 – 95 %']], s.clip, (clip) => store.set({ clip, lo: null, hi: null })));
    if (s.view === 'heatmap') out.push(select('Pixel', (this.polar() ? ['mean', 'nearest'] : ['mean', 'max', 'min', 'nearest']).map((v): [string, string] => [v, v]), s.how, (how) => store.set({ how })));
    out.push(this.tools());
    out.push(
      select('Aspect', [['auto', 'auto'], ['equal', 'equal'], ['fill', 'fill']], s.aspect, (aspect) => store.set({ aspect, y0: null, y1: null, x0: null, x1: null })),
      el('span', { class: 'group' },
        s.view === 'heatmap' ? toggle('Mark values outside of the colours: blue below, red above', s.over, () => store.set({ over: !store.now.over }), icon('M8 2.500l6 11H2zM8 6.500v3M8 11.500v.2')) : '',
        toggle('First row at the bottom', s.up, () => store.set({ up: !store.now.up }), icon('M3 13h10M8 11V3m0 0L5 6m3-3l3 3')),
        toggle('Grid (g)', s.grid, () => store.set({ grid: !store.now.grid }), icon('M2.500 6h11M2.500 10h11M6 2.500v11M10 2.500v11')),
        ...zoomButtons(s.tool === 'zoom', (tool) => store.set({ tool }), () => store.set({ y0: null, y1: null, x0: null, x1: null, lo: null, hi: null })),
      ),
    );
    if (this.hub.shown.kind === 'complex') {
      out.unshift(select('Part', [...parts, ['polar', 'magnitude and phase']], s.part === 'abs' ? '' : s.part, (part) => store.set({ part, lo: null, hi: null })));
    }
    if (s.cmp && s.mode === 'diff') out.push(numberInput('Tolerance', s.tol, (v) => store.set({ tol: Math.abs(v ?? 0) })), this.counted);
    return out;
  }

  // tools is the menu of what one can draw on the picture.
  private tools(): Node {
    const { store } = this.hub;
    const s = store.now;
    const options: [string, string][] = [['', 'tools…'], ['box', 'statistics of a box'], ['line', 'profile along a line'], ['path', 'profile along a path']];
    if (s.view === 'heatmap' && candidate(s.at, this.hub.shown) >= 0) options.push(['planes', 'three planes']);
    const now = s.planes ? 'planes' : options.some(([v]) => v === s.tool) ? s.tool : '';
    const menu = select('Tools', s.view === 'image' ? options.slice(0, 2) : options, now, (v) => {
      const planes = v === 'planes';
      store.set({ tool: planes ? 'pan' : v || 'pan', planes, reg: '' });
      this.hub.status(planes ? 'click where the planes cross; Escape ends' : v ? 'drag over the picture; Escape ends' : '');
    });
    menu.classList.add('bare');
    return menu;
  }

  key(e: KeyboardEvent): boolean {
    const store = this.hub.store;
    const s = store.now;
    const { ny, nx } = this.size();
    const arrows: { [key: string]: [number, number] } = { ArrowUp: [s.up ? 1 : -1, 0], ArrowDown: [s.up ? -1 : 1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const move = arrows[e.key];
    const pane = this.panes[0];
    if (move) {
      const step = e.shiftKey ? 10 : 1;
      const w = pane.win;
      const y = Math.max(0, Math.min(ny - 1, (s.cy ?? Math.floor((w.y0 + w.y1) / 2)) + move[0] * step));
      const x = Math.max(0, Math.min(nx - 1, (s.cx ?? Math.floor((w.x0 + w.x1) / 2)) + move[1] * step));
      store.set({ cy: y, cx: x });
      // The window follows the cursor.
      const dy = y < w.y0 ? y - w.y0 : y + 1 > w.y1 ? y + 1 - w.y1 : 0;
      const dx = x < w.x0 ? x - w.x0 : x + 1 > w.x1 ? x + 1 - w.x1 : 0;
      if (dy || dx) this.setWindow(pane, w.y0 + dy, w.y1 + dy, w.x0 + dx, w.x1 + dx);
      this.read(y, x);
      return true;
    }
    const mid = { x: pane.frame.left + pane.frame.w / 2, y: pane.frame.top + pane.frame.h / 2 };
    switch (e.key) {
      case '+':
      case '=':
        this.zoom(pane, 0.7, mid.x, mid.y, 'xy');
        return true;
      case '-':
        this.zoom(pane, 1 / 0.7, mid.x, mid.y, 'xy');
        return true;
      case 'l':
        store.set({ scale: s.scale === 'log' ? 'linear' : 'log', lo: null, hi: null });
        return true;
      case 'Escape':
        store.set(s.reg || /^(box|line|path)$/.test(s.tool) ? { reg: '', tool: 'pan' } : s.planes ? { planes: false } : { cy: null, cx: null });
        return true;
    }
    return false;
  }

  // read says the value under the cursor when its exact text has come.
  private reading = 0;
  private read(y: number, x: number): void {
    clearTimeout(this.reading);
    let tries = 0;
    const say = () => {
      this.exact(y, x);
      const text = this.textOf(this.panes[0], y, x);
      if (text.startsWith('≈') && tries++ < 10) {
        this.reading = window.setTimeout(say, 60);
        return;
      }
      const place = '[' + indexText(this.hub.store.now.at, y, x) + '] ';
      announce(place + text);
      this.hub.status(place + this.active().map((p) => this.textOf(p, y, x)).join(' | '));
    };
    this.reading = window.setTimeout(say, 40);
  }

  seen(): Params {
    const w = this.panes[0].win;
    const { ny, nx } = this.size();
    const cut = (v: number, n: number) => Math.min(n, Math.max(0, v));
    return { y0: cut(Math.floor(w.y0), ny), y1: cut(Math.ceil(w.y1), ny), x0: cut(Math.floor(w.x0), nx), x1: cut(Math.ceil(w.x1), nx) };
  }

  // also gives the other planes, for export.
  also(): Params[] {
    if (this.depth() < 0) return [];
    return [1, 2].map((i) => {
      const { params, ny, nx } = this.subject(i);
      const w = this.panes[i].win;
      const cut = (v: number, n: number) => Math.min(n, Math.max(0, v));
      return { at: params.at, y0: cut(Math.floor(w.y0), ny), y1: cut(Math.ceil(w.y1), ny), x0: cut(Math.floor(w.x0), nx), x1: cut(Math.ceil(w.x1), nx) };
    });
  }

  print(): { w: number; h: number; draw: (pen: Pen) => void } {
    const active = this.active();
    const wide = this.bar.root.hidden ? 0 : 110;
    const stage = this.holders[0].parentElement!;
    const w = stage.clientWidth;
    return {
      w: w + wide,
      h: stage.clientHeight,
      draw: (pen) => {
        for (const [i, pane] of active.entries()) {
          pen.save();
          pen.translate(this.holders[i].offsetLeft - stage.offsetLeft, this.holders[i].offsetTop - stage.offsetTop);
          pane.draw(pen, this.colouring, { ...this.hub.store.now, cy: null });
          this.outline(pen, pane, i);
          pen.restore();
        }
        if (wide) this.bar.paint(pen, w, active[0].frame.top, active[0].frame.h);
      },
    };
  }
}

// unitsOf gives the units of an array, or nothing for times, which have dates.
function unitsOf(info: { units: string; calendar: string }): string {
  return timeOf('', info.units, info.calendar) ? '' : info.units;
}
