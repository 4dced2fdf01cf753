// The colour bar: a histogram of the elements that are seen, the colours beside it, and the
// two ends of the domain, which one drags or moves with the arrow keys.

import { colourOf, nanColour, polarOf, type Colouring } from './colours';
import type { Time } from './calendar';
import { el } from './dom';
import { Paper, type Pen } from './pen';
import type { Picture } from './picture';
import { digitsFor, scaleOf, scaleTicks, short, tickText } from './scales';
import type { Store } from './state';
import { theme } from './theme';

const bins = 100;
const space = 0.12; // of the bar beyond each end of the domain

export class ColourBar {
  readonly root: HTMLElement;
  private paper: Paper;
  private range: [number, number] = [0, 1]; // of the transformed values
  private dragging = '';
  private from = 0;
  private histogram = new Float64Array(bins);
  private counted = '';
  private handles: { [end: string]: HTMLElement } = {};
  private inputs: { [end: string]: HTMLInputElement } = {};
  private colouring: Colouring = { map: 'viridis', rev: false, scale: 'linear', lo: 0, hi: 1, tol: 0, over: false, polar: false };
  private pictures: (Picture | null)[] = [];
  private nan = 0;
  private count: (edges: number[]) => number[] | null = () => null;
  private note = el('div', { class: 'bar-note' });
  private name = el('div', { class: 'bar-name', hidden: true });
  private time: Time | undefined; // that the values stand for

  constructor(private store: Store) {
    this.paper = new Paper(() => this.draw());
    this.paper.canvas.setAttribute('aria-hidden', 'true');
    const stage = el('div', { class: 'bar-stage' }, this.paper.canvas);
    for (const end of ['hi', 'lo']) {
      const name = end === 'lo' ? 'Lower end of the colours' : 'Upper end of the colours';
      this.inputs[end] = el('input', { type: 'text', class: 'bar-input', 'aria-label': name, title: name + ' (empty: automatic)', onchange: () => this.typed(end) });
      const handle = el('div', { class: 'bar-handle', role: 'slider', tabIndex: 0, 'aria-orientation': 'vertical', 'aria-label': name + ', drag' });
      handle.addEventListener('pointerdown', (e) => this.down(e, end, handle));
      handle.addEventListener('keydown', (e) => this.key(e, end));
      this.handles[end] = handle;
      stage.append(handle);
    }
    this.paper.canvas.addEventListener('pointerdown', (e) => this.down(e, 'both', this.paper.canvas));
    stage.addEventListener('dblclick', () => this.store.set({ lo: null, hi: null }));
    this.root = el('div', { class: 'bar', role: 'group', 'aria-label': 'Colour bar' }, this.name, this.inputs.hi, stage, this.inputs.lo, this.note);
  }

  // show draws the bar. count gives the number of elements between edges, or
  // nothing; then the values of the pixels are counted. note says what is estimated.
  show(c: Colouring, pictures: (Picture | null)[], count: (edges: number[]) => number[] | null, label: string, time: Time | undefined): void {
    this.count = count;
    this.colouring = c;
    this.time = time;
    this.name.hidden = !label;
    this.name.textContent = this.name.title = label;
    this.pictures = pictures;
    for (const end of ['lo', 'hi'] as const) {
      if (document.activeElement !== this.inputs[end]) this.inputs[end].value = short(c[end], digitsFor(c.lo, c.hi, 5));
      this.inputs[end].classList.toggle('set', this.store.now[end] !== null);
    }
    this.draw();
  }

  // say shows a note below the bar.
  say(note: Node | null): void {
    this.note.replaceChildren(...(note ? [note] : []));
  }

  private typed(end: string): void {
    const text = this.inputs[end].value.trim();
    const v = Number(text);
    if (text === '') this.store.set({ [end]: null });
    else if (!Number.isNaN(v)) this.store.set({ lo: this.colouring.lo, hi: this.colouring.hi, [end]: v });
  }

  private down(e: PointerEvent, end: string, node: HTMLElement): void {
    e.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(e.pointerId);
    this.dragging = end;
    this.from = e.clientY;
    const { lo, hi } = this.colouring;
    const begin = this.ends();
    const move = (m: PointerEvent) => {
      const d = ((this.from - m.clientY) / Math.max(1, this.paper.h)) * (this.range[1] - this.range[0]);
      if (Math.abs(this.from - m.clientY) < 2 && end === 'both') return;
      const s = scaleOf(this.colouring.scale, lo, hi);
      let a = end === 'hi' ? begin[0] : begin[0] + d;
      let b = end === 'lo' ? begin[1] : begin[1] + d;
      if (b <= a) {
        if (end === 'lo') a = b - 1e-9 * (Math.abs(b) || 1);
        else b = a + 1e-9 * (Math.abs(a) || 1);
      }
      this.set(s.back(a), s.back(b));
    };
    const up = () => {
      this.dragging = '';
      node.removeEventListener('pointermove', move);
      this.draw();
    };
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', up, { once: true });
    node.addEventListener('pointercancel', up, { once: true });
  }

  private key(e: KeyboardEvent, end: string): void {
    const step = e.key === 'ArrowUp' ? 1 : e.key === 'ArrowDown' ? -1 : e.key === 'PageUp' ? 10 : e.key === 'PageDown' ? -10 : 0;
    if (!step) return;
    e.preventDefault();
    e.stopPropagation();
    const s = scaleOf(this.colouring.scale, this.colouring.lo, this.colouring.hi);
    const ends = this.ends();
    const move = (step * (ends[1] - ends[0])) / 100;
    if (end === 'lo') ends[0] = Math.min(ends[1], ends[0] + move);
    else ends[1] = Math.max(ends[0], ends[1] + move);
    this.set(s.back(ends[0]), s.back(ends[1]));
  }

  // set sets the ends, with the digits that matter between them.
  private set(lo: number, hi: number): void {
    const digits = digitsFor(lo, hi, 6);
    this.store.set({ lo: Number(lo.toPrecision(digits)), hi: Number(hi.toPrecision(digits)) });
  }

  // ends gives the domain as the scale transforms it.
  private ends(): [number, number] {
    const { scale, lo, hi } = this.colouring;
    const s = scaleOf(scale, lo, hi);
    return [s.forward(lo), s.forward(hi)];
  }

  private tally(): void {
    const key = [this.colouring.scale, ...this.range, ...this.pictures.map((p) => (p ? [p.y0, p.y1, p.x0, p.x1, p.exact, p.min, p.max, p.values.length, p.values[p.values.length >> 1]].join() : ''))].join(' ');
    const s = scaleOf(this.colouring.scale, this.colouring.lo, this.colouring.hi);
    const [a, b] = this.range;
    const counts = this.count(Array.from({ length: bins + 1 }, (_, i) => s.back(a + ((b - a) * i) / bins)));
    const all = key + (counts?.join() ?? '');
    if (all === this.counted) return;
    this.counted = all;
    this.histogram.fill(0);
    this.nan = 0;
    const f = bins / (b - a);
    for (const p of this.pictures) {
      if (!p) continue;
      for (let i = 0; i < p.values.length; i++) {
        const v = p.values[i];
        if (v !== v) {
          this.nan++;
          continue;
        }
        const t = (s.forward(v) - a) * f;
        if (!counts && t >= 0 && t <= bins) this.histogram[Math.min(bins - 1, t | 0)]++;
      }
    }
    counts?.forEach((n, i) => (this.histogram[i] = n));
    this.root.dataset.counts = this.histogram.join(); // for tests, with the range
    this.root.dataset.range = this.range.map((v) => s.back(v)).join();
  }

  draw(): void {
    if (!this.paper.measure()) return;
    const [a, b] = this.ends();
    if (!this.dragging) {
      const pad = (b > a ? b - a : Math.abs(a) || 1) * (space / (1 - 2 * space));
      this.range = [a - pad, b + pad];
    }
    this.tally();
    this.paint(this.paper.begin(), 0, 0, this.paper.h);
    const { lo, hi } = this.colouring;
    for (const end of ['lo', 'hi'] as const) {
      const t = ((end === 'lo' ? a : b) - this.range[0]) / (this.range[1] - this.range[0]);
      const h = this.handles[end];
      h.style.top = `${Math.round((1 - Math.min(1, Math.max(0, t))) * this.paper.h)}px`;
      h.setAttribute('aria-valuenow', String(end === 'lo' ? lo : hi));
      h.setAttribute('aria-valuetext', short(end === 'lo' ? lo : hi, digitsFor(lo, hi, 5)));
    }
  }

  // paint draws the bar in a box, on the page or into a picture for export.
  paint(pen: Pen, left: number, top: number, h: number): void {
    const c = theme();
    const s = scaleOf(this.colouring.scale, this.colouring.lo, this.colouring.hi);
    const [a, b] = this.range;
    const Y = (t: number) => top + (1 - (t - a) / (b - a)) * h;
    const colour = colourOf({ ...this.colouring, tol: 0 });
    const polar = polarOf(this.colouring);
    const columns = this.colouring.polar ? 16 : 1; // of phases
    const bar = left + 34;
    let most = 1;
    for (const n of this.histogram) most = Math.max(most, n);
    const rows = Math.max(1, Math.round(h));
    for (let i = 0; i < rows; i++) {
      const t = a + (1 - (i + 0.5) / rows) * (b - a);
      const n = this.histogram[Math.min(bins - 1, Math.max(0, Math.floor(((t - a) / (b - a)) * bins)))];
      for (let k = 0; k < columns; k++) {
        const px = this.colouring.polar ? polar(s.back(t), ((k + 0.5) / columns) * 2 * Math.PI - Math.PI) : colour(s.back(t));
        pen.fillStyle = `rgb(${px & 255},${(px >> 8) & 255},${(px >> 16) & 255})`;
        pen.fillRect(bar + (16 / columns) * k, top + i, 16 / columns, 1.5);
      }
      if (n > 0) {
        const long = Math.max(1.5, Math.sqrt(n / most) * 30);
        pen.fillStyle = c.axis;
        pen.fillRect(bar - 2 - long, top + i, long, 1.2);
      }
    }
    pen.font = '11px ui-sans-serif, system-ui, sans-serif';
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    const lo = s.back(a);
    const hi = s.back(b);
    const moments = this.colouring.scale === 'linear' ? this.time?.ticks(lo, hi, Math.max(2, h / 45)) : undefined;
    const all = moments?.all ?? scaleTicks(this.colouring.scale, this.colouring.scale === 'log' ? Math.max(lo, 1e-300) : lo, hi, Math.max(2, h / 45));
    const text = moments?.text ?? tickText(this.colouring.scale === 'linear' ? all : []);
    if (text.offset) {
      pen.fillStyle = c.faint;
      pen.textBaseline = 'top';
      pen.textAlign = 'right';
      pen.fillText(text.offset, left + 74, top - 1);
      pen.textAlign = 'left';
      pen.textBaseline = 'middle';
    }
    pen.strokeStyle = c.axis;
    pen.lineWidth = 1;
    for (const v of all) {
      const y = Y(s.forward(v));
      if (y < top + (text.offset ? 18 : 5) || y > top + h - 5) continue;
      pen.beginPath();
      pen.moveTo(bar + 16, y);
      pen.lineTo(bar + 20, y);
      pen.stroke();
      pen.fillStyle = c.text;
      pen.fillText(text(v), bar + 23, y);
    }
    if (this.colouring.polar) {
      pen.fillStyle = c.text;
      pen.textAlign = 'center';
      pen.textBaseline = 'bottom';
      pen.fillText('−π  0  π', bar + 8, top + h);
      pen.textAlign = 'left';
    }
    if (this.nan > 0) {
      pen.fillStyle = `rgb(${nanColour.slice(0, 3).join()})`;
      pen.fillRect(left, top, 9, 9);
      pen.fillStyle = c.faint;
      pen.textBaseline = 'top';
      pen.fillText('nan', left, top + 11);
    }
  }
}
