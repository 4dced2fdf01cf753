// The histogram of what is seen or of the whole array, from the statistics.

import type { Params } from './ask';
import { drawAxes, type Frame } from './axes';
import type { Time } from './calendar';
import { el, numberInput, toggle } from './dom';
import type { Hub, Panel } from './hub';
import { Paper, type Pen } from './pen';
import { count, digitsFor, logTicks, short, tickText, ticks, withOffset } from './scales';
import { lengthOf } from './selection';
import type { State } from './state';
import { theme } from './theme';
import { Tooltip } from './tooltip';
import type { Numbers } from './types';

// paintBars draws the counts of bins into a frame.
export function paintBars(pen: Pen, f: Frame, hist: NonNullable<Numbers['histogram']>, time: Time | undefined, log: boolean, label: string): void {
  const top = Math.max(...hist.counts, 1);
  const y1 = log ? top * 1.5 : top * 1.05;
  const Y = (n: number) => f.top + f.h * (1 - (log ? (n > 0 ? Math.log(n / 0.5) / Math.log(y1 / 0.5) : 0) : n / y1));
  const lo = hist.edges[0];
  const hi = hist.edges[hist.edges.length - 1];
  const X = (v: number) => f.left + (hi > lo ? (v - lo) / (hi - lo) : 0.5) * f.w;
  const moments = time?.ticks(lo, hi, f.w / 100);
  const xt = moments?.all ?? ticks(lo, hi, f.w / 90);
  const yt = log ? logTicks(1, y1, f.h / 45) : ticks(0, y1, f.h / 45);
  const plain = moments?.text ?? tickText(xt);
  drawAxes(pen, f, xt.map((v) => ({ at: X(v), text: plain(v) })), yt.map((v) => ({ at: Y(v), text: v >= 1e6 ? short(v, 3) : count(v) })), label && withOffset(label, plain), '', true);
  pen.fillStyle = theme().series[0];
  const step = f.w / hist.counts.length;
  const gap = step > 3 ? 1 : 0;
  hist.counts.forEach((n, i) => {
    if (n > 0) pen.fillRect(f.left + i * step + gap / 2, Y(n), Math.max(1, step - gap), f.top + f.h - Y(n));
  });
}

export class Histogram implements Panel {
  readonly root: HTMLElement;
  private paper: Paper;
  private numbers: Numbers | null = null;
  private scope = '';
  private frame: Frame = { left: 72, top: 20, w: 1, h: 1 };
  private tip = new Tooltip();
  private visible = false;

  constructor(private hub: Hub) {
    this.paper = new Paper(() => this.draw());
    const canvas = this.paper.canvas;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', 'Histogram');
    canvas.addEventListener('pointermove', (e) => this.hover(e));
    canvas.addEventListener('pointerleave', () => this.tip.hide());
    this.root = el('div', { class: 'panel' }, el('div', { class: 'pane' }, canvas), this.tip.root);
  }

  take(n: Numbers | null, scope: string): void {
    this.numbers = n;
    this.scope = scope;
    this.root.dataset.counts = n?.histogram?.counts.join() ?? ''; // for tests
    this.draw();
  }

  show(_state: State, _changed: Set<keyof State> | null): void {
    this.visible = true;
    this.draw();
  }

  hide(): void {
    this.visible = false;
  }

  private hover(e: PointerEvent): void {
    const h = this.numbers?.histogram;
    const box = this.paper.canvas.getBoundingClientRect();
    const px = e.clientX - box.left;
    const i = Math.floor(((px - this.frame.left) / this.frame.w) * (h?.counts.length ?? 0));
    if (!h || i < 0 || i >= h.counts.length) {
      this.tip.hide();
      return;
    }
    const digits = digitsFor(h.edges[0], h.edges[h.edges.length - 1], 6);
    const time = this.hub.times();
    const write = (v: number) => (time ? time.text(v) : short(v, digits));
    this.tip.fill(`${write(h.edges[i])} … ${write(h.edges[i + 1])}`, [count(h.counts[i])]);
    this.tip.at(px, e.clientY - box.top, this.root.clientWidth, this.root.clientHeight);
  }

  private draw(): void {
    if (!this.visible || !this.root.isConnected || !this.paper.measure()) return;
    this.paint(this.paper.begin());
  }

  private paint(pen: Pen): void {
    const { w, h } = this.paper;
    this.frame = { left: 78, top: 30, w: Math.max(20, w - 100), h: Math.max(20, h - 80) };
    const f = this.frame;
    const c = theme();
    const hist = this.numbers?.histogram;
    pen.font = '12px ui-sans-serif, system-ui, sans-serif';
    pen.fillStyle = c.faint;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    if (!hist?.counts?.length) {
      pen.fillText(this.numbers ? 'nothing to count' : 'counting…', w / 2, h / 2);
      return;
    }
    pen.fillText(this.scope === 'all' ? 'whole array' : 'what is seen', f.left + f.w / 2, 14);
    paintBars(pen, f, hist, this.hub.times(), this.hub.store.now.ylog, this.hub.named() || 'value');
  }

  controls(): Node[] {
    const store = this.hub.store;
    const s = store.now;
    return [
      numberInput('Bins', s.bins, (v) => store.set({ bins: Math.max(1, Math.min(4096, Math.round(v ?? 64))) })),
      numberInput('From', s.h0, (h0) => this.range(h0, s.h1), { placeholder: 'min', 'aria-label': 'Lower end of the bins' }),
      numberInput('To', s.h1, (h1) => this.range(s.h0, h1), { placeholder: 'max', 'aria-label': 'Upper end of the bins' }),
      toggle('Logarithmic counts (l)', s.ylog, () => store.set({ ylog: !s.ylog }), 'log counts'), el('span', { class: 'note' }, 'of what is seen, or of the whole array: choose at Statistics'),
    ];
  }

  private range(h0: number | null, h1: number | null): void {
    if (h0 !== null && h1 !== null && !(h0 < h1)) this.hub.problem(new Error(`bins from ${h0} to ${h1}: the range has to begin before its end`));
    else this.hub.store.set({ h0, h1 });
  }

  key(e: KeyboardEvent): boolean {
    if (e.key !== 'l') return false;
    this.hub.store.set({ ylog: !this.hub.store.now.ylog });
    return true;
  }

  // seen is the window of the picture or line that was shown before.
  seen(): Params {
    const s = this.hub.store.now;
    const ny = lengthOf(this.hub.shown, s.at, 'y');
    const nx = lengthOf(this.hub.shown, s.at, 'x');
    const cut = (v: number, n: number) => Math.min(n, Math.max(0, v));
    const two = s.at.includes('y');
    return {
      y0: cut(Math.floor(s.y0 ?? 0), ny), y1: cut(Math.ceil(s.y1 ?? ny), ny),
      x0: cut(Math.floor((two ? s.x0 : s.l0) ?? 0), nx), x1: cut(Math.ceil((two ? s.x1 : s.l1) ?? nx), nx),
    };
  }

  print(): { w: number; h: number; draw: (pen: Pen) => void } {
    return { w: this.paper.w, h: this.paper.h, draw: (pen) => this.paint(pen) };
  }
}
