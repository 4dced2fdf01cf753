// The column on the right: what the array is, and how to get the same slice
// with the command, NumPy or Go.

import { aborted, Latest, type Params } from './ask';
import { announce, button, el, fill, icon } from './dom';
import { between, type Hub } from './hub';
import { bytes, count } from './scales';
import { nameOf, partSeen, projections, selection, seriesAsRows } from './selection';
import type { ArrayInfo } from './types';

type Attribute = { name: string; value: string };

export class Side {
  readonly about = el('section', { class: 'card about', 'aria-label': 'About the array' });
  readonly code = el('section', { class: 'card code', 'aria-label': 'Code of this slice' });
  readonly group = el('section', { class: 'card group-card', 'aria-label': 'About the group', hidden: true });
  private latest = new Latest();
  private grouping = new Latest();
  private timer = 0;
  private key = '';

  constructor(private hub: () => Hub, private seen: () => Params) {}

  show(info: ArrayInfo): void {
    this.group.hidden = true;
    this.grouping.stop();
    const list = el('dl', { class: 'numbers' });
    const row = (name: string, value: string) => list.append(el('dt', {}, name), el('dd', { title: value }, value));
    const size = info.shape.reduce((a, b) => a * b, 1);
    row('dtype', info.kind === 'record' ? `record of ${(info.fields ?? []).length} fields` : info.dtype);
    row('shape', '(' + info.shape.join(', ') + (info.shape.length === 1 ? ',)' : ')'));
    row('elements', count(size));
    row('size', bytes(info.nbytes));
    if (info.fortran) row('order', 'Fortran');
    if (info.packing) row('stored as', info.packing.stored);
    fill(this.about, el('header', {}, el('h2', {}, nameOf(info, this.hub().files))), info.path ? el('p', { class: 'note' }, info.file) : null, list,
      info.packing && el('p', { class: 'note packing' }, (info.packing.applied ? 'applied: ' : 'not applied: ') + info.packing.note));
    const attributes = info.attributes ?? [];
    if (attributes.length) this.about.append(attributeList(attributes, attributes.length <= 6));
    this.later();
  }

  // showGroup shows the attributes of a group, or of a file without e, above the array that is seen.
  async showGroup(f: number, e: number | undefined): Promise<void> {
    const { ask, problem } = this.hub();
    try {
      const got = await ask.json<{ path: string; file: string; kind: string; attributes: Attribute[] }>('attributes', { f, e }, this.grouping.next());
      fill(this.group, el('header', {}, el('h2', {}, got.path || got.file), button('Close', () => (this.group.hidden = true), { class: 'ghost' }, '✕')),
        el('p', { class: 'note' }, e === undefined ? got.kind : 'group of ' + got.file),
        got.attributes.length ? attributeList(got.attributes, true) : el('p', { class: 'note' }, 'no attributes'));
      this.group.hidden = false;
    } catch (err) {
      if (!aborted(err)) problem(err);
    }
  }

  stop(): void {
    clearTimeout(this.timer);
    this.latest.stop();
    this.key = '';
  }

  later(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.load(), 300);
  }

  private async load(): Promise<void> {
    const { store, shown, ask, generation } = this.hub();
    const s = store.now;
    if (between(this.hub())) return;
    // No position lies in an empty axis: the whole array is seen.
    const at = shown.shape.includes(0) ? shown.shape.map(() => ':') : seriesAsRows(s);
    if (at.length !== shown.shape.length) return;
    const params: Params = { ...selection(s, shown, s, at), ...this.seen() };
    if (shown.kind === 'complex') params.part = partSeen(s, at);
    if (!at.includes('y')) {
      delete params.y0;
      delete params.y1;
    }
    if (!at.includes('x')) {
      delete params.x0;
      delete params.x1;
    }
    if (at.some((w) => projections.includes(w))) params.at = at.join(',');
    if (s.view === 'histogram') Object.assign(params, { histogram: 1, bins: s.bins, low: s.h0, high: s.h1 });
    const key = JSON.stringify(params) + generation;
    if (key === this.key) return;
    this.key = key;
    try {
      const got = await ask.json<{ command: string; python: string; go: string }>('code', params, this.latest.next());
      const one = (name: string, text: string) => text && el('div', { class: 'snippet' }, el('span', { class: 'lang' }, name), el('code', { tabIndex: 0 }, text), copyButton(`Copy for ${name}`, () => text));
      fill(this.code, el('header', {}, el('h2', {}, 'This slice')), one('Command', got.command), one('NumPy', got.python), one('Go', got.go));
    } catch (err) {
      if (aborted(err)) return;
      this.key = '';
      fill(this.code); // that of another slice is wrong here
    }
  }
}

function attributeList(attributes: Attribute[], open: boolean): HTMLElement {
  const list = el('dl', { class: 'numbers' });
  for (const a of attributes) list.append(el('dt', { title: a.name }, a.name), el('dd', { title: a.value }, a.value));
  return el('details', { open }, el('summary', {}, `${attributes.length} attribute${attributes.length > 1 ? 's' : ''}`), list);
}

export function copyButton(label: string, text: () => string): HTMLButtonElement {
  const b = button(label, () => void copy(text()).then((ok) => {
    b.classList.add(ok ? 'done' : 'failed');
    announce(ok ? 'copied' : 'the browser did not let the page copy');
    setTimeout(() => b.classList.remove('done', 'failed'), 1200);
  }), { class: 'ghost copy' }, icon('M5.500 5.500v-3h8v8h-3M2.500 5.500h8v8h-8z'));
  return b;
}

export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
