// Rows with equal values put together: their number and other results, most
// first. A click on a group shows its rows.

import { aborted, Latest, Stopped, type Params } from './ask';
import { button, el, visible } from './dom';
import type { Hub } from './hub';
import { count } from './scales';
import { keyOf, selection } from './selection';
import { plainRows, type State } from './state';

interface Answer {
  total: number;
  columns: { name: string; kind: string; key: boolean }[];
  rows: string[][];
  where: string[]; // the condition of the rows of a group; empty where there is none
}

const usual = 'count';

export class Groups {
  readonly root = el('div', { class: 'groups', hidden: true });
  private latest = new Latest();
  private key = '';
  private note = el('span', { class: 'note', role: 'status' });
  private inputs: { [name: string]: HTMLInputElement } = {};

  constructor(private hub: Hub) {
    const input = (name: string, label: string, hint: string, key: 'by' | 'aggs' | 'pivot') => {
      const box = el('input', { type: 'text', 'aria-label': label, placeholder: hint, spellcheck: 'false', autocomplete: 'off', list: 'field-names', class: 'filter' });
      box.addEventListener('change', () => hub.store.set({ [key]: box.value.trim(), gorder: '' }));
      box.addEventListener('keydown', (e) => e.stopPropagation());
      this.inputs[key] = box;
      return el('label', { class: 'control grow few' }, el('span', {}, name), box);
    };
    this.boxes = [
      input('Group by', 'Group by fields or expressions', 'fields, month(time)', 'by'), input('Results', 'Results of each group', usual + ', mean:x, q0.9:x', 'aggs'),
      input('Columns of', 'A field whose values become columns', 'a field', 'pivot'),
    ];
  }
  private boxes: HTMLElement[];

  // controls are those of a view of groups.
  controls(): Node[] {
    const { store, info, shown } = this.hub;
    const s = store.now;
    for (const [key, box] of Object.entries(this.inputs)) if (document.activeElement !== box) box.value = s[key as 'by' | 'aggs' | 'pivot'];
    const names = shown.kind === 'record' ? (info.fields ?? []).map((f) => keyOf(f.name)) : [];
    return [...this.boxes, el('datalist', { id: 'field-names' }, ...names.map((n) => el('option', { value: n }))), button('Show the rows', () => store.set(plainRows), { class: 'toggle' }, 'rows'), this.note];
  }

  stop(): void {
    this.latest.stop();
    this.key = '';
  }

  show(s: State): void {
    const params: Params = { ...selection(s, this.hub.shown, s), where: s.where, by: s.by, aggs: s.aggs || usual, pivot: s.pivot, order: s.gorder };
    const key = JSON.stringify(params) + this.hub.generation;
    if (key === this.key) return;
    this.key = key;
    void this.load(params, this.latest.next());
  }

  private async load(params: Params, signal: AbortSignal): Promise<void> {
    this.root.dataset.state = 'loading';
    try {
      this.fill(await this.hub.ask.json<Answer>('groups', params, signal));
    } catch (err) {
      if (aborted(err)) return;
      this.note.textContent = '';
      this.root.replaceChildren(el('p', { class: 'note' }, err instanceof Error ? err.message : String(err)));
      if (err instanceof Stopped) this.hub.problem(err);
      this.hub.status('');
    }
    this.root.dataset.state = 'exact';
  }

  private fill(a: Answer): void {
    const { store } = this.hub;
    const s = store.now;
    this.note.textContent = a.total > a.rows.length ? `the first ${count(a.rows.length)} of ${count(a.total)} groups` : `${count(a.total)} group${a.total === 1 ? '' : 's'}`;
    this.hub.status(this.note.textContent);
    const counts = a.columns.findIndex((c) => !c.key && c.name === usual);
    const most = counts < 0 ? 0 : Math.max(...a.rows.map((r) => Number(r[counts])));
    const order = (name: string): string => (s.gorder === '-' + name ? name : '-' + name);
    const head = el('tr', {}, ...a.columns.map((c) => el('th', { scope: 'col', 'aria-sort': s.gorder === '-' + c.name ? 'descending' : s.gorder === c.name ? 'ascending' : 'none' },
      button('Sort by ' + c.name, () => store.set({ gorder: order(c.name) }), { class: 'ghost' }, visible(c.name) + (s.gorder === '-' + c.name ? ' ▼' : s.gorder === c.name ? ' ▲' : '')))));
    const lines = a.rows.map((row, r) => {
      const line = el('tr', {}, ...row.map((text, i) => {
        const left = /^(text|bytes|object)/.test(a.columns[i].kind);
        const cell = el('td', { class: left ? 'left' : '' }, i === 0 && a.where[r] ? button('Show the rows of ' + visible(text), () => this.rows(a.where[r]), { class: 'ghost' }, visible(text) || '(empty)') : visible(text));
        if (i === counts && most > 0) {
          cell.classList.add('share');
          cell.style.setProperty('--share', (100 * Number(text)) / most + '%');
        }
        return cell;
      }));
      return line;
    });
    this.root.replaceChildren(el('table', {}, el('thead', {}, head), el('tbody', {}, ...lines)));
  }

  // rows shows the rows that satisfy a condition besides the one there is.
  private rows(where: string): void {
    const { store } = this.hub;
    const before = store.now.where;
    store.set({ ...plainRows, where: before ? `(${before}) and ${where}` : where, row: 0, cy: null });
  }
}
