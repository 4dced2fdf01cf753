// The table: only the cells that are seen exist. The scrollbars are the
// page's own, as a browser's end at about 33 million pixels.

import type { Params } from './ask';
import { announce, button, el, select, visible } from './dom';
import type { Groups } from './groups';
import type { Hub, Panel } from './hub';
import { count } from './scales';
import { Scrollbar } from './scrollbar';
import { fitAt, indexText, keyOf, lengthOf, pair, projections, selection, shownOf, textPart, type Shown } from './selection';
import { plainRows, type State } from './state';
import { objectTree } from './text';
import { Texts } from './texts';
import type { ArrayInfo, ObjectTree } from './types';

const rowHeight = 24;

export class Table implements Panel {
  readonly root: HTMLElement;
  private grids: Grid[];
  private groups: Groups | null = null; // once its script has come
  private visible = false;
  private filter = el('input', { type: 'search', class: 'filter', placeholder: 'where, e.g. x > 3 and name == "a"', 'aria-label': 'Filter rows (where)', spellcheck: 'false', autocomplete: 'off' });
  private found = el('span', { class: 'note', role: 'status' });

  constructor(private hub: Hub) {
    this.grids = [new Grid(hub, 0, () => this.count()), new Grid(hub, 1, () => {})];
    this.grids[0].group = (column) => this.open(column);
    this.root = el('div', { class: 'panel tables' }, this.grids[0].root, this.grids[1].root);
    this.filter.addEventListener('keydown', (e) => {
      if (e.key === 'Enter') this.hub.store.set({ where: this.filter.value.trim(), row: 0, cy: null });
      if (e.key === 'Escape') this.filter.blur();
      e.stopPropagation();
    });
    this.filter.addEventListener('search', () => this.hub.store.set({ where: this.filter.value.trim(), row: 0, cy: null }));
  }

  private count(): void {
    const s = this.hub.store.now;
    const n = this.grids[0].total;
    this.found.textContent = s.where && n >= 0 ? `${count(n)} of ${count(lengthOf(this.hub.shown, s.at, 'y'))} rows` : '';
  }

  show(state: State, changed: Set<keyof State> | null): void {
    this.visible = true;
    const grouped = this.grouped(state);
    if (this.groups) this.groups.root.hidden = !grouped;
    this.grids[0].root.hidden = grouped;
    if (grouped) {
      this.grids[1].root.hidden = true;
      for (const g of this.grids) g.stop();
      if (this.groups) this.groups.show(state);
      else void this.loadGroups();
      return;
    }
    this.groups?.stop();
    const two = state.cmp !== '' && state.mode === 'side' && this.hub.other !== null;
    this.grids[1].root.hidden = !two;
    for (const g of two ? this.grids : this.grids.slice(0, 1)) g.show(changed === null);
    if (document.activeElement !== this.filter) this.filter.value = state.where;
    this.count();
  }

  // open shows the groups of a column, the largest first.
  private open(column: string): void {
    this.hub.store.set({ by: column, aggs: '', pivot: '', gorder: '-count' });
  }

  private async loadGroups(): Promise<void> {
    try {
      const { Groups } = await import('./more');
      if (this.groups) return;
      this.groups = new Groups(this.hub);
      this.root.append(this.groups.root);
    } catch (err) {
      this.hub.problem(err);
      return;
    }
    this.hub.refresh();
    if (this.visible) this.show(this.hub.store.now, null);
  }

  // grouped tells whether rows are put together.
  private grouped(s: State): boolean {
    return (s.by !== '' || s.aggs !== '') && byRows(s.at);
  }

  hide(): void {
    this.visible = false;
    this.groups?.stop();
    for (const g of this.grids) g.stop();
  }

  controls(): Node[] {
    const { store, info, shown } = this.hub;
    const s = store.now;
    const out: Node[] = [];
    if (shown.kind === 'complex') out.push(select('Part', [['', 'whole'], ['abs', 'magnitude'], ['phase', 'phase'], ['re', 'real'], ['im', 'imaginary']], textPart(s), (part) => store.set({ part })));
    this.filter.placeholder = info.kind === 'record' && !s.field ? 'where, e.g. ' + ((info.fields ?? []).find((f) => /^(float|int|uint)/.test(f.kind))?.name ?? 'row') + ' > 3 and row < 100' : s.at.includes('x') ? 'where, e.g. x[:, 0] > 0.5' : 'where, e.g. x > 0.5';
    if (byRows(s.at)) out.push(el('label', { class: 'control grow' }, el('span', {}, 'Where'), this.filter), this.found);
    if (this.grouped(s)) return [...out, ...(this.groups?.controls() ?? [])];
    if (byRows(s.at)) out.push(button('Put rows with equal values together (u)', () => this.open(this.grids[0].columnOfCursor()), { class: 'toggle' }, 'group'));
    if (s.sort) out.push(button('Back to the order of the file', () => store.set({ sort: '', row: 0 }), { class: 'toggle' }, 'unsort ' + s.sort.replace(/^-/, '')));
    return out;
  }

  key(e: KeyboardEvent): boolean {
    if (this.visible && e.key === 'u' && byRows(this.hub.store.now.at)) {
      if (this.grouped(this.hub.store.now)) this.hub.store.set(plainRows);
      else this.open(this.grids[0].columnOfCursor());
      return true;
    }
    return this.visible && !this.grouped(this.hub.store.now) && this.grids[0].key(e);
  }

  focusFilter(): boolean {
    if (!this.filter.isConnected) return false;
    this.filter.focus();
    return true;
  }

  seen(): Params {
    const s = this.hub.store.now;
    return this.grouped(s) ? { by: s.by, aggs: s.aggs || 'count', pivot: s.pivot, order: s.gorder, where: s.where } : this.grids[0].seen();
  }

  print(): null {
    return null;
  }
}

// byRows tells whether rows can be found and sorted: they run along the first axis that is shown.
function byRows(at: string[]): boolean {
  return at.includes('y') && (!at.includes('x') || at.indexOf('y') < at.indexOf('x')) && !at.some((w) => projections.includes(w));
}

class Grid {
  readonly root: HTMLElement;
  private head = el('div', { class: 'thead', role: 'row' });
  private body = el('div', { class: 'tbody' });
  private corner = el('div', { class: 'corner', role: 'columnheader' });
  private texts: Texts;
  private rows: { line: HTMLElement; index: HTMLElement; cells: HTMLElement[] }[] = [];
  private heads: HTMLElement[] = [];
  private widths = new Map<number, number>();
  private widthsOf = '';
  private vertical: Scrollbar;
  private horizontal: Scrollbar;
  private due = false;
  private fraction = 0; // of a row or column that the wheel has left over
  private fractionX = 0;
  private shownRows = 1;
  private shownCols = 1;
  private widest = 320; // column
  private narrow = { col: -1, width: 0 }; // the column at the edge
  private failed = '';
  private message = el('div', { class: 'table-message', hidden: true });
  total = -1;

  constructor(private hub: Hub, private second: number, private counted: () => void) {
    this.texts = new Texts(hub.ask, 64, 24, () => this.redraw(), (err) => this.refused(err));
    this.vertical = new Scrollbar('vertical', 'Rows', (v) => hub.store.set({ row: v }));
    this.horizontal = new Scrollbar('horizontal', 'Columns', (v) => hub.store.set({ col: v }));
    const view = el('div', { class: 'tview' }, this.head, this.body, this.message);
    this.root = el('div', { class: 'table', role: 'grid', tabIndex: 0, 'aria-label': second ? 'Table of the second array' : 'Table of the array' }, view, this.vertical.root, this.horizontal.root);
    new ResizeObserver(() => this.redraw()).observe(view);
    this.root.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.root.addEventListener('click', (e) => this.click(e));
    this.root.addEventListener('dblclick', (e) => this.open(e));
    this.touch(view);
  }

  stop(): void {
    this.texts.stop();
  }

  private refused(err: unknown): void {
    this.failed = err instanceof Error ? err.message : String(err);
    this.message.textContent = this.failed;
    this.message.hidden = false;
  }

  private wheel(e: WheelEvent): void {
    e.preventDefault();
    const unit = e.deltaMode === 1 ? 1 : 1 / rowHeight;
    const s = this.hub.store.now;
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
      this.fractionX += ((e.deltaX || e.deltaY) * unit) / 4;
      const step = Math.trunc(this.fractionX);
      this.fractionX -= step;
      this.scroll(s.row, s.col + step);
    } else {
      this.fraction += e.deltaY * unit;
      const step = Math.trunc(this.fraction);
      this.fraction -= step;
      this.scroll(s.row + step, s.col);
    }
  }

  private touch(view: HTMLElement): void {
    let last: { x: number; y: number } | null = null;
    view.addEventListener('pointerdown', (e) => {
      if (e.pointerType === 'touch') last = { x: e.clientX, y: e.clientY };
    });
    view.addEventListener('pointermove', (e) => {
      if (!last) return;
      const s = this.hub.store.now;
      const rows = Math.trunc((last.y - e.clientY) / rowHeight);
      const cols = Math.trunc((last.x - e.clientX) / 80);
      if (rows) last.y -= rows * rowHeight;
      if (cols) last.x -= cols * 80;
      if (rows || cols) this.scroll(s.row + rows, s.col + cols);
    });
    for (const end of ['pointerup', 'pointercancel']) view.addEventListener(end, () => (last = null));
  }

  private scroll(row: number, col: number): void {
    const { ny, nx } = this.size();
    this.hub.store.set({ row: Math.max(0, Math.min(ny - Math.max(1, this.shownRows - 1), row)), col: Math.max(0, Math.min(nx - 1, col)) });
  }

  // info is the array of this grid, and mine what is shown of it.
  private get info(): ArrayInfo {
    return (this.second ? this.hub.other : null) ?? this.hub.info;
  }

  private mine(): { shown: Shown; at: string[] } {
    const s = this.hub.store.now;
    if (!this.second) return { shown: this.hub.shown, at: s.at };
    const shown = shownOf(this.info, s.field);
    return { shown, at: fitAt(s.at, shown, 'table') };
  }

  private record(): boolean {
    return this.info.kind === 'record' && !this.hub.store.now.field;
  }

  private size(): { ny: number; nx: number } {
    const s = this.hub.store.now;
    const { shown, at } = this.mine();
    const all = lengthOf(shown, at, 'y');
    const ny = s.where && this.total >= 0 ? this.total : all;
    const nx = this.record() ? this.fields().length : lengthOf(shown, at, 'x');
    return { ny, nx };
  }

  // fields gives the columns of records: leaves, not records within records.
  private fields(): string[] {
    const all = this.info.fields ?? [];
    return all.filter((f) => !all.some((g) => g.name.startsWith(f.name + '.'))).map((f) => f.name);
  }

  private params(): Params {
    const s = this.hub.store.now;
    const which = this.second ? pair(s.cmp) ?? s : s;
    const { shown, at } = this.mine();
    const p: Params = { ...selection(s, shown, which, at), where: s.where, sort: s.sort };
    p.part = shown.kind === 'complex' ? textPart(s) : '';
    if (this.second) p.minus = '';
    return p;
  }

  show(fresh: boolean): void {
    const key = JSON.stringify(this.params());
    if (key !== this.widthsOf || fresh) {
      this.widthsOf = key;
      this.widths.clear();
      this.failed = '';
      this.message.hidden = true;
      this.total = -1;
    }
    this.draw();
  }

  private redraw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  private draw(again = false): void {
    if (!this.root.isConnected || this.root.hidden) return;
    const s = this.hub.store.now;
    this.texts.use(this.params(), this.hub.generation);
    if (this.texts.total >= 0 && this.texts.total !== this.total) {
      this.total = this.texts.total;
      this.counted();
    }
    const { ny, nx } = this.size();
    const box = this.body.getBoundingClientRect();
    this.shownRows = Math.max(1, Math.ceil(box.height / rowHeight));
    const row = Math.max(0, Math.min(s.row, ny - 1));
    const col = Math.max(0, Math.min(s.col, nx - 1));
    const lines = Math.max(0, Math.min(this.shownRows, ny - row));
    const indexWidth = 14 + 8 * Math.max(3, String(Math.max(0, ny - 1)).length);
    let cols = 0;
    this.widest = nx === 1 ? Math.max(320, box.width - indexWidth) : 320;
    this.narrow = { col: -1, width: 0 };
    for (let w = indexWidth; w < box.width && col + cols < nx; cols++) {
      const width = this.width(col + cols);
      w += width;
      // The last column ends at the edge, so that an ellipsis shows that it goes on.
      if (w > box.width) this.narrow = { col: col + cols, width: Math.max(32, width - (w - box.width)) };
    }
    this.shownCols = Math.max(1, cols);
    if (!this.failed && nx > 0) this.texts.want(row, row + lines, col, col + cols, ny, nx);
    this.columns(col, cols, indexWidth);
    let wider = false;
    for (let i = 0; i < Math.max(lines, this.rows.length); i++) {
      const r = (this.rows[i] ??= this.newRow());
      r.line.hidden = i >= lines;
      if (i >= lines) continue;
      wider = this.fillRow(r, row + i, col, cols, indexWidth) || wider;
    }
    this.root.setAttribute('aria-rowcount', String(ny + 1));
    this.root.setAttribute('aria-colcount', String(nx + 1));
    if (!this.second && ny > 0) this.hub.status(`rows ${count(row)} to ${count(Math.min(ny, row + Math.max(1, this.shownRows - 1)) - 1)} of ${count(ny)}`);
    this.vertical.show(row, Math.max(1, this.shownRows - 1), ny);
    this.horizontal.show(col, cols, nx);
    if (wider && !again) this.draw(true);
    else if (wider) this.redraw();
  }

  private newRow(): { line: HTMLElement; index: HTMLElement; cells: HTMLElement[] } {
    const index = el('div', { class: 'tindex', role: 'rowheader' });
    const line = el('div', { class: 'trow', role: 'row' }, index);
    this.body.append(line);
    return { line, index, cells: [] };
  }

  private width(c: number): number {
    const head = this.name(c);
    return this.widths.get(c) ?? Math.max(56, Math.min(260, head.length * 8 + 34));
  }

  // seenWidth is the width of a column on the screen.
  private seenWidth(c: number): string {
    return (c === this.narrow.col ? this.narrow.width : this.width(c)) + 'px';
  }

  private name(c: number): string {
    if (this.record()) return this.fields()[c] ?? '';
    if (lengthOf(this.hub.shown, this.hub.store.now.at, 'x') === 1 && !this.hub.store.now.at.includes('x')) return this.hub.store.now.field || 'value';
    return String(c);
  }

  // sortKey names a column as the query package does.
  private sortKey(c: number): string {
    if (this.record()) return this.name(c);
    return this.mine().at.includes('x') ? String(c) : 'x';
  }

  group: (column: string) => void = () => {}; // shows the groups of a column

  // groupKey names a column as a list of keys does.
  private groupKey(c: number): string {
    const name = this.sortKey(c);
    return this.record() ? keyOf(name) : name;
  }

  columnOfCursor(): string {
    return this.groupKey(this.hub.store.now.cx ?? 0);
  }

  private columns(col: number, cols: number, indexWidth: number): void {
    const s = this.hub.store.now;
    const sorts = s.sort ? s.sort.split(',') : [];
    if (!this.corner.isConnected) this.head.append(this.corner);
    this.corner.style.width = indexWidth + 'px';
    for (let i = 0; i < Math.max(cols, this.heads.length); i++) {
      let h = this.heads[i];
      if (!h) {
        h = el('div', { class: 'th', role: 'columnheader', tabIndex: -1 }, el('span', {}), button('', () => {}, { class: 'ghost th-group', tabIndex: -1 }, '≡'));
        this.heads.push(h);
        this.head.append(h);
      }
      h.hidden = i >= cols;
      if (i >= cols) continue;
      const c = col + i;
      const name = this.name(c);
      const key = this.sortKey(c);
      const down = sorts.indexOf('-' + key);
      const up = sorts.indexOf(key);
      const mark = up >= 0 ? ' ▲' : down >= 0 ? ' ▼' : '';
      const order = sorts.length > 1 && (up >= 0 || down >= 0) ? String(Math.max(up, down) + 1) : '';
      h.firstElementChild!.textContent = visible(name) + mark + order;
      const label = `Values of ${visible(name)} and how often they occur`;
      h.lastElementChild!.setAttribute('aria-label', label);
      h.lastElementChild!.setAttribute('title', label);
      h.style.width = this.seenWidth(c);
      h.dataset.col = String(c);
      h.setAttribute('aria-colindex', String(c + 2));
      h.setAttribute('aria-sort', up >= 0 ? 'ascending' : down >= 0 ? 'descending' : 'none');
      h.title = this.record() ? name + ' · ' + (this.hub.info.fields?.find((f) => f.name === name)?.dtype ?? '') + ' · click sorts, shift adds' : '';
      h.classList.toggle('sortable', byRows(s.at));
    }
  }

  // fillRow writes a row and reports whether a column has to become wider.
  private fillRow(r: { line: HTMLElement; index: HTMLElement; cells: HTMLElement[] }, y: number, col: number, cols: number, indexWidth: number): boolean {
    const s = this.hub.store.now;
    let wider = false;
    r.line.setAttribute('aria-rowindex', String(y + 2));
    r.index.style.width = indexWidth + 'px';
    r.index.textContent = String(this.texts.rowOf(y, col) ?? (s.where || s.sort ? '' : y));
    const left = this.left();
    for (let i = 0; i < Math.max(cols, r.cells.length); i++) {
      let cell = r.cells[i];
      if (!cell) {
        cell = el('div', { class: 'td', role: 'gridcell' });
        r.cells.push(cell);
        r.line.append(cell);
      }
      cell.hidden = i >= cols;
      if (i >= cols) continue;
      const x = col + i;
      const text = this.texts.at(y, x);
      const cut = this.texts.isCut(y, x);
      cell.textContent = text === undefined ? (this.failed ? '' : '·') : visible(text) + (cut ? '…' : '');
      cell.dataset.y = String(y);
      cell.dataset.x = String(x);
      cell.className = 'td' + (text === undefined ? ' waiting' : '') + (cut ? ' cut' : '') + (left(x) ? ' left' : '') + (s.cy === y && (s.cx ?? 0) === x ? ' cursor' : '');
      if (s.cy === y && (s.cx ?? 0) === x) cell.setAttribute('aria-selected', 'true');
      else cell.removeAttribute('aria-selected');
      const need = Math.max(56, Math.min(this.widest, (text?.length ?? 0) * 7.7 + 22));
      if (need > this.width(x)) {
        this.widths.set(x, need);
        wider = true;
      }
      cell.style.width = this.seenWidth(x);
    }
    return wider;
  }

  // left tells which columns are text.
  private left(): (x: number) => boolean {
    const text = (kind: string) => /^(text|bytes|void|object|str)/.test(kind);
    if (!this.record()) return () => text(this.hub.shown.kind);
    const names = this.fields();
    return (x) => text(this.hub.info.fields?.find((f) => f.name === names[x])?.kind ?? '');
  }

  private click(e: MouseEvent): void {
    const target = e.target as HTMLElement;
    const head = target.closest<HTMLElement>('.th');
    if (head && target.closest('.th-group') && byRows(this.hub.store.now.at)) {
      this.group(this.groupKey(Number(head.dataset.col)));
      return;
    }
    if (head && byRows(this.hub.store.now.at)) {
      this.sort(this.sortKey(Number(head.dataset.col)), e.shiftKey);
      return;
    }
    const cell = target.closest<HTMLElement>('.td');
    if (!cell) return;
    const y = Number(cell.dataset.y);
    const x = Number(cell.dataset.x);
    this.hub.store.set({ cy: y, cx: x });
    if (this.texts.isCut(y, x)) void this.whole(y, x);
  }

  private open(e: MouseEvent): void {
    const cell = (e.target as HTMLElement).closest<HTMLElement>('.td');
    if (cell) void this.whole(Number(cell.dataset.y), Number(cell.dataset.x));
  }

  // sort cycles a column through ascending, descending and the file's order.
  private sort(name: string, more: boolean): void {
    const s = this.hub.store.now;
    const now = s.sort ? s.sort.split(',') : [];
    const rest = more ? now.filter((x) => x !== name && x !== '-' + name) : [];
    const next = now.includes(name) ? ['-' + name] : now.includes('-' + name) ? [] : [name];
    this.hub.store.set({ sort: [...rest, ...next].join(','), row: 0 });
  }

  // whole shows the whole text of a cell in a dialogue.
  private async whole(y: number, x: number): Promise<void> {
    const { store, info, ask } = this.hub;
    const s = store.now;
    const row = this.texts.rowOf(y, x) ?? y;
    const index = s.at.map((w) => (w === 'y' ? row : w === 'x' ? x : /^\d+$/.test(w) ? Number(w) : 0));
    if (s.at.some((w) => projections.includes(w))) return;
    const field = this.record() ? this.fields()[x] : s.field;
    const which = this.second ? pair(s.cmp) ?? s : s;
    try {
      const got = await ask.json<{ text?: string; tree?: ObjectTree }>('cell', { f: which.f, e: which.e, index: index.slice(0, info.shape.length).join(','), field, raw: s.raw });
      const dialog = el('dialog', { class: 'whole', 'aria-label': 'Whole value' },
        el('header', {}, el('strong', {}, '[' + index.join(', ') + ']' + (field ? '.' + field : '')), button('Close', () => dialog.close(), { class: 'ghost' }, '✕')),
        got.tree ? objectTree(got.tree, true) : el('pre', { tabIndex: 0 }, got.text ?? ''));
      dialog.addEventListener('close', () => dialog.remove());
      document.body.append(dialog);
      dialog.showModal();
    } catch (err) {
      this.hub.problem(err);
    }
  }

  key(e: KeyboardEvent): boolean {
    const s = this.hub.store.now;
    const { ny, nx } = this.size();
    const page = Math.max(1, this.shownRows - 2);
    const now = { y: s.cy ?? s.row, x: s.cx ?? s.col };
    const to = { ...now };
    switch (e.key) {
      case 'ArrowUp': to.y--; break;
      case 'ArrowDown': to.y++; break;
      case 'ArrowLeft': to.x--; break;
      case 'ArrowRight': to.x++; break;
      case 'PageUp': to.y -= page; break;
      case 'PageDown': to.y += page; break;
      case 'Home': if (e.ctrlKey) to.y = 0; else to.x = 0; break;
      case 'End': if (e.ctrlKey) to.y = ny - 1; else to.x = nx - 1; break;
      case 'Enter': void this.whole(now.y, now.x); return true;
      case 's':
      case 'S': if (byRows(s.at)) this.sort(this.sortKey(now.x), e.shiftKey); return true;
      default: return false;
    }
    to.y = Math.max(0, Math.min(ny - 1, to.y));
    to.x = Math.max(0, Math.min(nx - 1, to.x));
    const last = Math.max(1, this.shownRows - 2);
    const row = to.y < s.row ? to.y : to.y > s.row + last ? to.y - last : s.row;
    const col = to.x < s.col ? to.x : to.x > s.col + this.shownCols - 2 ? Math.max(0, to.x - this.shownCols + 2) : s.col;
    this.hub.store.set({ cy: to.y, cx: to.x, row, col });
    const text = this.texts.at(to.y, to.x);
    announce((this.record() ? this.name(to.x) + ' ' : '') + '[' + (this.record() ? to.y : indexText(s.at, to.y, to.x)) + '] ' + (text ?? ''));
    return true;
  }

  seen(): Params {
    const s = this.hub.store.now;
    const { ny, nx } = this.size();
    return { y0: s.row, y1: Math.min(ny, s.row + Math.max(1, this.shownRows)), x0: s.col, x1: Math.min(nx, s.col + this.shownCols), where: s.where, sort: s.sort };
  }
}
