// The tree of files and arrays, with search. Long lists come in pieces.

import { aborted, Latest, type Asker } from './ask';
import { button, el, icon, visible } from './dom';
import { count } from './scales';
import type { Store } from './state';
import type { Entry, FileInfo } from './types';

const piece = 200;

interface Item {
  f: number;
  entry: Entry | null; // nothing for the row of a file
  depth: number;
  name: string;
  group: boolean;
  key: string;
  e?: number; // the entry of a group
}

export class Tree {
  readonly root: HTMLElement;
  readonly search = el('input', { type: 'search', id: 'search', placeholder: 'Search arrays  /', 'aria-label': 'Search arrays', spellcheck: 'false', autocomplete: 'off' });
  private list = el('div', { class: 'tree-list', role: 'tree', 'aria-label': 'Files and arrays' });
  private files: FileInfo[] = [];
  private entries = new Map<number, { list: Entry[]; total: number }>();
  private closed = new Set<string>();
  private latest = new Latest();
  private timer = 0;
  private focus = '';
  onpick: () => void = () => {};
  ongroup: (f: number, e: number | undefined) => void = () => {}; // a group was picked, or a file without e

  constructor(private ask: Asker, private store: Store, private problem: (err: unknown) => void) {
    this.root = el('nav', { class: 'tree', id: 'tree', 'aria-label': 'Arrays' }, el('div', { class: 'search' }, icon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.600-1.400L14 14'), this.search), this.list);
    this.search.addEventListener('input', () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => void this.load(), 120);
    });
    this.search.addEventListener('keydown', (e) => {
      if (e.key === 'Escape') {
        this.search.value = '';
        this.search.blur();
        void this.load();
      }
      if (e.key === 'ArrowDown' || e.key === 'Enter') {
        e.preventDefault();
        this.list.querySelector<HTMLElement>('[role=treeitem]')?.focus();
      }
      e.stopPropagation();
    });
    this.list.addEventListener('keydown', (e) => this.key(e));
    this.list.addEventListener('scroll', () => {
      const more = this.list.querySelector<HTMLElement>('.more');
      if (more && more.getBoundingClientRect().top < this.list.getBoundingClientRect().bottom + 300) more.click();
    });
  }

  async show(files: FileInfo[]): Promise<void> {
    this.files = files;
    await this.load();
  }

  private async load(): Promise<void> {
    const signal = this.latest.next();
    const q = this.search.value.trim();
    try {
      const got = await Promise.all(this.files.filter((f) => !f.error).map(async (f) => ({ f: f.f, got: await this.ask.json<{ total: number; entries: Entry[] }>('entries', { f: f.f, q, from: 0, n: piece }, signal) })));
      this.entries.clear();
      for (const x of got) this.entries.set(x.f, { list: x.got.entries ?? [], total: x.got.total });
      this.draw();
    } catch (err) {
      if (!aborted(err)) this.problem(err);
    }
  }

  private loading = false;

  private async more(f: number): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    const have = this.entries.get(f)!;
    try {
      const got = await this.ask.json<{ total: number; entries: Entry[] }>('entries', { f, q: this.search.value.trim(), from: have.list.length, n: piece });
      have.list.push(...(got.entries ?? []));
      have.total = got.entries?.length ? got.total : have.list.length;
      this.draw();
    } catch (err) {
      this.problem(err);
    } finally {
      this.loading = false;
    }
  }

  // items turns paths into rows, with one for each group on the way.
  private items(f: FileInfo): Item[] {
    const out: Item[] = [];
    const have = this.entries.get(f.f)?.list ?? [];
    const alone = have.length === 1 && (have[0].path === '' || f.entries <= 1) && !this.search.value;
    out.push({ f: f.f, entry: alone ? have[0] : null, depth: 0, name: f.name, group: !alone, key: 'f' + f.f });
    if (alone || this.closed.has('f' + f.f)) return out;
    const groups = new Set<string>();
    const entryOf = new Map(have.filter((e) => e.group).map((e) => [e.path.replace(/^\/+/, ''), e.e]));
    for (const e of have) {
      const parts = e.path.replace(/^\/+/, '').split('/').filter((p) => p !== '');
      const last = e.group ? parts.length : parts.length - 1;
      let path = '';
      let hidden = false;
      for (let i = 0; i < last; i++) {
        path += '/' + parts[i];
        const key = 'g' + f.f + path;
        if (!groups.has(key)) {
          groups.add(key);
          const e = entryOf.get(path.slice(1));
          if (!hidden) out.push({ f: f.f, entry: null, depth: i + 1, name: parts[i], group: true, key, e });
        }
        hidden ||= this.closed.has(key);
      }
      if (!e.group && !hidden) out.push({ f: f.f, entry: e, depth: Math.max(1, parts.length), name: parts[parts.length - 1] ?? e.path ?? '', group: false, key: 'e' + f.f + '.' + e.e });
    }
    return out;
  }

  draw(): void {
    const had = this.list.contains(document.activeElement);
    const nodes: Node[] = [];
    const searching = this.search.value.trim() !== '';
    for (const f of this.files) {
      if (searching && !f.error && !this.entries.get(f.f)?.total) continue;
      for (const item of this.items(f)) {
        nodes.push(this.node(f, item));
        if (item.entry?.error) nodes.push(el('div', { class: 'tree-error' }, item.entry.error));
      }
      if (f.error) nodes.push(el('div', { class: 'tree-error' }, f.error));
      const have = this.entries.get(f.f);
      if (have && have.list.length < have.total) {
        nodes.push(button('Show more', () => void this.more(f.f), { class: 'more' }, `${count(have.total - have.list.length)} more…`));
      }
    }
    if (nodes.length === 0) nodes.push(el('div', { class: 'note empty' }, 'nothing found'));
    this.list.replaceChildren(...nodes);
    this.mark();
    if (had) this.list.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  }

  private node(f: FileInfo, item: Item): HTMLElement {
    const open = !this.closed.has(item.key);
    const e = item.entry;
    const row = el('div', {
      class: 'item' + (e?.error ? ' broken' : '') + (item.group ? ' group' : '') + (item.depth === 0 ? ' file' : ''), role: 'treeitem', tabIndex: -1, 'aria-level': item.depth + 1,
      'aria-expanded': item.group ? String(open) : undefined, 'data-key': item.key, title: e ? `${e.path || f.name}${e.link ? ' → ' + e.link : ''}\n${e.error || `${e.dtype} (${(e.shape ?? []).join(', ')})`}` : item.name,
    });
    row.style.paddingLeft = 8 + item.depth * 13 + 'px';
    row.append(item.group ? icon(open ? 'M4 6l4 4 4-4' : 'M6 4l4 4-4 4') : icon('M2.500 2.500h11v11h-11zM2.500 6.200h11M2.500 9.800h11M6.200 2.500v11M9.800 2.500v11'));
    row.append(el('span', { class: 'name' }, visible(item.name)));
    if (e) {
      row.append(el('span', { class: 'shape' }, e.error ? (e.link ? 'broken link' : 'unreadable') : (e.shape ?? []).length ? e.shape.join('×') : e.kind));
      if (!e.error) row.append(button('Compare with ' + item.name, (ev) => {
        ev.stopPropagation();
        this.compare(item);
      }, { class: 'ghost compare', tabIndex: -1 }, icon('M5 3L2 6l3 3M2 6h9M11 7l3 3-3 3M14 10H5')));
    } else if (item.depth === 0) {
      row.append(el('span', { class: 'shape' }, f.kind.replace(/ *\(.*/, '')));
    }
    row.addEventListener('click', (ev) => {
      if (ev.shiftKey && e) this.compare(item);
      else this.pick(item);
    });
    return row;
  }

  private pick(item: Item): void {
    this.focus = item.key;
    if (item.entry) {
      this.store.set({ f: item.f, e: item.entry.e });
      if (item.depth === 0 && item.entry.path) this.ongroup(item.f, undefined);
      this.onpick();
      return;
    }
    if (item.depth === 0 || item.e !== undefined) this.ongroup(item.f, item.e);
    if (!this.closed.delete(item.key)) this.closed.add(item.key);
    this.draw();
  }

  private compare(item: Item): void {
    const s = this.store.now;
    const which = item.f + '.' + item.entry!.e;
    if (which !== s.f + '.' + s.e) this.store.set({ cmp: s.cmp === which ? '' : which });
  }

  // mark shows which array is shown and which is compared.
  mark(): void {
    const s = this.store.now;
    const now = [...this.list.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const items = new Map(this.files.flatMap((f) => this.items(f)).map((i) => [i.key, i]));
    let stop: HTMLElement | null = null;
    for (const node of now) {
      const item = items.get(node.dataset.key!);
      const on = item?.entry && item.f === s.f && item.entry.e === s.e;
      const other = item?.entry && s.cmp === item.f + '.' + item.entry.e;
      node.classList.toggle('current', !!on);
      node.classList.toggle('other', !!other);
      node.setAttribute('aria-selected', String(!!on));
      node.tabIndex = -1;
      if (node.dataset.key === this.focus || (on && !stop)) stop = node;
    }
    const first = stop ?? now[0];
    if (first) first.tabIndex = 0;
  }

  private key(e: KeyboardEvent): void {
    const nodes = [...this.list.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const at = nodes.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const item = this.files.flatMap((f) => this.items(f)).find((i) => i.key === nodes[at].dataset.key);
    const go = (i: number) => {
      const node = nodes[Math.max(0, Math.min(nodes.length - 1, i))];
      this.focus = node.dataset.key!;
      this.mark();
      node.focus();
    };
    switch (e.key) {
      case 'ArrowDown': go(at + 1); break;
      case 'ArrowUp': go(at - 1); break;
      case 'Home': go(0); break;
      case 'End': go(nodes.length - 1); break;
      case 'ArrowRight':
        if (item?.group && this.closed.has(item.key)) this.pick(item);
        else go(at + 1);
        break;
      case 'ArrowLeft':
        if (item?.group && !this.closed.has(item.key)) this.pick(item);
        else go(nodes.findLastIndex((n, i) => i < at && Number(n.getAttribute('aria-level')) < Number(nodes[at].getAttribute('aria-level'))));
        break;
      case 'Enter':
      case ' ':
        if (item?.entry && e.shiftKey) this.compare(item);
        else if (item) this.pick(item);
        break;
      default: return;
    }
    e.preventDefault();
    e.stopPropagation();
  }
}
