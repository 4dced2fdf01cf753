// What a tool has drawn on a picture: a box, a line or a path, with the
// statistics, the histogram and the profile of the elements in it.

import { aborted, binary, Latest, type Numeric, type Params } from './ask';
import { drawAxes, type Frame } from './axes';
import { button, el, icon } from './dom';
import { download } from './export';
import { paintBars } from './histogram';
import type { Hub } from './hub';
import type { Subject } from './pane';
import { Paper } from './pen';
import { brief, bytes as sizeText, count, short, tickText, ticks } from './scales';
import { copyButton } from './side';
import { numbersOf } from './statistics';
import { theme } from './theme';
import { shapeOf, type Shape } from './shape';
import { Tooltip } from './tooltip';
import type { Numbers } from './types';

const large = 512 << 20; // bytes that are read only when one asks

export class Region {
  readonly root = el('section', { class: 'region', 'aria-label': 'Region', hidden: true });
  private head = el('header', {});
  private numbers = el('dl', { class: 'numbers' });
  private message = el('p', { class: 'note' });
  private profile: Paper;
  private bars: Paper;
  private profileBox: HTMLElement;
  private tip = new Tooltip();
  private latest = new Latest();
  private key = '';
  private agreed = '';
  private histogram: Numbers['histogram'] | null = null;
  private values: { [name: string]: Numeric } | null = null;
  private frame: Frame = { left: 0, top: 0, w: 1, h: 1 };
  private hovered = -1;

  // moved is called when the pointer is over another element of the profile.
  constructor(private hub: Hub, private moved: () => void) {
    this.profile = new Paper(() => this.draw());
    this.bars = new Paper(() => this.draw());
    for (const [paper, label] of [[this.profile, 'Profile'], [this.bars, 'Histogram of the region']] as const) {
      paper.canvas.setAttribute('role', 'img');
      paper.canvas.setAttribute('aria-label', label);
    }
    const canvas = this.profile.canvas;
    canvas.addEventListener('pointermove', (e) => this.hover(e));
    canvas.addEventListener('pointerleave', () => {
      this.hovered = -1;
      this.tip.hide();
      this.draw();
      this.moved();
    });
    canvas.addEventListener('click', () => {
      if (this.hovered >= 0 && this.values) this.hub.store.set({ cy: this.values.rows[this.hovered], cx: this.values.columns[this.hovered] });
    });
    this.profileBox = el('div', { class: 'region-chart' }, canvas, this.tip.root);
    this.root.append(this.head, this.message, el('div', { class: 'region-body' }, this.numbers, this.profileBox, el('div', { class: 'region-chart region-bars' }, this.bars.canvas)));
  }

  // show asks for what the region holds, once for each state.
  show(subject: Subject, itemSize: number): void {
    const s = this.hub.store.now;
    const shape = shapeOf(s.reg, subject.ny, subject.nx);
    const hidden = !shape || subject.ny === 0 || subject.nx === 0;
    if (this.root.hidden !== hidden) this.root.hidden = hidden;
    if (!shape) {
      this.stop();
      return;
    }
    const { kind, corners } = shape;
    const box = kind === 'box';
    const base = subject.params.part === 'polar' ? { ...subject.params, part: 'abs' } : subject.params;
    const where: Params = box ? { y0: corners[0][0], y1: corners[1][0], x0: corners[0][1], x1: corners[1][1] } : { points: corners.map((c) => c.join()).join(';') };
    const params = { ...base, ...where };
    const key = JSON.stringify(params) + this.hub.generation;
    if (key === this.key) return;
    this.key = key;
    this.profileBox.hidden = box;
    const bytes = box ? (corners[1][0] - corners[0][0]) * (corners[1][1] - corners[0][1]) * itemSize : 0;
    this.title(shape, params, s.at);
    if (bytes > large && this.agreed !== key) {
      this.clear();
      this.message.replaceChildren(button('Compute the statistics', () => {
        this.agreed = key;
        this.key = '';
        this.show(subject, itemSize);
      }, { class: 'toggle' }, `read ${sizeText(bytes)}`));
      return;
    }
    void this.load(params, box, this.latest.next());
  }

  private title(shape: Shape, params: Params, at: string[]): void {
    const [first, last] = [shape.corners[0], shape.corners[shape.corners.length - 1]];
    const box = shape.kind === 'box';
    const index = at.map((w) => (w === 'y' || w === 'x' ? (box ? `${first[w === 'y' ? 0 : 1]}:${last[w === 'y' ? 0 : 1]}` : ':') : w === 'c' ? ':' : w)).join(', ');
    const name = box ? `box [${index}]` : `${shape.kind} from (${first.join(', ')}) to (${last.join(', ')})`;
    const save = (as: string) => button(`The elements of the region as ${as}`, () => {
      const link = this.hub.ask.link('export', { ...params, as: as.toLowerCase() });
      if (link) download(link, 'region.' + as.toLowerCase());
      else void this.hub.ask.blob('export', { ...params, as: as.toLowerCase() }).then((blob) => download(URL.createObjectURL(blob), 'region.' + as.toLowerCase()), (err: unknown) => this.hub.problem(err));
    }, { class: 'toggle' }, as);
    const code = el('span', { class: 'region-code' });
    const s = this.hub.store.now;
    this.head.replaceChildren(el('h2', {}, (s.cmp && s.mode === 'side' ? 'A · ' : '') + name), code, el('span', { class: 'group' }, save('npy'), save('CSV')),
      button('Remove the region (Escape)', () => this.hub.store.set({ reg: '', tool: 'pan' }), { class: 'ghost' }, icon('M4 4l8 8M12 4l-8 8')));
    const key = this.key;
    void this.hub.ask.json<{ python: string }>('code', params).then(({ python }) => {
      if (key === this.key && python) code.replaceChildren(el('code', {}, python), copyButton('Copy for NumPy', () => python));
    }, () => {});
  }

  private async load(params: Params, box: boolean, signal: AbortSignal): Promise<void> {
    try {
      let n: Numbers = {};
      let values: { [name: string]: Numeric } | null = null;
      if (box) {
        await this.hub.ask.lines<Numbers>('numbers', params, (line) => {
          if (line.error) throw new Error(line.error);
          if (line.fields) n = line;
          else if (line.done !== undefined) this.message.replaceChildren(el('progress', { max: '1', value: String(line.done), 'aria-label': 'Progress of the statistics' }));
        }, signal);
      } else {
        const { head, arrays } = binary(await this.hub.ask.bytes('profile', params, signal));
        n = head as Numbers;
        values = arrays;
      }
      this.values = values;
      this.histogram = n.histogram ?? null;
      this.message.replaceChildren();
      this.numbers.replaceChildren(...(n.fields ?? []).slice(0, 1).flatMap((one) => numbersOf(one).map(([label, value]) => [el('dt', {}, label), el('dd', { title: value }, brief(value))]).flat()));
      this.draw();
    } catch (err) {
      if (aborted(err)) return;
      this.clear();
      this.message.replaceChildren(err instanceof Error ? err.message : String(err));
    }
  }

  private clear(): void {
    this.values = null;
    this.histogram = null;
    this.numbers.replaceChildren();
    this.message.replaceChildren();
    this.draw();
  }

  stop(): void {
    this.latest.stop();
    this.key = '';
    this.tip.hide();
  }

  // place gives the element of the profile under the pointer, for the picture.
  place(): { y: number; x: number } | null {
    const v = this.values;
    return v && this.hovered >= 0 ? { y: v.rows[this.hovered], x: v.columns[this.hovered] } : null;
  }

  private hover(e: PointerEvent): void {
    const y = this.values?.y;
    if (!y?.length) return;
    const box = this.profile.canvas.getBoundingClientRect();
    const px = e.clientX - box.left;
    this.hovered = Math.max(0, Math.min(y.length - 1, Math.round(((px - this.frame.left) / this.frame.w) * (y.length - 1))));
    this.draw();
    this.moved();
    this.tip.fill(`[${this.values!.rows[this.hovered]}, ${this.values!.columns[this.hovered]}]`, [short(y[this.hovered], 8)]);
    this.tip.at(px, e.clientY - box.top, box.width, box.height);
  }

  private draw(): void {
    if (this.root.hidden) return;
    if (this.bars.measure()) {
      const pen = this.bars.begin();
      if (this.histogram?.counts.length) paintBars(pen, { left: 50, top: 8, w: Math.max(20, this.bars.w - 62), h: Math.max(20, this.bars.h - 34) }, this.histogram, this.hub.times(), false, '');
    }
    if (this.profileBox.hidden || !this.profile.measure()) return;
    const pen = this.profile.begin();
    const y = this.values?.y;
    if (!y?.length) return;
    const f = (this.frame = { left: 62, top: 8, w: Math.max(20, this.profile.w - 74), h: Math.max(20, this.profile.h - 34) });
    let [lo, hi] = [Infinity, -Infinity];
    for (const v of y) if (v - v === 0) [lo, hi] = [Math.min(lo, v), Math.max(hi, v)];
    if (!(lo <= hi)) [lo, hi] = [0, 1];
    const pad = (hi - lo) * 0.05 || Math.abs(lo) * 0.05 || 0.5;
    [lo, hi] = [lo - pad, hi + pad];
    const X = (i: number) => f.left + (y.length > 1 ? i / (y.length - 1) : 0.5) * f.w;
    const Y = (v: number) => f.top + f.h * (1 - (v - lo) / (hi - lo));
    const yt = ticks(lo, hi, f.h / 35);
    const text = tickText(yt);
    const xt = ticks(0, Math.max(1, y.length - 1), f.w / 80).filter((v) => Number.isInteger(v));
    drawAxes(pen, f, xt.map((v) => ({ at: X(v), text: count(v) })), yt.map((v) => ({ at: Y(v), text: text(v) })), '', text.offset, true);
    pen.strokeStyle = theme().series[0];
    pen.fillStyle = theme().series[0];
    pen.lineWidth = 1.5;
    pen.beginPath();
    let drawing = false;
    for (let i = 0; i < y.length; i++) {
      if (y[i] - y[i] !== 0) drawing = false;
      else if (drawing) pen.lineTo(X(i), Y(y[i]));
      else {
        pen.moveTo(X(i), Y(y[i]));
        drawing = true;
      }
    }
    pen.stroke();
    if (this.hovered < 0 || this.hovered >= y.length) return;
    pen.beginPath();
    pen.arc(X(this.hovered), Y(y[this.hovered]), 4, 0, 7);
    pen.fill();
  }
}

