// Statistics of what is seen and, asked for, of the whole array.

import { aborted, Latest, type Params } from './ask';
import { button, el } from './dom';
import { between, type Hub } from './hub';
import { brief, bytes as sizeText } from './scales';
import { projections, selection, seriesAsRows } from './selection';
import type { Numbers } from './types';

const rows: (keyof Numbers)[] = ['count', 'finite', 'nan', 'inf', 'zeros', 'min', 'max', 'mean', 'std', 'median', 'sum'];
const small = 64 << 20; // tables up to it are counted whole
const large = 512 << 20; // more than that is read only when one asks

// numbersOf lists what is worth showing of statistics.
export function numbersOf(n: Numbers): [string, string][] {
  const known = rows.filter((name) => {
    const value = n[name];
    return !(value === undefined || value === null || value === '' || (value === 0 && /^(nan|inf|zeros)$/.test(name)));
  });
  return known.map((name) => [name, String(n[name])]);
}

export class Statistics {
  readonly root = el('section', { class: 'card statistics', 'aria-label': 'Statistics' });
  private body = el('div', {});
  private bar = el('progress', { max: '1', hidden: true, 'aria-label': 'Progress of the statistics' });
  private seenButton: HTMLButtonElement;
  private allButton: HTMLButtonElement;
  private scope = 'seen';
  private latest = new Latest();
  private key = '';
  private timer = 0;
  // told hears of each answer, for the histogram.
  told: (n: Numbers | null, scope: string) => void = () => {};

  constructor(private hub: () => Hub, private seen: () => Params) {
    this.seenButton = button('Statistics of what is seen', () => this.use('seen'), { class: 'toggle' }, 'seen');
    this.allButton = button('Statistics of the whole array', () => this.use('all'), { class: 'toggle' }, 'whole array');
    this.root.append(el('header', {}, el('h2', {}, 'Statistics'), el('span', { class: 'group' }, this.seenButton, this.allButton)), this.bar, this.body);
  }

  private use(scope: string): void {
    this.scope = scope;
    this.later();
  }

  // later asks once the page has been still for a moment.
  later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.load(), 350);
    this.seenButton.setAttribute('aria-pressed', String(this.scope === 'seen'));
    this.allButton.setAttribute('aria-pressed', String(this.scope === 'all'));
  }

  private async load(): Promise<void> {
    const hub = this.hub();
    const s = hub.store.now;
    const { shown } = hub;
    if (between(hub)) return;
    const numeric = /^(float|int|uint|bool|complex|datetime|timedelta|record)$/.test(shown.kind);
    this.root.hidden = !numeric || shown.shape.some((n) => n === 0);
    if (this.root.hidden || s.at.length !== shown.shape.length) return;
    const all = this.scope === 'all' || shown.shape.length === 0;
    const at = seriesAsRows(s);
    const base = selection(s, shown, s, at);
    const table = s.view === 'table';
    if (!all && table && (s.where || s.sort)) {
      this.latest.stop();
      this.key = '';
      this.body.replaceChildren(el('p', { class: 'note' }, 'Rows are filtered or sorted. The statistics of the whole array are a click away.'));
      return;
    }
    // Of a table that is small, all rows count, not only those on the screen.
    const params: Params = all ? { ...base, all: 1 } : table && hub.info.nbytes <= small ? base : { ...base, ...this.seen() };
    delete params.where;
    for (const name of ['sort', 'by', 'aggs', 'pivot', 'order']) delete params[name];
    if (!at.includes('y')) {
      delete params.y0;
      delete params.y1;
    }
    if (!at.includes('x')) {
      delete params.x0;
      delete params.x1;
    }
    if (s.view === 'histogram') Object.assign(params, { bins: s.bins, low: s.h0, high: s.h1 });
    const key = JSON.stringify(params) + hub.generation;
    if (key === this.key) return;
    const bytes = this.bytes(params, all);
    if (bytes > large && this.agreed !== key) {
      this.latest.stop();
      this.key = '';
      this.told(null, this.scope);
      this.body.replaceChildren(button('Compute the statistics', () => {
        this.agreed = key;
        void this.load();
      }, { class: 'toggle' }, `read ${sizeText(bytes)}`));
      return;
    }
    this.key = key;
    const signal = this.latest.next();
    const began = performance.now();
    try {
      await hub.ask.lines<Numbers>('numbers', params, (n) => {
        if (n.error) throw new Error(n.error);
        if (n.done !== undefined && n.count === undefined && !n.fields) {
          this.bar.hidden = performance.now() - began < 200;
          this.bar.value = n.done;
          return;
        }
        this.fill(n.fields ?? [n]);
        this.told(n, this.scope);
      }, signal);
      this.bar.hidden = true;
    } catch (err) {
      if (aborted(err)) return;
      this.bar.hidden = true;
      this.body.replaceChildren(el('p', { class: 'note' }, err instanceof Error ? err.message : String(err)));
      this.told(null, this.scope);
    }
  }

  private agreed = '';

  // bytes estimates what the answer reads.
  private bytes(params: Params, all: boolean): number {
    const { info, shown, store } = this.hub();
    const whole = info.shape.reduce((a, b) => a * b, 1) || 1;
    if (all) return info.nbytes;
    const item = info.nbytes / whole;
    const span = (a: Params[string], b: Params[string], n: number) => (a === undefined || b === undefined ? n : Number(b) - Number(a));
    return store.now.at.reduce((n, w, i) => n * (w === 'y' ? span(params.y0, params.y1, shown.shape[i]) : w === 'x' ? span(params.x0, params.x1, shown.shape[i]) : w === 'c' ? shown.shape[i] : 1), item);
  }

  private fill(all: Numbers[]): void {
    this.body.replaceChildren(...all.slice(0, 50).map((n) => this.list(n)));
  }

  private list(n: Numbers): HTMLElement {
    const list = el('dl', { class: 'numbers' });
    if (n.field) list.append(el('dt', { class: 'field' }, n.field), el('dd', {}));
    const at = this.hub().store.now.at;
    for (const [label, value] of numbersOf(n)) {
      const where = this.place(label === 'min' ? n.argmin : label === 'max' ? n.argmax : undefined, at);
      list.append(el('dt', {}, label), el('dd', { title: value }, brief(value),
        where?.length ? button(`Go to the ${label} at [${where.join(', ')}]`, () => this.go(where), { class: 'ghost place' }, '[' + where.join(', ') + ']') : null));
    }
    return list;
  }

  // place gives the whole index of an element: that of a window lacks the
  // axes that stand at a position.
  private place(index: number[] | undefined, at: string[]): number[] | undefined {
    if (!index || index.length === at.length) return index;
    const kept = at.map((w, i) => (/^[yxc]$/.test(w) ? i : -1)).filter((i) => i >= 0);
    if (kept.length !== index.length) return undefined;
    const whole = at.map((w) => Number(w) || 0);
    kept.forEach((axis, i) => (whole[axis] = index[i]));
    return whole;
  }

  // go moves the cursor and the positions to an element.
  private go(index: number[]): void {
    const hub = this.hub();
    const s = hub.store.now;
    if (index.length !== s.at.length) return;
    const at = s.at.map((w, i) => (w === 'y' || w === 'x' || w === 'c' || projections.includes(w) ? w : String(index[i])));
    const y = index[s.at.indexOf('y')];
    const x = index[s.at.indexOf('x')];
    const patch: { [name: string]: unknown } = { at, cy: y ?? null, cx: x ?? (s.view === 'table' ? 0 : null) };
    if (s.view === 'table') Object.assign(patch, { row: Math.max(0, (y ?? 0) - 3), col: Math.max(0, (x ?? 0) - 1) });
    const span = (a: number | null, b: number | null, v: number | undefined) => a !== null && b !== null && v !== undefined && (v < a || v >= b) ? [v - (b - a) / 2, v + (b - a) / 2] : null;
    const vy = span(s.y0, s.y1, y);
    const vx = span(s.x0, s.x1, x);
    const l = span(s.l0, s.l1, x);
    if (vy) [patch.y0, patch.y1] = vy;
    if (vx) [patch.x0, patch.x1] = vx;
    if (l) [patch.l0, patch.l1] = l;
    hub.store.set(patch);
  }

  // stop ends what is asked or about to be.
  stop(): void {
    clearTimeout(this.timer);
    this.latest.stop();
    this.key = '';
    this.bar.hidden = true;
  }

  // clear forgets the numbers of an array that is seen no more.
  clear(): void {
    this.stop();
    this.body.replaceChildren();
    this.told(null, this.scope);
  }

  auto(nbytes: number): void {
    this.key = '';
    if (nbytes > small) this.scope = 'seen';
    this.later();
  }
}
