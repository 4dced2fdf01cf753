// The heatmap and the image: one pane, or two side by side with one window.

import type { Params } from './ask';
import { ColourBar } from './colourbar';
import { diverging, maps, type Colouring } from './colours';
import { announce, button, el, icon, select, toggle, numberInput } from './dom';
import { gestures } from './gestures';
import type { Hub, Panel } from './hub';
import { Pane, type Subject } from './pane';
import type { Pen } from './pen';
import { autoDomain, domainOf } from './picture';
import { count, digitsFor, short } from './scales';
import { fitAt, indexText, lengthOf, nameOf, pair, partNames, parts, projections, selection, shownOf, textPart, viewsOf } from './selection';
import type { State } from './state';
import { Tooltip } from './tooltip';
import { labelled } from './coordinates';
import { timeOf } from './calendar';

export class Heatmap implements Panel {
  readonly root: HTMLElement;
  private panes: Pane[] = [];
  private holders: HTMLElement[] = [];
  private bar: ColourBar;
  private colouring: Colouring = { map: 'viridis', rev: false, scale: 'linear', lo: 0, hi: 1, tol: 0, over: false, polar: false };
  private moving = false;
  private due = false;
  private visible = false;
  private tip: Tooltip;
  private hovered: { pane: Pane; y: number; x: number } | null = null;
  private counted = el('span', { class: 'note' });

  constructor(private hub: Hub) {
    this.bar = new ColourBar(hub.store);
    this.tip = new Tooltip();
    const stage = el('div', { class: 'panes' });
    for (let i = 0; i < 2; i++) {
      const pane = new Pane(hub, () => this.redraw(), () => this.redraw(true));
      const canvas = pane.paper.canvas;
      canvas.tabIndex = 0;
      canvas.setAttribute('role', 'application');
      canvas.setAttribute('aria-label', i === 0 ? 'Picture of the array. Arrow keys move a cursor that reads values.' : 'Picture of the second array.');
      canvas.dataset.pane = String(i);
      this.listen(pane);
      const holder = el('div', { class: 'pane' }, canvas);
      this.panes.push(pane);
      this.holders.push(holder);
      stage.append(holder);
    }
    this.root = el('div', { class: 'panel heatmap' }, stage, this.bar.root, this.tip.root);
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
        this.setWindow(w.y0 + y, w.y1 + y, w.x0 + x, w.x1 + x);
      },
      zoom: (factor, px, py, axis) => this.zoom(pane, factor, px, py, axis),
      box: (x0, y0, x1, y1) => {
        const a = pane.cellAt(x0, y0);
        const b = pane.cellAt(x1, y1);
        this.setWindow(Math.min(a.y, b.y), Math.max(a.y, b.y), Math.min(a.x, b.x), Math.max(a.x, b.x));
      },
      hover: (px, py) => this.hover(pane, px, py),
      leave: () => {
        this.hovered = null;
        this.tip.hide();
      },
      click: (px, py) => {
        const c = this.cell(pane, px, py);
        store.set({ cy: c.y, cx: c.x });
      },
      home: () => store.set({ y0: null, y1: null, x0: null, x1: null }),
      moving: (now) => {
        this.moving = now;
        if (!now) this.redraw();
      },
    });
  }

  private zoom(pane: Pane, factor: number, px: number, py: number, axis: string): void {
    const w = pane.win;
    const c = pane.cellAt(px, py);
    const { ny, nx } = this.size();
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
    this.setWindow(c.y + (w.y0 - c.y) * fy, c.y + (w.y1 - c.y) * fy, c.x + (w.x0 - c.x) * fx, c.x + (w.x1 - c.x) * fx);
  }

  // setWindow moves the window, whose centre stays over the array.
  private setWindow(y0: number, y1: number, x0: number, x1: number): void {
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
    for (const [i, pane] of this.active().entries()) pane.place(this.subject(i), this.hub.store.now, equal);
  }

  private size(): { ny: number; nx: number } {
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
    const { ny, nx } = this.size();
    return { y: Math.max(0, Math.min(ny - 1, Math.floor(c.y))), x: Math.max(0, Math.min(nx - 1, Math.floor(c.x))) };
  }

  private hover(pane: Pane, px: number, py: number): void {
    const p = pane.cellAt(px, py);
    const { ny, nx } = this.size();
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
    this.tip.later(() => this.exact(c.y, c.x));
  }

  private exact(y: number, x: number): void {
    const s = this.hub.store.now;
    for (const pane of this.active()) {
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
    const at = this.hub.store.now.at;
    this.tip.fill('[' + indexText(at, h.y, h.x) + ']', this.active().map((p) => this.withUnits(this.textOf(p, h.y, h.x))), this.hub.coordinates.place(at, h.y, h.x));
  }

  private active(): Pane[] {
    const s = this.hub.store.now;
    const other = this.hub.other && shownOf(this.hub.other, s.field);
    return s.cmp && s.mode === 'side' && other && viewsOf(other).includes(s.view) ? this.panes : this.panes.slice(0, 1);
  }

  private subject(i: number): Subject {
    const { store, shown, info, other } = this.hub;
    const s = store.now;
    const second = i === 1 && other ? pair(s.cmp)! : s;
    const mine = i === 1 && other ? shownOf(other, s.field) : shown;
    const at = i === 1 ? fitAt(s.at, mine, s.view) : s.at;
    const params = selection(s, mine, second, at);
    if (i === 1) params.minus = '';
    const ny = lengthOf(mine, at, 'y');
    const nx = lengthOf(mine, at, 'x');
    const name = i === 1 && other ? other : info;
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
    if (!changed) for (const p of this.panes) p.forget();
    this.redraw(true);
  }

  hide(): void {
    this.visible = false;
    clearTimeout(this.reading);
    for (const p of this.panes) p.stop();
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
    this.holders[1].hidden = active.length < 2;
    this.bar.root.hidden = state.view === 'image' && this.panes[0].now?.values instanceof Uint8Array;
    this.colouring = this.colours(state);
    const equal = this.equal(state);
    for (const [i, pane] of active.entries()) {
      if (!pane.paper.measure()) continue;
      pane.place(this.subject(i), state, equal);
      pane.load(this.moving);
      pane.draw(pane.paper.begin(), this.colouring, state);
    }
    if (!this.bar.root.hidden) this.bar.show(this.colouring, active.map((p) => p.now), this.hub.named(), this.hub.times());
    this.note(state);
    if (this.hovered) this.fillTip();
    this.root.dataset.state = active.some((p) => p.pending) ? 'loading' : 'exact';
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

  private colours(state: State): Colouring {
    const pictures = this.active().map((p) => p.whole ?? p.now);
    const diff = state.cmp !== '' && state.mode === 'diff';
    const phase = this.hub.shown.kind === 'complex' && state.part === 'phase';
    let [lo, hi] = [0, 1];
    if (state.view === 'image') {
      [lo, hi] = domainOf(pictures, Number(state.clip), false);
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
      [lo, hi] = state.clip ? domainOf(pictures, Number(state.clip), state.scale === 'log') : autoDomain(pictures, state.scale === 'log');
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
    out.push(
      select('Aspect', [['auto', 'auto'], ['equal', 'equal'], ['fill', 'fill']], s.aspect, (aspect) => store.set({ aspect, y0: null, y1: null, x0: null, x1: null })),
      el('span', { class: 'group' },
        s.view === 'heatmap' ? toggle('Mark values outside of the colours: blue below, red above', s.over, () => store.set({ over: !store.now.over }), icon('M8 2.500l6 11H2zM8 6.500v3M8 11.500v.2')) : '',
        toggle('First row at the bottom', s.up, () => store.set({ up: !store.now.up }), icon('M3 13h10M8 11V3m0 0L5 6m3-3l3 3')),
        toggle('Grid (g)', s.grid, () => store.set({ grid: !store.now.grid }), icon('M2.500 6h11M2.500 10h11M6 2.500v11M10 2.500v11')),
        toggle('Drag zooms into a box (o)', s.tool === 'zoom', () => store.set({ tool: store.now.tool === 'zoom' ? 'pan' : 'zoom' }), icon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.600-1.400L14 14M7 4.800v4.400M4.800 7h4.400')),
        button('Show everything (h)', () => store.set({ y0: null, y1: null, x0: null, x1: null, lo: null, hi: null }), { class: 'toggle' }, icon('M2.500 8L8 3l5.500 5M4 7v6h8V7')),
      ),
    );
    if (this.hub.shown.kind === 'complex') {
      out.unshift(select('Part', [...parts, ['polar', 'magnitude and phase']], s.part === 'abs' ? '' : s.part, (part) => store.set({ part, lo: null, hi: null })));
    }
    if (s.cmp && s.mode === 'diff') out.push(numberInput('Tolerance', s.tol, (v) => store.set({ tol: Math.abs(v ?? 0) })), this.counted);
    return out;
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
      if (dy || dx) this.setWindow(w.y0 + dy, w.y1 + dy, w.x0 + dx, w.x1 + dx);
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
        store.set({ cy: null, cx: null });
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

  print(): { w: number; h: number; draw: (pen: Pen) => void } {
    const active = this.active();
    const wide = this.bar.root.hidden ? 0 : 110;
    return {
      w: active.reduce((n, p) => n + p.paper.w, 0) + wide,
      h: active[0].paper.h,
      draw: (pen) => {
        let left = 0;
        for (const pane of active) {
          pen.save();
          pen.translate(left, 0);
          pane.draw(pen, this.colouring, { ...this.hub.store.now, cy: null });
          pen.restore();
          left += pane.paper.w;
        }
        if (wide) this.bar.paint(pen, left, active[0].frame.top, active[0].frame.h);
      },
    };
  }
}

// unitsOf gives the units of an array, or nothing for times, which have dates.
function unitsOf(info: { units: string; calendar: string }): string {
  return timeOf('', info.units, info.calendar) ? '' : info.units;
}
