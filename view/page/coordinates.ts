// The coordinates of axes: which array has them, their values where they are
// seen, and the ticks of an axis with them.

import { aborted, binary, Latest, type Asker, type Numeric } from './ask';
import { Time, timeOf } from './calendar';
import { digitsFor, short, tickText, ticks, wholeTicks, type TickText } from './scales';
import type { State } from './state';
import type { Coordinate, DescribedAxis } from './types';

interface Part {
  x0: number;
  x1: number;
  step: number;
  at: Numeric;
  values: Numeric;
}

export interface PlacedTick {
  at: number; // in positions, 0.5 in the middle of the first
  text: string;
}

// An Along has the values of coordinates, as far as they have been asked for.
export class Along {
  readonly time: Time | undefined;
  private whole: Part | null = null;
  private part: Part | null = null;
  private latest = new Latest();
  private asked = '';

  constructor(private ask: Asker, readonly c: Coordinate, private raw: boolean, private came: () => void, private failed: (err: unknown) => void) {
    this.time = timeOf(c.dtype, c.units, c.calendar);
  }

  // want asks for the values of a window, or some of them, unless they are there.
  want(x0: number, x1: number): void {
    x0 = Math.max(0, Math.floor(x0));
    x1 = Math.min(this.c.n, Math.ceil(x1));
    if (!this.whole) {
      this.load(0, this.c.n);
      return;
    }
    if (this.whole.step === 1 || x1 <= x0 || (x1 - x0) * 4 > this.c.n) return;
    const p = this.part;
    const fine = p && p.x0 <= x0 && p.x1 >= x1 && (p.step === 1 || (p.x1 - p.x0) <= 4 * (x1 - x0));
    if (!fine) this.load(Math.max(0, x0 - Math.ceil((x1 - x0) / 2)), Math.min(this.c.n, x1 + Math.ceil((x1 - x0) / 2)));
  }

  private load(x0: number, x1: number): void {
    const key = x0 + ' ' + x1;
    if (key === this.asked) return;
    this.asked = key;
    const { f, e, n } = this.c;
    void this.ask.bytes('along', { f, e, raw: this.raw, x0, x1 }, this.latest.next()).then((body) => {
      const { head, arrays } = binary(body);
      const p = { x0, x1, step: Number(head.step), at: arrays.at, values: arrays.values };
      if (x0 === 0 && x1 === n) this.whole = p;
      else this.part = p;
      this.came();
    }, (err: unknown) => {
      this.asked = ''; // asked again when the axis is drawn again
      if (!aborted(err)) this.failed(err);
    });
  }

  private partAt(i: number): Part | null {
    const p = this.part;
    return p && i >= p.x0 && i < p.x1 ? p : this.whole;
  }

  // at gives the value at a position, between two known ones and beyond the ends as on a line.
  at(i: number): number {
    const p = this.partAt(i);
    if (!p || !p.at.length) return NaN;
    const last = p.at.length - 1;
    if (last === 0) return p.values[0];
    const k = Math.min(last - 1, Math.max(0, Math.floor((i - p.x0) / p.step)));
    const t = (i - p.at[k]) / (p.at[k + 1] - p.at[k]);
    return t === 0 ? p.values[k] : t === 1 ? p.values[k + 1] : p.values[k] + t * (p.values[k + 1] - p.values[k]);
  }

  // exact tells whether the value at a position has been asked for.
  private exact(i: number): boolean {
    const p = this.partAt(i);
    return !!p && (p.step === 1 || (i - p.x0) % p.step === 0 || i === p.x1 - 1);
  }

  // position gives where a value lies, between positions too.
  private position(v: number): number {
    const p = this.part && this.between(this.part, v) ? this.part : this.whole;
    if (!p || p.at.length < 2) return NaN;
    const sign = this.c.rises ? 1 : -1;
    let lo = 0;
    let hi = p.at.length - 2;
    while (lo < hi) {
      const mid = (lo + hi + 1) >> 1;
      if (sign * p.values[mid] <= sign * v) lo = mid;
      else hi = mid - 1;
    }
    return p.at[lo] + ((v - p.values[lo]) / (p.values[lo + 1] - p.values[lo])) * (p.at[lo + 1] - p.at[lo]);
  }

  private between(p: Part, v: number): boolean {
    const a = p.values[0];
    const b = p.values[p.values.length - 1];
    return v >= Math.min(a, b) && v <= Math.max(a, b);
  }

  get name(): string {
    return this.c.path.replace(/^.*\//, '');
  }

  // label names an axis with these coordinates.
  get label(): string {
    return labelled(this.c.label || this.name, this.time ? '' : this.c.units);
  }

  // text writes the value at a position, with its units.
  text(i: number, units = true): string {
    const v = this.at(i);
    if (v !== v) return '';
    const mark = this.exact(i) ? '' : '≈ ';
    return mark + (this.time ? this.time.text(v) : (this.number(i, v) + (units ? ' ' + this.c.units : '')).trim());
  }

  // number writes a value with digits enough to tell it from its neighbours.
  private number(i: number, v: number): string {
    const next = this.at(i > 0 ? i - 1 : i + 1);
    const digits = next === next ? Math.max(7, digitsFor(v, next, 3)) : 7;
    const a = Math.abs(v);
    return Number.isInteger(v) && a < 1e15 ? String(v) : a >= 1e7 && a < 1e15 ? String(Number(v.toPrecision(digits))) : short(v, digits);
  }

  // ticks gives the ticks of a window from edge to edge of its cells, and what
  // all texts lack. Values at even distances have ticks at round values, others
  // at round positions.
  ticks(x0: number, x1: number, n: number): { all: PlacedTick[]; offset: string } {
    x0 = Math.max(0, x0);
    x1 = Math.min(this.c.n, x1);
    this.want(x0, x1);
    if (!this.whole || !(x1 > x0)) return { all: [], offset: '' };
    if (x1 - x0 <= n || this.c.n < 2 || !(this.time || this.even(x0, x1))) {
      const at = wholeTicks(Math.max(0, Math.ceil(x0 - 0.5)), x1 - 0.5 + 1e-9, n);
      const values = at.map((i) => this.at(i));
      const text = this.time ? (v: number) => this.time!.text(v) : distinct(values);
      return { all: at.map((i, k) => ({ at: i + 0.5, text: text(values[k]) })), offset: '' };
    }
    const a = this.at(x0 - 0.5);
    const b = this.at(x1 - 0.5);
    const [lo, hi] = [Math.min(a, b), Math.max(a, b)];
    let all: number[];
    let text: TickText;
    if (this.time) ({ all, text } = this.time.ticks(lo, hi, n));
    else {
      all = ticks(lo, hi, n);
      text = tickText(all);
    }
    const placed = all.map((v) => ({ at: this.position(v) + 0.5, text: text(v) })).filter((t) => t.at >= x0 && t.at <= x1);
    return { all: placed.sort((p, q) => p.at - q.at), offset: text.offset };
  }

  // even tells whether the values of a window lie at nearly even distances.
  private even(x0: number, x1: number): boolean {
    const from = Math.max(0, Math.floor(x0));
    const span = Math.min(this.c.n - 1, Math.ceil(x1)) - from;
    const n = Math.min(64, span);
    let least = Infinity;
    let most = 0;
    for (let k = 0; k < n; k++) {
      const d = Math.abs(this.at(from + Math.floor(((k + 1) * span) / n)) - this.at(from + Math.floor((k * span) / n))) / (Math.floor(((k + 1) * span) / n) - Math.floor((k * span) / n));
      least = Math.min(least, d);
      most = Math.max(most, d);
    }
    return most <= 3 * least;
  }
}

// labelled writes a name with its units.
export function labelled(name: string, units: string): string {
  if (!units || units === '1') return name;
  return name ? `${name} (${units})` : units;
}

// distinct writes values with digits enough to tell neighbours apart.
function distinct(values: number[]): (v: number) => string {
  for (let digits = 4; digits < 15; digits++) {
    const texts = values.map((v) => short(v, digits));
    if (new Set(texts).size === texts.length) return (v) => short(v, digits);
  }
  return (v) => short(v, 15);
}

// Coordinates are those of the axes of the array that is seen.
export class Coordinates {
  axes: DescribedAxis[] = [];
  private alongs = new Map<string, Along>();
  private chosen = new Map<string, Coordinate | null>(); // by hand; nothing while it is asked for
  private raw = false;

  constructor(private ask: Asker, private state: () => State, private came: () => void, private failed: (err: unknown) => void) {}

  // use takes the axes of another array, or of the same one after a change.
  use(axes: DescribedAxis[], raw: boolean): void {
    this.axes = axes;
    this.raw = raw;
    this.alongs.clear();
    this.chosen.clear();
  }

  // found gives the coordinates that the file has for an axis and that can be used.
  found(axis: number): Coordinate | undefined {
    return this.axes[axis]?.all.find((c) => !c.why);
  }

  // choice gives the coordinates of an axis, as found or chosen by hand. They may say why they cannot be used.
  choice(axis: number): Coordinate | undefined {
    const by = this.state().ax[axis] ?? '';
    if (by === '-') return undefined;
    return by ? this.describe(by, axis) : this.found(axis);
  }

  // describe gives what is known of an array as coordinates, and asks when nothing is.
  describe(by: string, axis: number): Coordinate | undefined {
    const listed = this.axes[axis]?.all.find((c) => `${c.f}.${c.e}` === by);
    if (listed) return listed;
    if (!/^\d+\.\d+$/.test(by)) return undefined;
    const key = by + ' ' + axis;
    if (!this.chosen.has(key)) {
      this.chosen.set(key, null);
      const { f, e, raw } = this.state();
      const { chosen } = this;
      this.ask.json<{ axes: DescribedAxis[] }>('axes', { f, e, raw, by, axis }).then((got) => {
        if (!this.chosen.has(key)) return; // of another array
        chosen.set(key, got.axes[0].all[0]);
        this.came();
      }, (err: unknown) => this.failed(err));
    }
    return this.chosen.get(key) ?? undefined;
  }

  // along gives the values of the coordinates of an axis, or nothing if it has none.
  along(axis: number): Along | null {
    const c = axis < 0 ? undefined : this.choice(axis);
    return c && !c.why ? this.values(c) : null;
  }

  private values(c: Coordinate): Along {
    const key = c.f + '.' + c.e;
    let a = this.alongs.get(key);
    if (!a) this.alongs.set(key, (a = new Along(this.ask, c, this.raw, this.came, this.failed)));
    return a;
  }

  // place writes the coordinates of a place: of the words of all axes that are
  // positions, and of y and x.
  place(at: string[], y = NaN, x = NaN): string[] {
    const out: string[] = [];
    at.forEach((word, axis) => {
      const i = word === 'y' ? y : word === 'x' ? x : /^\d+$/.test(word) ? Number(word) : NaN;
      if (i !== i) return;
      const along = this.along(axis);
      if (!along) return;
      along.want(i, i + 1);
      const text = along.text(i);
      if (text) out.push(along.name + ' ' + text);
    });
    return out;
  }
}
