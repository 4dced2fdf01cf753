// A Pane shows one array as a picture that one drags and zooms. While the
// next picture comes the last one is drawn in its place, moved and scaled.

import { aborted, Latest, Stopped, type Params } from './ask';
import { drawAxes, type Frame, type Tick } from './axes';
import { colour, askPicture, perCell, phaseAt, valueAt, type Picture } from './picture';
import { colourOf, dark, polarOf, type Colouring } from './colours';
import type { Along } from './coordinates';
import { visible } from './dom';
import type { Hub } from './hub';
import { Paper, type Pen } from './pen';
import { short, wholeTicks } from './scales';
import { projections } from './selection';
import type { State } from './state';
import { Texts } from './texts';
import { theme } from './theme';
import type { Window } from './types';

export interface Subject {
  params: Params; // the selection
  cells: Params; // the same for texts
  ny: number;
  nx: number;
  yLabel: string;
  xLabel: string;
  yAlong: Along | null; // the coordinates
  xAlong: Along | null;
  title: string;
  how: string;
}

const margin = { left: 66, right: 14, top: 26, bottom: 46 };

export class Pane {
  readonly paper: Paper;
  readonly texts: Texts;
  private readonly pixel: Texts; // the elements under the pointer, in an image
  private pixelX = -1;
  whole: Picture | null = null;
  now: Picture | null = null;
  pending = false;
  frame: Frame = { left: 0, top: 0, w: 1, h: 1 };
  win: Window = { y0: 0, y1: 1, x0: 0, x1: 1 };
  private subject: Subject | null = null;
  private key = '';
  private wholeKey = '';
  private asked = '';
  private latest = new Latest();
  private overview = new Latest();
  private timer = 0;

  // came is called when there is something new to draw.
  constructor(private hub: Hub, private came: () => void, resized: () => void) {
    this.paper = new Paper(resized);
    this.texts = new Texts(hub.ask, 32, 32, came, () => {});
    this.pixel = new Texts(hub.ask, 1, 4, came, () => {});
  }

  // wantPixel asks for the elements of a pixel of an image, which a picture has
  // only the mean of.
  wantPixel(s: Subject, y: number, x: number): void {
    const channels = this.now?.channels ?? 1;
    const at = String(s.cells.at).split(',').map((w) => (w === 'x' ? String(x) : w === 'c' ? 'x' : w));
    this.pixel.use({ ...s.cells, at: at.join(',') }, this.hub.generation);
    this.pixel.want(y, y + 1, 0, channels, s.ny, channels);
    this.pixelX = x;
  }

  // pixelAt gives the elements of a pixel, once they have come.
  pixelAt(y: number, x: number): string[] | undefined {
    const all = Array.from({ length: this.now?.channels ?? 0 }, (_, c) => this.pixel.at(y, c));
    return x === this.pixelX && all.length && all.every((text) => text !== undefined) ? (all as string[]) : undefined;
  }

  // place computes the frame and the window that the state asks for.
  place(subject: Subject, state: State, equal: boolean): void {
    this.subject = subject;
    const { w, h } = this.paper;
    this.frame = { left: margin.left, top: margin.top, w: Math.max(20, w - margin.left - margin.right), h: Math.max(20, h - margin.top - margin.bottom) };
    const win = { y0: state.y0 ?? 0, y1: state.y1 ?? subject.ny, x0: state.x0 ?? 0, x1: state.x1 ?? subject.nx };
    if (!(win.y1 > win.y0)) win.y1 = win.y0 + 1;
    if (!(win.x1 > win.x0)) win.x1 = win.x0 + 1;
    if (equal) {
      const s = Math.max((win.y1 - win.y0) / this.frame.h, (win.x1 - win.x0) / this.frame.w);
      const cy = (win.y0 + win.y1) / 2;
      const cx = (win.x0 + win.x1) / 2;
      win.y0 = cy - (s * this.frame.h) / 2;
      win.y1 = cy + (s * this.frame.h) / 2;
      win.x0 = cx - (s * this.frame.w) / 2;
      win.x1 = cx + (s * this.frame.w) / 2;
      // What is seen whole needs no empty space around it.
      if (state.y0 === null && state.x0 === null) {
        const fw = Math.min(this.frame.w, subject.nx / s);
        const fh = Math.min(this.frame.h, subject.ny / s);
        this.frame = { left: this.frame.left + (this.frame.w - fw) / 2, top: this.frame.top + (this.frame.h - fh) / 2, w: fw, h: fh };
        Object.assign(win, { y0: 0, y1: subject.ny, x0: 0, x1: subject.nx });
      }
    }
    this.win = win;
    this.up = state.up;
  }
  private up = false;

  // load asks for the pictures that the window needs.
  load(moving: boolean): void {
    const s = this.subject;
    if (!s || s.ny === 0 || s.nx === 0) return;
    if (this.win.y0 >= s.ny || this.win.x0 >= s.nx || this.win.y1 <= 0 || this.win.x1 <= 0) return;
    const key = JSON.stringify(s.params) + s.how + this.hub.generation;
    if (key !== this.key) {
      this.key = key;
      this.asked = '';
    }
    const hull = this.hull();
    const size = this.pixels(hull);
    const asked = JSON.stringify([hull, size]);
    if (asked === this.asked) return;
    clearTimeout(this.timer);
    const go = () => {
      this.asked = asked;
      void this.fetch(hull, size, key);
    };
    if (moving && this.now) this.timer = window.setTimeout(go, 60);
    else go();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.latest.stop();
    this.overview.stop();
    this.texts.stop();
    this.pixel.stop();
    this.asked = '';
  }

  forget(): void {
    this.whole = null;
    this.now = null;
    this.asked = '';
  }

  private hull(): Window {
    const s = this.subject!;
    const cut = (v: number, n: number) => Math.min(n, Math.max(0, v));
    let y0 = cut(Math.floor(this.win.y0), s.ny);
    let y1 = cut(Math.ceil(this.win.y1), s.ny);
    let x0 = cut(Math.floor(this.win.x0), s.nx);
    let x1 = cut(Math.ceil(this.win.x1), s.nx);
    if (y1 <= y0) y0 = Math.max(0, (y1 = Math.max(1, y1)) - 1);
    if (x1 <= x0) x0 = Math.max(0, (x1 = Math.max(1, x1)) - 1);
    return { y0, y1, x0, x1 };
  }

  // pixels gives the size to ask for: one value a pixel, at most 370,000, and
  // 120,000 for the quick picture before it, so that both are below 2 MB.
  private pixels(hull: Window): { h: number; w: number } {
    const ny = hull.y1 - hull.y0;
    const nx = hull.x1 - hull.x0;
    const h = Math.min(ny, Math.max(1, Math.round((this.frame.h * ny) / (this.win.y1 - this.win.y0))));
    const w = Math.min(nx, Math.max(1, Math.round((this.frame.w * nx) / (this.win.x1 - this.win.x0))));
    return within({ h, w }, (this.subject!.params.at as string).includes('c') ? 120000 : 370000);
  }

  private async fetch(hull: Window, size: { h: number; w: number }, key: string): Promise<void> {
    const s = this.subject!;
    const signal = this.latest.next();
    const all = hull.y0 === 0 && hull.x0 === 0 && hull.y1 === s.ny && hull.x1 === s.nx;
    const params = { ...s.params, ...hull, ...size, how: s.how };
    this.pending = true;
    try {
      const began = performance.now();
      const first = (hull.y1 - hull.y0) * (hull.x1 - hull.x0) > 1 << 20 ? within(size, 120000) : size;
      let p = await askPicture(this.hub.ask, { ...params, ...first, quick: 1 }, signal);
      this.take(p, all, key);
      this.note(p, performance.now() - began);
      if (!all && this.wholeKey !== key) void this.fetchWhole(key);
      if (!p.exact || first !== size) {
        p = await askPicture(this.hub.ask, { ...params, quick: 0 }, signal);
        this.take(p, all, key);
        this.note(p, performance.now() - began);
      }
      this.pending = false;
      this.came();
    } catch (err) {
      if (aborted(err)) return;
      this.pending = false;
      if (err instanceof Stopped) {
        this.hub.problem(err); // the quick picture stays
        this.came();
        return;
      }
      // The picture before it is of other elements.
      this.forget();
      this.asked = JSON.stringify([hull, size]);
      this.hub.status('');
      this.hub.problem(err);
      this.came();
    }
  }

  private async fetchWhole(key: string): Promise<void> {
    const s = this.subject!;
    const signal = this.overview.next();
    try {
      const p = await askPicture(this.hub.ask, { ...s.params, y0: 0, y1: s.ny, x0: 0, x1: s.nx, h: Math.min(s.ny, 300), w: Math.min(s.nx, 300), how: s.how, quick: 1 }, signal);
      if (key !== this.key) return;
      this.whole = p;
      this.wholeKey = key;
      this.came();
    } catch (err) {
      if (!aborted(err)) this.hub.problem(err);
    }
  }

  private take(p: Picture, all: boolean, key: string): void {
    if (key !== this.key) return;
    this.now = p;
    if (all) {
      this.whole = p;
      this.wholeKey = key;
    } else if (this.wholeKey !== key) {
      this.whole = null;
    }
    this.came();
  }

  private note(p: Picture, ms: number): void {
    const many = Math.max((p.y1 - p.y0) / p.h, (p.x1 - p.x0) / p.w);
    const what = many <= 1 ? 'every cell' : p.exact ? `${p.how} of up to ${Math.ceil((p.y1 - p.y0) / p.h)}×${Math.ceil((p.x1 - p.x0) / p.w)} cells a pixel` : 'a quick sample, the exact picture follows';
    this.hub.status(`${p.h}×${p.w} values · ${what} · ${Math.round(ms)} ms`);
  }

  X(x: number): number {
    return this.frame.left + ((x - this.win.x0) / (this.win.x1 - this.win.x0)) * this.frame.w;
  }

  Y(y: number): number {
    const t = (y - this.win.y0) / (this.win.y1 - this.win.y0);
    return this.frame.top + (this.up ? 1 - t : t) * this.frame.h;
  }

  // cellAt gives the place in cells under a point of the canvas.
  cellAt(px: number, py: number): { y: number; x: number } {
    const t = (py - this.frame.top) / this.frame.h;
    return {
      y: this.win.y0 + (this.up ? 1 - t : t) * (this.win.y1 - this.win.y0),
      x: this.win.x0 + ((px - this.frame.left) / this.frame.w) * (this.win.x1 - this.win.x0),
    };
  }

  inside(px: number, py: number): boolean {
    const f = this.frame;
    return px >= f.left && px < f.left + f.w && py >= f.top && py < f.top + f.h;
  }

  valueAt(y: number, x: number): number {
    for (const p of [this.now, this.whole]) {
      if (!p) continue;
      const v = valueAt(p, y, x);
      if (v === v) return v;
    }
    return NaN;
  }

  draw(pen: Pen, c: Colouring, state: State): void {
    const s = this.subject;
    if (!s) return;
    const f = this.frame;
    const t = theme();
    // Where the cells are, for tests.
    this.paper.canvas.dataset.frame = [f.left, f.top, f.w, f.h, this.win.y0, this.win.y1, this.win.x0, this.win.x1].join();
    pen.save();
    pen.beginPath();
    pen.rect(f.left, f.top, f.w, f.h);
    pen.clip();
    if (this.now && this.now.channels === 4) this.checker(pen);
    for (const p of [this.whole === this.now ? null : this.whole, this.now]) {
      if (!p) continue;
      colour(p, c);
      this.drawPicture(pen, p);
    }
    if (this.now && this.now.channels === 1) this.drawTexts(pen, s, c, state);
    if (state.cy !== null && state.cx !== null) this.drawCursor(pen, state.cy, state.cx);
    pen.restore();
    const half = f.w / (this.win.x1 - this.win.x0) > 3 || f.h / (this.win.y1 - this.win.y0) > 3 ? 0.5 : 0;
    const axis = (along: Along | null, label: string, lo: number, hi: number, n: number, length: number, place: (v: number) => number): { ticks: Tick[]; label: string } => {
      if (!along) return { ticks: wholeTicks(lo, hi, n).filter((v) => v >= 0 && v < length).map((v) => ({ at: place(v + half), text: String(v) })), label };
      const got = along.ticks(lo, hi, n);
      return { ticks: got.all.map((t) => ({ at: place(t.at), text: t.text })), label: (along.label + ' ' + got.offset).trim() };
    };
    const x = axis(s.xAlong, s.xLabel, this.win.x0, this.win.x1, Math.max(2, f.w / (s.xAlong?.time ? 95 : 80)), s.nx, (v) => this.X(v));
    const y = axis(s.yAlong, s.yLabel, this.win.y0, this.win.y1, Math.max(2, f.h / 50), s.ny, (v) => this.Y(v));
    this.paper.canvas.dataset.ticks = JSON.stringify({ x: x.ticks.map((v) => [v.text, Math.round(v.at)]), y: y.ticks.map((v) => [v.text, Math.round(v.at)]), labels: [x.label, y.label] }); // for tests
    drawAxes(pen, f, x.ticks, y.ticks, x.label, y.label, state.grid);
    pen.save();
    pen.font = '12px ui-sans-serif, system-ui, sans-serif';
    pen.fillStyle = t.text;
    pen.textAlign = 'center';
    pen.textBaseline = 'alphabetic';
    let title = visible(s.title);
    const middle = f.left + f.w / 2;
    const room = 2 * Math.min(middle, this.paper.w - middle) - 8;
    while (title.length > 8 && pen.measureText(title).width > room) title = '…' + title.slice(2);
    pen.fillText(title, middle, f.top - 9);
    pen.restore();
  }

  private checker(pen: Pen): void {
    const f = this.frame;
    pen.fillStyle = '#bbbbbb';
    pen.fillRect(f.left, f.top, f.w, f.h);
    pen.fillStyle = '#888888';
    for (let y = 0; y < f.h; y += 10) for (let x = (y / 10) % 2 ? 10 : 0; x < f.w; x += 20) pen.fillRect(f.left + x, f.top + y, 10, 10);
  }

  private drawPicture(pen: Pen, p: Picture): void {
    const fy = p.h / (p.y1 - p.y0);
    const fx = p.w / (p.x1 - p.x0);
    // Only the part that is seen: scaled far, the whole would overflow.
    const x0 = Math.max(p.x0, Math.floor(this.win.x0));
    const x1 = Math.min(p.x1, Math.ceil(this.win.x1));
    const y0 = Math.max(p.y0, Math.floor(this.win.y0));
    const y1 = Math.min(p.y1, Math.ceil(this.win.y1));
    if (x1 <= x0 || y1 <= y0) return;
    const left = this.X(x0);
    const right = this.X(x1);
    const a = this.Y(y0);
    const b = this.Y(y1);
    const scale = Math.max(Math.abs(b - a) / ((y1 - y0) * fy), (right - left) / ((x1 - x0) * fx));
    pen.imageSmoothingEnabled = !perCell(p) && scale < 3 && Math.abs(scale - 1) > 0.01;
    pen.save();
    if (this.up) {
      pen.scale(1, -1);
      pen.drawImage(p.canvas, (x0 - p.x0) * fx, (y0 - p.y0) * fy, (x1 - x0) * fx, (y1 - y0) * fy, left, -a, right - left, a - b);
    } else {
      pen.drawImage(p.canvas, (x0 - p.x0) * fx, (y0 - p.y0) * fy, (x1 - x0) * fx, (y1 - y0) * fy, left, a, right - left, b - a);
    }
    pen.restore();
  }

  // drawTexts writes the values into cells that are large enough.
  private drawTexts(pen: Pen, s: Subject, c: Colouring, state: State): void {
    const f = this.frame;
    const cw = f.w / (this.win.x1 - this.win.x0);
    const ch = f.h / (this.win.y1 - this.win.y0);
    if (cw < 34 || ch < 14 || !this.now || !perCell(this.now)) return;
    const hull = this.hull();
    if (!state.at.some((w) => projections.includes(w))) {
      this.texts.use(s.cells, this.hub.generation);
      this.texts.want(hull.y0, hull.y1, hull.x0, hull.x1, s.ny, s.nx);
    }
    const paint = colourOf(c);
    const polar = polarOf(c);
    const p = this.now;
    pen.font = '11px ui-monospace, monospace';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    const chars = Math.floor((cw - 6) / 6.7);
    for (let y = hull.y0; y < hull.y1; y++) {
      for (let x = hull.x0; x < hull.x1; x++) {
        const v = valueAt(this.now, y, x);
        let text = visible(this.texts.at(y, x) ?? short(v, 6));
        if (text.length > chars && Number.isFinite(v)) text = short(v, Math.max(1, Math.min(6, chars - 3)));
        if (text.length > chars) continue;
        pen.fillStyle = dark(p.phase ? polar(v, phaseAt(p, y, x)) : paint(v)) ? '#ffffff' : '#000000';
        pen.fillText(text, this.X(x + 0.5), this.Y(y + 0.5));
      }
    }
  }

  private drawCursor(pen: Pen, y: number, x: number): void {
    const w = Math.max(5, this.X(x + 1) - this.X(x));
    const h = Math.max(5, Math.abs(this.Y(y + 1) - this.Y(y)));
    const px = this.X(x + 0.5) - w / 2;
    const py = (this.Y(y) + this.Y(y + 1)) / 2 - h / 2;
    pen.setLineDash([]);
    pen.lineWidth = 3;
    pen.strokeStyle = '#000000';
    pen.strokeRect(px - 1, py - 1, w + 2, h + 2);
    pen.lineWidth = 1.5;
    pen.strokeStyle = '#ffffff';
    pen.strokeRect(px - 1, py - 1, w + 2, h + 2);
  }
}

// within makes a size smaller until it has at most a number of pixels.
function within(size: { h: number; w: number }, most: number): { h: number; w: number } {
  const f = Math.sqrt(most / (size.h * size.w));
  if (f >= 1) return size;
  return { h: Math.max(1, Math.floor(size.h * f)), w: Math.max(1, Math.floor(size.w * f)) };
}
