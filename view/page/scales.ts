// Scales of values: how a value becomes a place between two ends, and where
// the ticks of an axis are.

export interface Scale {
  forward(v: number): number;
  back(t: number): number;
}

// scaleOf gives a scale whose transform is monotone on all numbers it takes.
// symlog is linear near zero: within a thousandth of the larger end.
export function scaleOf(name: string, lo: number, hi: number): Scale {
  switch (name) {
    case 'log':
      return { forward: (v) => Math.log10(v), back: (t) => 10 ** t };
    case 'sqrt':
      return { forward: (v) => (v < 0 ? -Math.sqrt(-v) : Math.sqrt(v)), back: (t) => (t < 0 ? -t * t : t * t) };
    case 'symlog': {
      const c = Math.max(Math.abs(lo), Math.abs(hi), 1e-300) / 1000;
      return { forward: (v) => Math.sign(v) * Math.log1p(Math.abs(v) / c), back: (t) => Math.sign(t) * Math.expm1(Math.abs(t)) * c };
    }
  }
  return { forward: (v) => v, back: (t) => t };
}

// ticks gives about n round numbers from lo to hi.
export function ticks(lo: number, hi: number, n: number): number[] {
  if (!(hi > lo) || !Number.isFinite(hi - lo)) return Number.isFinite(lo) ? [lo] : [];
  const step = stepOf((hi - lo) / Math.max(1, n));
  const out: number[] = [];
  const first = Math.ceil(lo / step - 1e-9);
  for (let i = first; i * step <= hi + step * 1e-9 && out.length < 200; i++) {
    out.push(i === 0 ? 0 : Number((i * step).toPrecision(15)));
  }
  return out;
}

export function stepOf(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const f = raw / power;
  return (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10) * power;
}

// wholeTicks gives positions along an axis of an array.
export function wholeTicks(lo: number, hi: number, n: number): number[] {
  const step = Math.max(1, stepOf((hi - lo) / Math.max(1, n)));
  const out: number[] = [];
  for (let v = Math.ceil(lo / step) * step; v < hi && out.length < 200; v += step) out.push(v);
  return out;
}

// scaleTicks gives ticks that suit a scale.
export function scaleTicks(name: string, lo: number, hi: number, n: number): number[] {
  if (name === 'log') return logTicks(lo, hi, n);
  if (name === 'symlog') {
    const s = scaleOf(name, lo, hi);
    const out = new Set<number>();
    for (const t of ticks(s.forward(lo), s.forward(hi), n)) out.add(Number(s.back(t).toPrecision(1)));
    return [...out].filter((v) => v >= lo && v <= hi);
  }
  return ticks(lo, hi, n);
}

export function logTicks(lo: number, hi: number, n: number): number[] {
  if (!(lo > 0) || !(hi > lo)) return [];
  const a = Math.log10(lo);
  const b = Math.log10(hi);
  if (b - a < 1) return ticks(lo, hi, n).filter((v) => v > 0);
  const step = Math.max(1, Math.ceil((b - a) / n));
  const out: number[] = [];
  for (let e = Math.ceil(a - 1e-9); e <= b + 1e-9; e += step) out.push(Number((10 ** e).toPrecision(12)));
  return out;
}

// short writes a number for a tick or a label.
export function short(v: number, digits = 5): string {
  if (v === 0) return '0';
  if (!Number.isFinite(v)) return Number.isNaN(v) ? 'nan' : v > 0 ? 'inf' : '-inf';
  const a = Math.abs(v);
  if (a >= 1e7 || a < 1e-4) return v.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(v.toPrecision(Math.max(digits, Math.ceil(Math.log10(a) + 1e-9)))));
}

// digitsFor gives the digits that tell numbers between two ends apart as n
// digits tell numbers from 0 on.
export function digitsFor(lo: number, hi: number, n: number): number {
  const ratio = Math.max(Math.abs(lo), Math.abs(hi)) / Math.abs(hi - lo);
  return ratio > 1 && Number.isFinite(ratio) ? Math.min(16, n + Math.ceil(Math.log10(ratio))) : n;
}

// A TickText writes the ticks of an axis, less an offset that all have.
export interface TickText {
  (v: number): string;
  offset: string; // +1e9, or nothing
}

// tickText writes all ticks of an axis with digits enough to tell them apart.
export function tickText(all: number[]): TickText {
  if (all.length < 2) return Object.assign((v: number) => short(v, 6), { offset: '' });
  const base = offsetOf(all);
  const text = (v: number) => Number((v - base).toPrecision(12));
  let step = Infinity;
  for (let i = 1; i < all.length; i++) step = Math.min(step, Math.abs(all[i] - all[i - 1]));
  const top = Math.max(...all.map((v) => Math.abs(text(v))));
  const digits = step > 0 && top > 0 ? Math.min(15, Math.max(1, Math.ceil(Math.log10(top / step)) + 1)) : 6;
  const offset = base === 0 ? '' : (base < 0 ? '−' : '+') + short(Math.abs(base), 12);
  return Object.assign((v: number) => short(Number(text(v).toPrecision(digits)), digits), { offset });
}

// offsetOf gives a round number near all ticks, if they are large beside their
// range and the texts are shorter without it.
function offsetOf(all: number[]): number {
  const lo = Math.min(...all);
  const hi = Math.max(...all);
  if (!(hi > lo) || (lo <= 0 && hi >= 0)) return 0;
  const [a, b] = lo > 0 ? [lo, hi] : [-hi, -lo];
  if (b / (b - a) < 1e4) return 0;
  let power = Math.ceil(Math.log10(b));
  const apart = (p: number) => Math.floor(b / 10 ** p) - Math.floor(a / 10 ** p);
  while (apart(power) <= 1) power--;
  const unit = 10 ** (power + 1);
  const base = Number((Math.floor(b / unit) * unit).toPrecision(15));
  return base / (b - a) < 1e3 ? 0 : lo > 0 ? base : -base;
}

// withOffset adds the offset of an axis to its name.
export function withOffset(name: string, text: TickText | undefined): string {
  return text?.offset ? (name + ' ' + text.offset).trim() : name;
}

// count writes a whole number with thin spaces between thousands.
export function count(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

// brief writes a number as NumPy prints it with 7 digits at most, and a whole number with thin spaces between thousands.
export function brief(text: string): string {
  if (/^-?\d+$/.test(text)) return text.replace(/\B(?=(\d{3})+$)/g, '\u202f');
  if (!/^-?\d+\.\d*(e[+-]?\d+)?$/.test(text) || text.replace(/^-|\.|e.*$/g, '').length <= 7) return text;
  return String(Number(Number(text).toPrecision(7)));
}

export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let i = 0;
  while (n >= 1000 && i < units.length - 1) {
    n /= 1000;
    i++;
  }
  return (i === 0 ? String(n) : n.toPrecision(3)) + ' ' + units[i];
}
