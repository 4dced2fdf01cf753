// The trail of windows, for back and forward.

import type { State, Store } from './state';

const keys = ['y0', 'y1', 'x0', 'x1', 'l0', 'l1', 'b0', 'b1'] as const;
type Place = Pick<State, (typeof keys)[number]>;

export class Trail {
  private places: Place[] = [];
  private at = -1;
  private timer = 0;
  private of = '';

  constructor(private store: Store) {}

  // note keeps the window once it has rested.
  note(now: State): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const of = [now.f, now.e, now.field, now.at.map((w) => (/^\d+$/.test(w) ? '' : w))].join(' ');
      if (of !== this.of) {
        this.of = of;
        this.places = [];
        this.at = -1;
      }
      const place = Object.fromEntries(keys.map((k) => [k, this.store.now[k]])) as Place;
      if (this.at >= 0 && keys.every((k) => this.places[this.at][k] === place[k])) return;
      this.places.length = this.at + 1;
      this.places.push(place);
      this.at = this.places.length - 1;
    }, 250);
  }

  go(by: number): void {
    const to = this.at + by;
    if (to < 0 || to >= this.places.length) return;
    this.at = to;
    this.store.set(this.places[to]);
  }
}
