// The screen and what happens on it.

import { aborted, Latest, Stopped, type Asker } from './ask';
import { AxesCard } from './axescard';
import { Busy } from './busy';
import { Compare } from './compare';
import { maps } from './colours';
import { timeOf } from './calendar';
import { Coordinates, labelled } from './coordinates';
import { announce, button, byId, el, icon, keepFocus, select, toggle } from './dom';
import { exportAs, formats, possible, type Format } from './export';
import { Heatmap } from './heatmap';
import { Histogram } from './histogram';
import { between, type Hub, type Panel } from './hub';
import { Lines } from './lines';
import { Mapper } from './mapper';
import { fitAt, isNumeric, kindOf, nameOf, pair, shownOf, viewsOf } from './selection';
import { copy, Side } from './side';
import { initial, Store, type State, type View } from './state';
import { Statistics } from './statistics';
import { Table } from './table';
import { Text } from './text';
import { isDark, onSystemTheme, useTheme } from './theme';
import { Trail } from './trail';
import { Tree } from './tree';
import type { ArrayInfo, DescribedAxis, Entry, FileInfo, Start } from './types';

const names: { [view in View]: string } = { heatmap: 'Heatmap', image: 'Image', lines: 'Lines', table: 'Table', histogram: 'Histogram', text: 'Text', scatter: 'Scatter' };
const order: View[] = ['heatmap', 'image', 'lines', 'table', 'histogram', 'text', 'scatter'];

// What changes while one pans, zooms, scrolls or moves the cursor.
const moving = new Set<keyof State>(['y0', 'y1', 'x0', 'x1', 'l0', 'l1', 'b0', 'b1', 'lo', 'hi', 'cy', 'cx', 'row', 'col', 'a0', 'a1', 'd0', 'd1']);

export class App {
  readonly store = new Store();
  private hub: Hub;
  private tree: Tree;
  private panels: { [view in View]?: Panel } = {};
  private panel: Panel | null = null;
  private tabs = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views' });
  private controls = el('div', { class: 'controls', role: 'toolbar', 'aria-label': 'Options of the view' });
  private stage = el('div', { class: 'stage', role: 'tabpanel', 'aria-label': 'View', id: 'stage' });
  private title = el('div', { class: 'title' });
  private line = el('span', { class: 'status-text' });
  private error = el('div', { class: 'problem', role: 'alert', hidden: true });
  private mapper: Mapper;
  private statistics: Statistics;
  private side: Side;
  private axes: AxesCard;
  private xsOf = ''; // the array and axis whose coordinates lines have been given
  private xsFound = ''; // and these coordinates
  private given: Set<keyof State> | null = null; // what the address says of the array that is being read
  private explicit = false; // the state is that of an address that names a view
  private compare: Compare;
  private trail: Trail;
  private loading = new Latest();
  private loaded = '';
  private otherLoaded = '';
  private errorTimer = 0;
  private stale = el('span', { class: 'stale', role: 'status', hidden: true });
  private told = new Map<number, string>(); // the ETags of the files as they are
  private touched = new Set<number>(); // files that have changed since the last reading began
  private reading = false;
  private lost = false;
  private before: ArrayInfo = blank; // the array before one that cannot be read
  private failed = ''; // why the array cannot be read
  private healTimer = 0;
  private healWait = 1000;
  private busy: Busy;
  private ready = false;
  private only: View | null = null; // the view that there are answers for

  constructor(private ask: Asker) {
    const store = this.store;
    const hub = () => this.hub;
    const seen = () => this.panel?.seen() ?? {};
    this.hub = {
      store, ask, files: [], info: blank, shown: shownOf(blank, ''), other: null, generation: 0,
      coordinates: new Coordinates(ask, () => store.now, () => this.repaint(), (err) => this.problem(err)),
      times: () => {
        const { info, shown } = this.hub;
        return store.now.field ? timeOf(shown.dtype) : timeOf(shown.dtype, info.units, info.calendar);
      },
      named: () => (store.now.field ? '' : labelled(this.hub.info.label, this.hub.times() ? '' : this.hub.info.units)),
      status: (text) => (this.line.textContent = text),
      problem: (err) => this.problem(err),
      refresh: () => this.drawControls(),
      entries: () => this.allEntries(),
    };
    this.tree = new Tree(ask, store, (err) => this.problem(err));
    this.mapper = new Mapper(hub, () => this.stage.firstElementChild instanceof HTMLElement && this.stage.firstElementChild.dataset.state !== 'loading');
    this.statistics = new Statistics(hub, seen);
    this.statistics.told = (n, scope) => (this.panels.histogram as Histogram | undefined)?.take(n, scope);
    this.side = new Side(hub, seen);
    this.axes = new AxesCard(hub);
    this.compare = new Compare(hub);
    this.trail = new Trail(store);
    this.busy = new Busy(ask, () => this.hub.info);
    this.tree.onpick = () => document.body.classList.remove('tree-open');
    this.tree.ongroup = (f, e) => void this.side.showGroup(f, e);
  }

  async start(): Promise<void> {
    useTheme(this.store.now.theme);
    this.build();
    this.ask.onbusy = (busy) => {
      document.body.classList.toggle('busy', busy > 0);
      this.busy.show(busy);
    };
    this.ask.onchanged = (f, etag) => this.heard(f, etag);
    this.ask.onlost = (lost) => {
      this.lost = lost;
      this.markStale();
    };
    this.store.listen((now, changed) => this.changed(now, changed));
    onSystemTheme(() => this.repaint());
    addEventListener('keydown', (e) => this.key(e));
    try {
      this.only = (await this.ask.transport.only) ?? null;
      const got = await this.ask.json<{ version: string; files: FileInfo[] }>('files', {});
      this.hub.files = got.files;
      byId('version').textContent = got.version;
      await this.tree.show(got.files);
      if (location.hash.length < 2) await this.pickFirst();
      await this.load();
    } catch (err) {
      this.problem(err);
    }
  }

  // pickFirst shows the array that is worth most to be seen first.
  private async pickFirst(): Promise<void> {
    const got = await this.ask.json<{ f?: number; e?: number; error?: string; unreadable?: boolean }>('first', {});
    if (got.f === undefined || got.e === undefined) throw new Error((got.unreadable ? 'no array can be read: ' : '') + (got.error ?? ''));
    Object.assign(this.store.now, { f: got.f, e: got.e });
  }

  private async allEntries(): Promise<Entry[]> {
    const got = await this.ask.json<{ entries: Entry[] }>('entries', { q: '', from: 0, n: 500 });
    return (got.entries ?? []).map((e) => ({ f: this.hub.files.length === 1 ? this.hub.files[0].f : 0, ...e }));
  }

  private build(): void {
    const menu = select('Export', [['', 'export…'], ...formats], '', () => {});
    const list = menu.querySelector('select')!;
    list.id = 'export';
    list.addEventListener('change', () => {
      const format = list.value as Format;
      list.value = '';
      if (format && this.panel) exportAs(this.hub, this.panel, format, () => this.askAnew()).catch((err: unknown) => this.problem(err));
    });
    const offer = () => {
      for (const o of list.options) o.hidden = o.disabled = o.value !== '' && !possible(this.hub, this.panel, o.value as Format);
    };
    for (const event of ['focus', 'pointerdown']) list.addEventListener(event, offer);
    const top = el('header', { class: 'top' },
      button('Show or hide the arrays', () => this.toggleTree(), { class: 'ghost', id: 'tree-button', 'aria-controls': 'tree' }, icon('M2 4h12M2 8h12M2 12h12')),
      el('div', { class: 'brand' }, el('b', {}, 'npy'), ' view', el('span', { id: 'version', class: 'note' })),
      this.title, this.stale,
      el('div', { class: 'actions' }, menu,
        button('Copy the address of this view (y)', () => void this.share(), { class: 'ghost', id: 'share' }, icon('M6.500 9.500l3-3M7 5l1.800-1.800a2.500 2.500 0 0 1 4 4L11 9M9 11l-1.800 1.800a2.500 2.500 0 0 1-4-4L5 7')),
        button('Dark or light (t)', () => this.switchTheme(), { class: 'ghost', id: 'theme' }, icon('M8 2.500a5.500 5.500 0 1 0 0 11zM8 2.500a5.500 5.500 0 0 1 0 11')),
        button('Show or hide the details (i)', () => document.body.classList.toggle('side-closed'), { class: 'ghost', id: 'side-button' }, icon('M2.500 3h11v10h-11zM10 3v10')),
        button('Keys (?)', () => void this.help(), { class: 'ghost', id: 'help' }, icon('M5.800 6a2.200 2.200 0 1 1 3.300 1.900c-.8.4-1.100.8-1.100 1.600M8 12v.2'))));
    const centre = el('main', { class: 'centre' }, el('div', { class: 'bar-top' }, this.tabs, this.controls), this.mapper.root, this.compare.root, this.error, this.stage);
    const side = el('aside', { class: 'side', 'aria-label': 'Details' }, this.side.group, this.side.about, this.axes.root, this.statistics.root, this.side.code);
    const status = el('footer', { class: 'status' }, el('span', { class: 'spinner', 'aria-hidden': 'true' }), this.line, this.busy.root);
    byId('page').replaceChildren(top, this.tree.root, centre, side, status);
    document.body.classList.toggle('side-closed', innerWidth < 1000);
  }

  // views are those that show what is seen, the best first.
  private views(): View[] {
    const all = viewsOf(this.hub.shown);
    return this.only ? all.filter((v) => v === this.only) : all;
  }

  // askAnew asks all questions about what is seen again.
  private async askAnew(): Promise<void> {
    this.hub.generation++;
    await this.load();
  }

  private toggleTree(): void {
    document.body.classList.toggle(innerWidth < 900 ? 'tree-open' : 'tree-closed');
  }

  private problem(err: unknown): void {
    if (aborted(err)) return;
    if (err instanceof Stopped) {
      this.hub.status('stopped: what is seen may be a sample');
      return;
    }
    this.error.replaceChildren(el('span', {}, err instanceof Error ? err.message : String(err)), button('Dismiss', () => (this.error.hidden = true), { class: 'ghost' }, '✕'));
    this.error.hidden = false;
    clearTimeout(this.errorTimer);
    // An error in place of an array stays.
    if (this.ready) this.errorTimer = window.setTimeout(() => (this.error.hidden = true), 15000);
  }

  // load asks what the array is and chooses a view for it.
  private async load(): Promise<void> {
    const s = this.store.now;
    const key = [s.f, s.e, s.raw, this.hub.generation].join(' ');
    if (key !== this.loaded) {
      this.loaded = key;
      this.given = this.store.given ?? this.given;
      this.store.given = null;
      try {
        const signal = this.loading.next();
        const info = await this.ask.json<ArrayInfo>('array', { f: s.f, e: s.e, raw: s.raw }, signal);
        const quiet = (err: unknown) => {
          if (aborted(err)) throw err;
          return null; // the array is shown without
        };
        const [got, start] = await Promise.all([
          this.ask.json<{ axes: DescribedAxis[] }>('axes', { f: s.f, e: s.e, raw: s.raw }, signal).catch(quiet),
          this.given?.has('view') ? null : this.ask.json<Start>('start', { f: s.f, e: s.e, raw: s.raw }, signal).catch(quiet),
        ]);
        const given = this.store.given ?? this.given; // another address may have come since
        const before = this.hub.info === blank ? this.before : this.hub.info;
        const numbers = (info.fields ?? []).filter((f) => isNumeric(kindOf(f.kind)) && !f.shape?.length).length;
        info.pairs = info.kind === 'record' ? numbers > 1 : this.hub.files.reduce((n, f) => n + f.entries, 0) > 1;
        this.hub.info = info;
        this.hub.coordinates.use(got?.axes ?? [], s.raw);
        this.explicit = given?.has('view') ?? false;
        this.given = null;
        this.failed = '';
        this.markStale();
        this.error.hidden = true;
        const now = this.store.now;
        if (now.field && !info.fields?.some((f) => f.name === now.field)) this.store.set({ field: '' });
        // The same array again, which has changed, keeps its view; so does one of the same shape.
        const again = before.f === info.f && before.e === info.e && before.shape.length === info.shape.length;
        const linked = before !== blank && (again || before.shape.join() === info.shape.join());
        const patch: Partial<State> = {};
        // A new array starts whole, unless it fits the view of the one before.
        if (before !== blank && !linked && !given) {
          const { f, e, cmp, mode, theme, tool, grid, map, how, aspect, raw } = this.store.now;
          Object.assign(patch, initial, { f, e, cmp, mode, theme, tool, grid, map, how, aspect, raw });
        } else if (before !== blank && !again && !given && this.store.now.cmp === '') {
          Object.assign(patch, { lo: null, hi: null, series: [], where: '', sort: '', sx: '', sy: '' });
        }
        // A new array starts as its contents suggest, but for what the address says.
        const fresh = !linked && !given?.has('view');
        if (fresh && start?.view) {
          for (const key of ['at', 'field', 'xs', 'up'] as const) if (!given?.has(key)) Object.assign(patch, { [key]: start[key] });
        }
        this.hub.shown = shownOf(info, patch.field ?? this.store.now.field);
        const views = this.views();
        if (fresh) patch.view = start?.view && views.includes(start.view) ? start.view : views[0];
        else if (!views.includes(this.store.now.view)) patch.view = views[0];
        this.store.set(patch);
        this.ready = true;
        document.title = nameOf(info, this.hub.files) + ' · npy view';
        this.side.show(info);
        if (!again) {
          this.hub.status('');
          this.side.code.replaceChildren();
          this.statistics.clear();
        }
        this.statistics.auto(info.nbytes);
        announce(`${nameOf(info, this.hub.files)}, ${info.dtype}, shape ${info.shape.join(' by ')}`);
      } catch (err) {
        if (aborted(err)) return;
        this.loaded = '';
        this.failed = err instanceof Error ? err.message : String(err);
        // The same array stays as it was, and is marked as stale.
        if (this.hub.info.f !== s.f || this.hub.info.e !== s.e || this.hub.info === blank) this.clear();
        this.markStale();
        this.problem(err);
        return;
      }
    }
    await this.loadOther();
    this.tree.mark();
    this.render(null);
  }

  // leave stops all questions about the array that is seen. Its shape and kind
  // say nothing about the next array, which is not known yet.
  private leave(): void {
    this.ready = false;
    this.panel?.hide();
    this.side.stop();
    this.statistics.stop();
  }

  // clear removes all that belongs to the last array, when the next cannot be read.
  private clear(): void {
    const { hub } = this;
    if (hub.info !== blank) this.before = hub.info;
    hub.info = blank;
    hub.shown = shownOf(blank, '');
    hub.other = null;
    this.otherLoaded = '';
    this.ready = false;
    this.dropPanels();
    this.tabs.dataset.key = '';
    for (const x of [this.tabs, this.controls, this.title, this.side.about, this.side.code]) x.replaceChildren();
    this.axes.root.hidden = true;
    this.title.title = '';
    this.mapper.root.hidden = this.compare.root.hidden = true;
    this.side.stop();
    this.statistics.clear();
    this.statistics.root.hidden = true;
    hub.status('');
    document.title = 'npy view';
    this.tree.mark();
  }

  // dropPanels forgets the pictures, tables and lines that have been drawn.
  private dropPanels(): void {
    this.panel?.hide();
    this.panel = null;
    this.panels = {};
    this.stage.replaceChildren();
  }

  private async loadOther(): Promise<void> {
    const { cmp, raw } = this.store.now;
    const key = [cmp, raw, this.hub.generation].join(' ');
    if (key === this.otherLoaded) return;
    this.otherLoaded = key;
    this.hub.other = null;
    const b = pair(cmp);
    if (!b) return;
    try {
      const other = await this.ask.json<ArrayInfo>('array', { ...b, raw });
      if (key !== this.otherLoaded) return;
      this.hub.other = other;
      this.markStale();
      if (other.shape.join() !== this.hub.info.shape.join() && this.store.now.mode === 'diff') this.store.set({ mode: 'side' });
    } catch (err) {
      this.problem(err);
    }
  }

  // heard is told of a file's change, or of the ETag that it has now.
  private heard(f: number, etag?: string): void {
    if (etag !== undefined) {
      this.told.set(f, etag);
      this.markStale();
      if (this.hub.files[f] === undefined || !this.behind(f)) return;
    }
    this.touched.add(f);
    void this.reload();
  }

  // behind says why what the page has of a file is not the file as it is, or nothing.
  private behind(f: number): string {
    const { files, info, other } = this.hub;
    const file = files[f];
    if (!file) return '';
    const told = this.told.get(f);
    if (told !== undefined && told !== file.etag) return `${file.name} has changed; it is being read again`;
    if (file.error) return file.error.includes(file.name) ? file.error : `${file.name}: ${file.error}`;
    for (const x of [info, other]) if (x && x !== blank && x.f === f && x.etag !== file.etag) return `${file.name} has changed; ${this.failed || 'it is being read again'}`;
    const b = pair(this.store.now.cmp);
    return b && b.f === f && !other ? `${file.name}: the second array cannot be read` : '';
  }

  // markStale says whether what is seen may be of another time than the files.
  private markStale(): void {
    const b = pair(this.store.now.cmp);
    const why = this.hub.info === blank ? '' : this.behind(this.hub.info.f) || (b ? this.behind(b.f) : '') || (this.lost ? 'npy view does not answer' : '');
    this.stale.hidden = why === '';
    document.body.classList.toggle('is-stale', why !== '');
    const text = why && 'stale: ' + why;
    if (this.stale.textContent === text) return;
    this.stale.textContent = text;
    this.stale.title = text;
  }

  // reload reads the files again until the page has them as they are. A file
  // that cannot be read is tried again and again, at longer and longer times.
  private async reload(): Promise<void> {
    if (this.reading) return;
    this.reading = true;
    clearTimeout(this.healTimer);
    do {
      const touched = this.touched;
      this.touched = new Set();
      try {
        await this.readAgain(touched);
      } catch (err) {
        for (const f of touched) this.touched.add(f);
        this.problem(err);
        break;
      }
      if (this.touched.size) await new Promise((done) => setTimeout(done, 200));
    } while (this.touched.size);
    this.reading = false;
    this.markStale();
    const ill = this.touched.size > 0 || this.hub.files.some((x) => this.behind(x.f));
    this.healWait = ill ? Math.min(30000, this.healWait * 1.5) : 1000;
    if (ill) this.healTimer = window.setTimeout(() => void this.reload(), this.healWait);
  }

  private async readAgain(touched: Set<number>): Promise<void> {
    const got = await this.ask.json<{ files: FileInfo[] }>('files', {});
    const { hub, store } = this;
    hub.files = got.files;
    this.markStale();
    await this.tree.show(got.files);
    const s = store.now;
    const of = (x: ArrayInfo | null) => x && x !== blank && !hub.files[x.f]?.error && (touched.has(x.f) || x.etag !== hub.files[x.f]?.etag);
    const changed = of(hub.info);
    const b = pair(s.cmp);
    const first = hub.info === blank && !hub.files[s.f]?.error;
    if (!changed && !first && !of(hub.other) && !(b && !hub.other && !hub.files[b.f]?.error)) return;
    hub.generation++;
    if (changed) {
      hub.status(hub.files[hub.info.f].name + ' has changed; it is being read again');
      await this.follow();
    }
    if (first && !touched.size) await this.pickFirst();
    if (!hub.files[s.f]?.error) await this.load();
  }

  // follow stays with the array that is seen where a file has changed: it may be another entry now.
  private async follow(): Promise<void> {
    const { info } = this.hub;
    const s = this.store.now;
    if (s.f !== info.f || s.e !== info.e) return;
    const { entries } = await this.ask.json<{ entries: Entry[] }>('entries', { f: info.f, q: info.path, from: 0, n: 1000 });
    let e = entries?.find((x) => x.path === info.path && !x.group);
    e ??= (await this.ask.json<{ entries: Entry[] }>('entries', { f: info.f, from: 0, n: 1000 })).entries?.find((x) => !x.group && !x.error);
    if (e && e.e !== s.e) {
      this.hub.info = { ...info, e: e.e }; // the view stays
      this.store.set({ e: e.e });
    }
  }

  private changed(now: State, changed: Set<keyof State>): void {
    if (changed.has('theme')) {
      useTheme(now.theme);
      this.repaint();
    }
    if (changed.has('f') || changed.has('e') || changed.has('cmp') || changed.has('raw')) {
      if (!this.store.given && between(this.hub)) this.given = null;
      this.tree.mark();
      if (between(this.hub)) this.leave();
      void this.load();
      return;
    }
    if (this.store.given) {
      this.given = this.store.given;
      this.explicit ||= this.given.has('view');
    }
    this.store.given = null;
    if (this.ready) this.render(changed);
  }

  // render shows the state in the panel of its view.
  private render(changed: Set<keyof State> | null): void {
    const { store, hub } = { store: this.store, hub: this.hub };
    if (!this.ready) return;
    hub.shown = shownOf(hub.info, store.now.field);
    const views = this.views();
    if (!views.includes(store.now.view)) store.now.view = views[0];
    const view = store.now.view;
    const at = fitAt(store.now.at, hub.shown, view, [store.now.cy, store.now.cx]);
    if (at.join() !== store.now.at.join()) store.set({ at });
    if (view === 'lines') this.takeXs(at.indexOf('x'));
    const empty = hub.shown.shape.some((n) => n === 0) && view !== 'text';
    if (empty) {
      this.dropPanels();
      hub.status('');
    }
    const next = (this.panels[view] ??= this.create(view));
    const swap = next !== this.panel;
    if (swap) {
      this.panel?.hide();
      this.panel = next;
      this.stage.replaceChildren(next.root);
    }
    // While one pans nothing but the picture changes.
    if (swap || !changed || [...changed].some((key) => !moving.has(key))) {
      this.drawTabs(views, view);
      this.drawTitle();
      this.mapper.show();
      this.compare.show();
      if (swap || !changed || view === 'lines' || view === 'text' || [...changed].some((key) => key !== 'at' && !moving.has(key))) this.drawControls();
    }
    this.stage.classList.toggle('is-empty', empty);
    if (!empty) next.show(store.now, swap ? null : changed);
    this.trail.note(store.now);
    this.statistics.later();
    this.side.later();
    this.axes.show();
  }

  // takeXs gives lines along another axis than before the coordinates of this
  // axis, unless the address says what they are over.
  private takeXs(axis: number): void {
    const { store, hub } = this;
    const s = store.now;
    const key = [s.f, s.e, s.field, axis].join(' ');
    const { explicit } = this;
    this.explicit = false;
    if (key === this.xsOf) return;
    const turned = this.xsOf.startsWith([s.f, s.e, s.field, ''].join(' ')); // the same array
    this.xsOf = key;
    const found = hub.coordinates.along(axis)?.c;
    const xs = found ? `${found.f}.${found.e}` : '';
    const was = this.xsFound;
    this.xsFound = xs;
    if (explicit || s.xs === xs || (!found && !turned && s.xs !== was)) return;
    store.set({ xs });
  }

  private drawControls(): void {
    const panel = this.panel;
    if (panel) keepFocus(this.controls, () => this.controls.replaceChildren(...this.fieldControl(), ...panel.controls(), ...this.packingControl()));
  }

  private fieldControl(): Node[] {
    const fields = this.hub.info.fields ?? [];
    if (!fields.length) return [];
    return [select('Field', [['', 'whole record'], ...fields.map((f): [string, string] => [f.name, f.name + '  ' + f.dtype])], this.store.now.field, (field) => {
      const view = viewsOf(shownOf(this.hub.info, field))[0];
      this.store.set({ field, view, at: [], lo: null, hi: null, l0: null, l1: null, b0: null, b1: null, y0: null, y1: null, x0: null, x1: null, reg: '' });
    })];
  }

  // packingControl shows packed elements as they are stored, or what they stand for.
  private packingControl(): Node[] {
    const { info, store } = this.hub;
    const p = info.packing;
    if (!p || store.now.field) return [];
    return [toggle(`Show the elements as stored, ${p.stored}, without ${p.note}`, store.now.raw, () => store.set({ raw: !store.now.raw, lo: null, hi: null, b0: null, b1: null, where: '', sort: '' }), 'as stored')];
  }

  private create(view: View): Panel {
    switch (view) {
      case 'heatmap':
      case 'image':
        return (this.panels.heatmap = this.panels.image = new Heatmap(this.hub));
      case 'lines':
        return new Lines(this.hub);
      case 'table':
        return new Table(this.hub);
      case 'histogram':
        return new Histogram(this.hub);
      case 'text':
        return new Text(this.hub);
      case 'scatter':
        return this.later(view, async () => new (await import('./more')).Scatter(this.hub));
    }
  }

  // later stands in for a panel whose script is still to come.
  private later(view: View, load: () => Promise<Panel>): Panel {
    const root = el('div', { class: 'panel', 'data-state': 'loading' });
    const waiting: Panel = { root, controls: () => [], show: () => {}, hide: () => {}, key: () => false, seen: () => ({}), print: () => null };
    load().then((panel) => {
      if (this.panels[view] !== waiting) return;
      this.panels[view] = panel;
      if (this.panel === waiting) this.render(null);
    }, (err: unknown) => this.problem(err));
    return waiting;
  }

  private async help(): Promise<void> {
    (await import('./more')).help();
  }

  private drawTabs(views: View[], now: View): void {
    const shown = order.filter((v) => views.includes(v));
    const key = shown.join();
    if (this.tabs.dataset.key !== key) {
      this.tabs.dataset.key = key;
      this.tabs.replaceChildren(...shown.map((v) => el('button', { type: 'button', role: 'tab', 'data-view': v, id: 'tab-' + v, 'aria-controls': 'stage', onclick: () => this.store.set({ view: v }), onkeydown: (e: KeyboardEvent) => this.tabKey(e, shown, v) }, names[v])));
    }
    for (const tab of this.tabs.querySelectorAll<HTMLElement>('[role=tab]')) {
      const on = tab.dataset.view === now;
      tab.setAttribute('aria-selected', String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }

  private tabKey(e: KeyboardEvent, shown: View[], v: View): void {
    const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
    if (!by) return;
    e.preventDefault();
    e.stopPropagation();
    const next = shown[(shown.indexOf(v) + by + shown.length) % shown.length];
    this.store.set({ view: next });
    byId('tab-' + next).focus();
  }

  private drawTitle(): void {
    const { info, shown } = this.hub;
    const field = this.store.now.field;
    this.title.replaceChildren(
      el('span', { class: 'faint' }, info.file + (info.path && this.hub.files[info.f]?.entries !== 1 ? ' › ' : '')),
      el('strong', {}, (info.path && this.hub.files[info.f]?.entries !== 1 ? info.path : '') + (field ? '.' + field : '')),
      el('span', { class: 'chip' }, shown.kind === 'record' ? 'record' : shown.dtype.length > 28 ? shown.kind : shown.dtype),
      el('span', { class: 'chip' }, shown.shape.length ? shown.shape.join(' × ') : 'scalar'));
    this.title.title = `${info.file} ${info.path} ${shown.dtype}`;
  }

  private repaint(): void {
    if (this.ready) this.render(new Set());
  }

  private switchTheme(): void {
    this.store.set({ theme: isDark() ? 'light' : 'dark' });
  }

  private async share(): Promise<void> {
    this.store.write();
    this.hub.status((await copy(location.href)) ? 'address copied' : 'the browser did not let the page copy; the address is above');
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) {
      if (!(e.ctrlKey && (e.key === 'Home' || e.key === 'End'))) return;
    }
    const target = e.target as HTMLElement;
    if (document.querySelector('dialog[open]') || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) {
      const range = target instanceof HTMLInputElement && target.type === 'range' && !e.key.startsWith('Arrow') && e.key !== 'Home' && e.key !== 'End';
      if (!range) return;
    }
    const pressed = target.tagName === 'BUTTON' || target.tagName === 'SUMMARY';
    if (pressed && (e.key === ' ' || e.key === 'Enter')) return;
    if (this.panel?.key(e) || this.command(e.key)) e.preventDefault();
  }

  private command(key: string): boolean {
    const { store } = this;
    const s = store.now;
    switch (key) {
      case '?': void this.help(); return true;
      case '/':
        document.body.classList.remove('tree-closed');
        if (innerWidth < 900) document.body.classList.add('tree-open');
        this.tree.search.focus();
        this.tree.search.select();
        return true;
      case 't': this.switchTheme(); return true;
      case 'i': document.body.classList.toggle('side-closed'); return true;
      case 'y': void this.share(); return true;
      case 'e': byId('export').focus(); return true;
      case 'h':
      case 'Home':
        store.set({ y0: null, y1: null, x0: null, x1: null, l0: null, l1: null, b0: null, b1: null, lo: null, hi: null });
        return true;
      case 'c':
      case 'Backspace': this.trail.go(-1); return true;
      case 'v': this.trail.go(1); return true;
      case 'o': store.set({ tool: s.tool === 'zoom' ? 'pan' : 'zoom' }); return true;
      case 'p': store.set({ tool: 'pan' }); return true;
      case 'g': store.set({ grid: !s.grid }); return true;
      case 'm': {
        const all = maps.map((m) => m.name);
        store.set({ map: all[(all.indexOf(s.map || 'viridis') + 1) % all.length] });
        return true;
      }
      case '[': return this.mapper.slide(-1);
      case ']': return this.mapper.slide(1);
      case ' ': return this.mapper.togglePlay();
      case 'b': return this.compare.flip();
      case 'd': return this.compare.toggleMode();
      case 'x':
        if (s.cmp) store.set({ cmp: '', mode: 'side', lo: null, hi: null });
        return true;
      case 'w': return (this.panels.table as Table | undefined)?.focusFilter() ?? false;
      case 'Escape': document.body.classList.remove('tree-open'); return false;
    }
    const n = Number(key);
    if (n >= 1 && n <= order.length && this.views().includes(order[n - 1])) {
      store.set({ view: order[n - 1] });
      return true;
    }
    return false;
  }
}

const blank: ArrayInfo = { f: 0, e: 0, path: '', file: '', dtype: '', kind: 'float', shape: [], fortran: false, nbytes: 0, fields: null, dims: null, attributes: null, etag: '', packing: null, label: '', units: '', calendar: '' };
