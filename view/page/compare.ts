// The bar of a comparison: what is compared, how, flip and end.

import { button, el, icon } from './dom';
import type { Hub } from './hub';
import { isNumeric, nameOf, pair } from './selection';
import type { ArrayInfo } from './types';

export class Compare {
  readonly root = el('div', { class: 'compare-bar', role: 'group', 'aria-label': 'Comparison', hidden: true });

  constructor(private hub: () => Hub) {}

  show(): void {
    const { store, info, other, shown } = this.hub();
    const s = store.now;
    this.root.hidden = s.cmp === '';
    if (!s.cmp) return;
    const name = (a: ArrayInfo | null) => (a ? nameOf(a, this.hub().files) : '…');
    const same = other !== null && other.shape.join() === info.shape.join();
    const numeric = isNumeric(shown.kind);
    const mode = (m: string, text: string, title: string, off = false) => el('button', { type: 'button', class: 'toggle', 'aria-pressed': String(s.mode === m), title, disabled: off, onclick: () => store.set({ mode: m, lo: null, hi: null, b0: null, b1: null }) }, text);
    this.root.replaceChildren(
      el('span', { class: 'tag a' }, 'A'), el('span', { class: 'what', title: name(info) }, name(info)),
      button('Flip A and B (b)', () => this.flip(), { class: 'ghost' }, icon('M5 3L2 6l3 3M2 6h11M11 7l3 3-3 3M14 10H3')),
      el('span', { class: 'tag b' }, 'B'), el('span', { class: 'what', title: name(other) }, name(other)),
      el('span', { class: 'group' }, mode('side', 'side by side', 'Side by side (d)'), mode('diff', 'difference', same ? 'A − B (d)' : 'A difference needs two arrays of one shape', !same || !numeric)),
      other && !same ? el('span', { class: 'note' }, `shapes differ: (${info.shape.join(', ')}) and (${other.shape.join(', ')})`) : '',
      button('Stop comparing (x)', () => store.set({ cmp: '', mode: 'side', lo: null, hi: null }), { class: 'ghost' }, icon('M4 4l8 8M12 4l-8 8')),
    );
  }

  // flip shows the second array in the place of the first.
  flip(): boolean {
    const { store } = this.hub();
    const s = store.now;
    const b = pair(s.cmp);
    if (!b) return false;
    store.set({ f: b.f, e: b.e, cmp: s.f + '.' + s.e });
    return true;
  }

  toggleMode(): boolean {
    const { store, info, other } = this.hub();
    if (!store.now.cmp || other?.shape.join() !== info.shape.join()) return false;
    store.set({ mode: store.now.mode === 'diff' ? 'side' : 'diff', lo: null, hi: null, b0: null, b1: null });
    return true;
  }
}
