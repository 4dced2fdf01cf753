// The dimension mapper: which axis is x, y or the channels, and where the
// others stand.

import { button, el, icon, select } from './dom';
import type { Hub } from './hub';
import { isNumeric, projections, rolesOf } from './selection';

export class Mapper {
  readonly root = el('div', { class: 'mapper', role: 'group', 'aria-label': 'Dimensions' });
  private playing = -1;
  private timer = 0;
  private key = '';
  private sliders: { axis: number; slider: HTMLInputElement; number: HTMLInputElement }[] = [];

  // idle tells whether the last picture has come, so that playing waits.
  constructor(private hub: () => Hub, private idle: () => boolean) {}

  show(): void {
    const { shown, store } = this.hub();
    const s = store.now;
    const roles = rolesOf(s.view, shown);
    this.root.hidden = s.view === 'text' || shown.shape.length === 0 || (shown.shape.length === roles.length && roles.length < 2);
    const fixed = (w: string) => /^\d+$/.test(w);
    const key = JSON.stringify([shown.shape, shown.dims, s.view, s.at.map((w) => (fixed(w) ? '#' : w)), this.playing, s.f, s.e]);
    if (key !== this.key) {
      this.key = key;
      this.build(roles);
    }
    for (const { axis, slider, number } of this.sliders) {
      if (document.activeElement !== number) number.value = s.at[axis];
      slider.value = s.at[axis];
      slider.setAttribute('aria-valuetext', `${s.at[axis]} of ${shown.shape[axis]}`);
    }
  }

  private build(roles: string[]): void {
    const { shown, store } = this.hub();
    const s = store.now;
    const active = document.activeElement instanceof HTMLElement && this.root.contains(document.activeElement) ? document.activeElement.dataset.name : undefined;
    this.sliders = [];
    const nodes = shown.shape.map((n, axis) => {
      const word = s.at[axis];
      const fixed = /^\d+$/.test(word);
      const box = el('div', { class: 'axis' + (fixed ? ' sliced' : '') });
      const list = el('select', { 'aria-label': `Role of ${shown.dims[axis]}`, 'data-name': 'role' + axis, onchange: () => this.assign(axis, list.value) });
      const options: [string, string][] = [];
      for (const r of roles) if (r !== 'c' || n === 3 || n === 4) options.push([r, r === 'c' ? 'channels' : s.view === 'table' ? (r === 'y' ? 'rows' : 'columns') : r]);
      options.push(['#', 'slice']);
      if (s.view === 'lines') options.push(['s', 'series']);
      if (isNumeric(shown.kind) && s.view !== 'image') for (const p of projections) options.push([p, p]);
      for (const [v, text] of options) list.append(el('option', { value: v, selected: v === (fixed ? '#' : word) }, text));
      box.append(el('span', { class: 'dim', title: shown.dims[axis] }, shown.dims[axis]), el('span', { class: 'length' }, String(n)), list);
      if (fixed) this.slice(box, axis, n);
      return box;
    });
    this.root.replaceChildren(...nodes);
    if (active) this.root.querySelector<HTMLElement>(`[data-name="${active}"]`)?.focus();
  }

  private slice(box: HTMLElement, axis: number, n: number): void {
    const name = this.hub().shown.dims[axis];
    const set = (v: number) => this.position(axis, v);
    const slider = el('input', { type: 'range', min: '0', max: String(Math.max(0, n - 1)), 'aria-label': `Position on ${name}`, 'data-name': 'slider' + axis, oninput: () => set(Number(slider.value)) });
    const number = el('input', { type: 'text', inputmode: 'numeric', class: 'number', 'aria-label': `Position on ${name} as a number`, 'data-name': 'number' + axis, onchange: () => set(Math.floor(Number(number.value)) || 0) });
    slider.addEventListener('focus', () => (this.last = axis));
    number.addEventListener('focus', () => (this.last = axis));
    number.addEventListener('keydown', (e) => {
      const step = e.key === 'ArrowUp' ? 1 : e.key === 'ArrowDown' ? -1 : 0;
      if (!step) return;
      e.preventDefault();
      set(Number(this.hub().store.now.at[axis]) + step);
      number.value = this.hub().store.now.at[axis];
    });
    const on = this.playing === axis;
    box.append(
      button(`Step ${name} back ([)`, () => this.step(axis, -1), { class: 'ghost' }, icon('M10 4L6 8l4 4')),
      slider,
      button(`Step ${name} on (])`, () => this.step(axis, 1), { class: 'ghost' }, icon('M6 4l4 4-4 4')),
      number,
      button(on ? `Stop playing ${name}` : `Play ${name} (space)`, () => this.play(axis), { class: 'ghost play', 'aria-pressed': String(on), 'data-name': 'play' + axis }, icon(on ? 'M5 4v8M11 4v8' : 'M5 3.500v9l7-4.500z')),
    );
    if (on) box.append(select('Speed', ['1', '2', '4', '8', '15', '30'].map((v): [string, string] => [v, v + ' / s']), String(this.hub().store.now.speed), (v) => this.hub().store.set({ speed: Number(v) })));
    this.sliders.push({ axis, slider, number });
  }
  private last = -1;

  // assign gives a role to an axis; the axis that had it takes the old one.
  private assign(axis: number, word: string): void {
    const { store } = this.hub();
    const at = [...store.now.at];
    const before = at[axis];
    const other = /^(y|x|c|s)$/.test(word) ? at.indexOf(word) : -1;
    if (other >= 0 && other !== axis) at[other] = /^(y|x|c)$/.test(before) ? before : '0';
    at[axis] = word === '#' ? '0' : word;
    store.set({ at, y0: null, y1: null, x0: null, x1: null, l0: null, l1: null, b0: null, b1: null, cy: null, cx: null, row: 0, col: 0, reg: '', planes: false });
  }

  private position(axis: number, v: number): void {
    const { store, shown } = this.hub();
    const at = [...store.now.at];
    if (!/^\d+$/.test(at[axis])) return;
    at[axis] = String(Math.max(0, Math.min(shown.shape[axis] - 1, v)));
    store.set({ at });
  }

  private step(axis: number, by: number): void {
    const { store, shown } = this.hub();
    const n = shown.shape[axis];
    this.last = axis;
    this.position(axis, (Number(store.now.at[axis]) + by + n) % n);
  }

  // slide steps the slider that was used last, or the last there is.
  slide(by: number): boolean {
    const axis = this.chosen();
    if (axis < 0) return false;
    this.step(axis, by);
    return true;
  }

  private chosen(): number {
    if (this.root.hidden || this.sliders.length === 0) return -1;
    return this.sliders.some((s) => s.axis === this.last) ? this.last : this.sliders[this.sliders.length - 1].axis;
  }

  togglePlay(): boolean {
    const axis = this.playing >= 0 ? this.playing : this.chosen();
    if (axis < 0) return false;
    this.play(axis);
    return true;
  }

  private play(axis: number): void {
    clearTimeout(this.timer);
    this.playing = this.playing === axis ? -1 : axis;
    this.show();
    const tick = () => {
      if (this.playing < 0) return;
      const { store } = this.hub();
      if (!/^\d+$/.test(store.now.at[this.playing] ?? '')) {
        this.playing = -1;
        this.show();
        return;
      }
      if (this.idle()) this.step(this.playing, 1);
      this.timer = window.setTimeout(tick, 1000 / Math.max(0.1, store.now.speed));
    };
    if (this.playing >= 0) tick();
  }

  stop(): void {
    if (this.playing < 0) return;
    clearTimeout(this.timer);
    this.playing = -1;
  }
}
