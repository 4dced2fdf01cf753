// The card with the coordinates of the axes, where one chooses others.

import { el, fill } from './dom';
import type { Hub } from './hub';
import { nameOf } from './selection';
import type { Coordinate, Entry } from './types';

export class AxesCard {
  readonly root = el('section', { class: 'card axes', 'aria-label': 'Coordinates of the axes', hidden: true });
  private key = '';
  private others: Entry[] = [];
  private listed = -1; // the generation of others

  constructor(private hub: () => Hub) {}

  show(): void {
    const hub = this.hub();
    const { store, info, coordinates, generation } = hub;
    const s = store.now;
    if (this.listed !== generation) {
      this.listed = generation;
      hub.entries().then((all) => {
        this.others = all.filter((a) => !a.group && !a.error && a.shape?.length === 1 && /^(float|int|uint|datetime|timedelta)/.test(a.kind));
        this.show();
      }, () => {});
    }
    const own = `${info.f}.${info.e}`;
    const rows = info.shape.map((n, axis) => {
      const all = coordinates.axes[axis]?.all ?? [];
      const others = this.others.filter((a) => a.shape[0] === n && `${a.f ?? info.f}.${a.e}` !== own && !all.some((c) => c.f === (a.f ?? info.f) && c.e === a.e));
      const now = coordinates.choice(axis);
      const along = now && !now.why ? coordinates.along(axis) : null;
      along?.want(0, now!.n);
      const range = along && now!.n > 0 ? `${along.text(0, false)} … ${along.text(now!.n - 1)}` : '';
      return { n, axis, all, others, now, range, by: s.ax[axis] ?? '' };
    });
    const any = info.shape.length > 0 && info.shape.length < 32 && rows.some((r) => r.all.length || (r.others.length && info.shape.length > 1) || r.by);
    this.root.hidden = !any;
    const key = JSON.stringify([own, rows, info.dims]);
    if (key === this.key) return;
    this.key = key;
    fill(this.root, any ? el('header', {}, el('h2', {}, 'Axes')) : null);
    if (!any) return;
    for (const r of rows) {
      const name = info.dims?.[r.axis] || 'axis ' + r.axis;
      const whole = (c: { f?: number; path: string }) => nameOf({ f: c.f ?? info.f, path: c.path, file: hub.files[c.f ?? info.f]?.name ?? '' }, hub.files);
      const title = (c: { f?: number; path: string }) => whole(c).replace(/^.*\//, '');
      const found = coordinates.found(r.axis);
      const options: [string, string][] = [];
      if (found) options.push(['', title(found)]);
      options.push([found ? '-' : '', 'positions']);
      for (const c of r.all) if (!c.why && c !== found) options.push([`${c.f}.${c.e}`, title(c)]);
      for (const a of r.others.slice(0, 100)) options.push([`${a.f ?? info.f}.${a.e}`, title(a)]);
      if (!options.some(([v]) => v === r.by)) options.push([r.by, r.now ? title(r.now) : r.by]);
      const list = el('select', { 'aria-label': 'Coordinates of ' + name, 'data-axis': String(r.axis), title: r.now ? whole(r.now) : null, onchange: () => {
        const ax = info.shape.map((_, i) => store.now.ax[i] ?? '');
        ax[r.axis] = list.value;
        store.set({ ax: ax.some((w) => w) ? ax : [] });
      } });
      for (const [v, text] of options) list.append(el('option', { value: v, selected: v === r.by }, text));
      const why = (c: Coordinate) => el('p', { class: 'note why' }, `${title(c)} is not used: ${c.why}`);
      const refused = [...r.all, ...(r.now && !r.all.includes(r.now) ? [r.now] : [])].filter((c) => c.why);
      this.root.append(el('div', { class: 'axis-row' }, el('span', { class: 'dim', title: name }, name), list), r.range ? el('p', { class: 'note range' }, r.range) : '', ...refused.map(why));
    }
  }
}
