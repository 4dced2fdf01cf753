// One element as text, or an object as a tree that one opens.

import { aborted, Latest, type Params } from './ask';
import { el, numberInput } from './dom';
import type { Hub, Panel } from './hub';
import { nameOf } from './selection';
import type { State } from './state';
import type { ObjectTree } from './types';

export class Text implements Panel {
  readonly root = el('div', { class: 'panel text', tabIndex: 0 });
  private latest = new Latest();
  private asked = '';

  constructor(private hub: Hub) {}

  show(state: State, changed: Set<keyof State> | null): void {
    const index = state.at.map((w) => (/^\d+$/.test(w) ? w : '0')).join(',');
    const key = [state.f, state.e, index, state.field, state.raw, this.hub.generation].join(' ');
    if (key === this.asked && changed) return;
    this.asked = key;
    void this.load(index);
  }

  private async load(index: string): Promise<void> {
    const s = this.hub.store.now;
    const { shown, info } = this.hub;
    if (shown.shape.some((n) => n === 0)) {
      this.root.replaceChildren(el('p', { class: 'empty' }, 'The array has no elements.'));
      return;
    }
    try {
      const got = await this.hub.ask.json<{ text?: string; tree?: ObjectTree }>('cell', { f: s.f, e: s.e, index: index.split(',').slice(0, info.shape.length).join(','), field: s.field, raw: s.raw }, this.latest.next());
      this.root.replaceChildren(
        el('h2', {}, nameOf(info, this.hub.files) + (index ? '[' + index.replaceAll(',', ', ') + ']' : '') + (s.field ? '.' + s.field : '')),
        got.tree ? objectTree(got.tree, true) : el('pre', {}, got.text ?? ''));
    } catch (err) {
      if (aborted(err)) return;
      this.root.replaceChildren();
      this.hub.problem(err);
    }
  }

  hide(): void {
    this.latest.stop();
    this.asked = '';
  }

  controls(): Node[] {
    const { store, shown } = this.hub;
    return shown.shape.map((n, i) => numberInput(shown.dims[i], Number(store.now.at[i]) || 0, (v) => {
      const at = [...store.now.at];
      at[i] = String(Math.max(0, Math.min(n - 1, Math.floor(v ?? 0))));
      store.set({ at });
    }));
  }

  key(): boolean {
    return false;
  }

  seen(): Params {
    return {};
  }

  print(): null {
    return null;
  }
}

// objectTree shows a value with what it holds.
export function objectTree(t: ObjectTree, open: boolean): HTMLElement {
  const label = [el('span', { class: 'type' }, t.type), ' ', el('span', { class: 'value' }, t.text ?? '')];
  if (!t.items?.length) return el('div', { class: 'leaf' }, ...label, t.more ? el('span', { class: 'note' }, ` (${t.more} not listed)`) : null);
  return el('details', { class: 'object', open },
    el('summary', {}, ...label, el('span', { class: 'note' }, ' ' + (t.items.length + (t.more ?? 0)))),
    el('ul', {}, ...t.items.map((item) => el('li', {}, el('span', { class: 'key' }, item.key), ' ', objectTree(item.value, false))),
      t.more ? el('li', { class: 'note' }, `and ${t.more} more`) : null));
}
