// Times: numbers that count from a moment of a calendar, as netCDF's "days since
// 1850-01-01" and NumPy's datetime64, their texts and their ticks.

import { short, stepOf, tickText, ticks, type TickText } from './scales';

type Days = (y: number, m: number, d: number) => number; // since 1970-01-01

const day = 86400e3;
const before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]; // days of a year without a leap day
const ofMarch = (m: number, d: number) => Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1;

const gregorian: Days = (y, m, d) => {
  if (m <= 2) y--;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + ofMarch(m, d) - 719468;
};
const julian: Days = (y, m, d) => {
  if (m <= 2) y--;
  return 365 * y + Math.floor(y / 4) + ofMarch(m, d) - 719470;
};
// The day after 4 October 1582 is the 15th.
const mixed: Days = (y, m, d) => (y > 1582 || (y === 1582 && (m > 10 || (m === 10 && d >= 15))) ? gregorian : julian)(y, m, d);

const calendars: { [name: string]: { days: Days; year: number } } = {
  standard: { days: mixed, year: 365.2425 },
  gregorian: { days: mixed, year: 365.2425 },
  proleptic_gregorian: { days: gregorian, year: 365.2425 },
  julian: { days: julian, year: 365.25 },
  noleap: { days: (y, m, d) => 365 * (y - 1970) + before[m - 1] + d - 1, year: 365 },
  all_leap: { days: (y, m, d) => 366 * (y - 1970) + before[m - 1] + (m > 2 ? 1 : 0) + d - 1, year: 366 },
  '360_day': { days: (y, m, d) => 360 * (y - 1970) + 30 * (m - 1) + d - 1, year: 360 },
};
calendars['365_day'] = calendars.noleap;
calendars['366_day'] = calendars.all_leap;

const lengths: { [unit: string]: number } = {};
for (const [names, ms] of [
  ['ns nanosecond nanoseconds nanosec nanosecs', 1e-6], ['us microsecond microseconds microsec microsecs', 1e-3],
  ['ms millisecond milliseconds millisec millisecs msec msecs', 1], ['s second seconds sec secs', 1e3], ['min minute minutes mins', 60e3],
  ['h hr hrs hour hours', 3600e3], ['d day days', day], ['week weeks', 7 * day],
] as [string, number][]) for (const name of names.split(' ')) lengths[name] = ms;

// A Time turns numbers into moments, in milliseconds since 1970-01-01 of its calendar.
export class Time {
  constructor(private days: Days, private year: number, private from: number, private unit: number, private months = 0) {}

  ms(v: number): number {
    if (!this.months) return this.from + v * this.unit;
    const n = v * this.months;
    const whole = Math.floor(n);
    const a = this.days(1970 + Math.floor(whole / 12), ((whole % 12) + 12) % 12 + 1, 1);
    const b = this.days(1970 + Math.floor((whole + 1) / 12), (((whole + 1) % 12) + 12) % 12 + 1, 1);
    return (a + (n - whole) * (b - a)) * day;
  }

  back(ms: number): number {
    if (!this.months) return (ms - this.from) / this.unit;
    const [y, m] = this.date(Math.floor(ms / day));
    const a = this.days(y, m, 1);
    const b = m === 12 ? this.days(y + 1, 1, 1) : this.days(y, m + 1, 1);
    return ((y - 1970) * 12 + m - 1 + (ms / day - a) / (b - a)) / this.months;
  }

  // date gives year, month and day of a number of days.
  private date(n: number): [number, number, number] {
    let y = 1970 + Math.floor(n / this.year);
    while (this.days(y, 1, 1) > n) y--;
    while (this.days(y + 1, 1, 1) <= n) y++;
    let m = 12;
    while (m > 1 && this.days(y, m, 1) > n) m--;
    let d = 31;
    while (d > 1 && this.days(y, m, d) > n) d--;
    return [y, m, d];
  }

  private parts(ms: number): { date: string; clock: string; part: number } | null {
    ms = Math.round(ms);
    const n = Math.floor(ms / day);
    if (!(Math.abs(n) < 1e8)) return null; // no calendar goes so far
    const [y, m, d] = this.date(n);
    const two = (v: number) => String(v).padStart(2, '0');
    const t = ms - n * day;
    const year = (y < 0 ? '-' : '') + String(Math.abs(y)).padStart(4, '0');
    return { date: `${year}-${two(m)}-${two(d)}`, clock: `${two(Math.floor(t / 3600e3))}:${two(Math.floor(t / 60e3) % 60)}:${two(Math.floor(t / 1e3) % 60)}`, part: t % 1e3 };
  }

  // text writes a moment, without the parts that are zero.
  text(v: number): string {
    if (v !== v) return 'NaT';
    const p = this.parts(this.ms(v));
    if (!p) return short(v, 8);
    if (p.part) return `${p.date} ${p.clock}.${String(p.part).padStart(3, '0')}`;
    return p.clock === '00:00:00' ? p.date : p.date + ' ' + (p.clock.endsWith(':00') ? p.clock.slice(0, 5) : p.clock);
  }

  // ticks gives about n moments from lo to hi where calendars and clocks have
  // round numbers, and their texts.
  ticks(lo: number, hi: number, n: number): { all: number[]; text: TickText } {
    const a = this.ms(lo);
    const b = this.ms(hi);
    const step = (b - a) / Math.max(1, n);
    if (!(Math.abs(a) < 1e8 * day && Math.abs(b) < 1e8 * day)) {
      const all = ticks(lo, hi, n);
      return { all, text: tickText(all) };
    }
    if (!(step > 0)) return { all: [lo], text: Object.assign((v: number) => this.text(v), { offset: '' }) };
    const out: number[] = [];
    const put = (ms: number) => {
      if (ms >= a - 1e-6 && ms <= b + 1e-6 && out.length < 200) out.push(ms);
    };
    let write: (p: { date: string; clock: string; part: number }) => string = (p) => p.date;
    let offset = '';
    const clock = [1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 2 * 3600e3, 3 * 3600e3, 6 * 3600e3, 12 * 3600e3].find((s) => s >= step);
    if (clock) {
      const by = step <= 500 ? Math.max(1, stepOf(step)) : clock;
      for (let t = Math.ceil(a / by - 1e-9) * by; t <= b; t += by) put(t);
      const midnight = out.some((t) => t % day === 0);
      if (!midnight && out.length) offset = this.parts(out[0])?.date ?? '';
      write = (p) => (p.clock === '00:00:00' && !p.part ? p.date : by < 1e3 ? `${p.clock}.${String(p.part).padStart(3, '0')}` : by < 60e3 ? p.clock : p.clock.slice(0, 5));
    } else {
      const first = this.date(Math.floor(a / day));
      const last = this.date(Math.floor(b / day));
      const days = step / day;
      const byDays = [1, 2, 5, 10, 15].find((s) => s >= days);
      const byMonths = [1, 2, 3, 4, 6].find((s) => s * 30.5 >= days);
      if (byDays ?? byMonths) {
        for (let k = first[0] * 12 + first[1] - 1; k <= last[0] * 12 + last[1] - 1; k++) {
          const y = Math.floor(k / 12);
          const m = k - 12 * y + 1;
          if (!byDays) {
            if ((m - 1) % byMonths! === 0) put(this.days(y, m, 1) * day);
            continue;
          }
          // No tick close to the first day of the next month.
          const from = this.days(y, m, 1);
          const end = m === 12 ? this.days(y + 1, 1, 1) : this.days(y, m + 1, 1);
          for (let d = from; d <= end - Math.max(1, byDays / 2); d += byDays) put(d * day);
        }
        if (!byDays) write = (p) => p.date.slice(0, -3);
      } else {
        const by = stepOf(days / this.year);
        for (let y = Math.ceil(first[0] / by) * by; y <= last[0]; y += by) put(this.days(y, 1, 1) * day);
        write = (p) => p.date.slice(0, -6);
      }
    }
    const all = out.map((ms) => this.back(ms));
    return { all, text: Object.assign((v: number) => {
      const p = this.parts(this.ms(v));
      return p ? write(p) : short(v, 8);
    }, { offset }) };
  }
}

// timeOf gives the times that numbers stand for: of a dtype datetime64, or with
// units that count from a moment. It gives nothing for other numbers.
export function timeOf(dtype: string, units = '', calendar = ''): Time | undefined {
  const m = /^[<>=|]?(?:M8|datetime64)\[(\d*)(\w+)\]$/.exec(dtype);
  if (m) {
    const many = Number(m[1] || 1);
    if (m[2] === 'Y' || m[2] === 'M') return new Time(gregorian, 365.2425, 0, 1, many * (m[2] === 'Y' ? 12 : 1));
    const ms = { W: 7 * day, D: day, h: 3600e3, m: 60e3 }[m[2]] ?? lengths[m[2]];
    return ms ? new Time(gregorian, 365.2425, 0, ms * many) : undefined;
  }
  const c = calendars[calendar.toLowerCase() || 'standard'];
  const u = /^\s*(\w+)\s+since\s+([+-]?\d{1,6})-(\d{1,2})-(\d{1,2})(?:[T\s]+(\d{1,2})(?::(\d{1,2}))?(?::(\d{1,2}(?:\.\d*)?))?)?\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d{2})?)?\s*$/i.exec(units);
  if (!c || !u) return undefined;
  const [y, mo, d] = [Number(u[2]), Number(u[3]), Number(u[4])];
  if (mo < 1 || mo > 12 || d < 1 || d > 31) return undefined;
  const unit = lengths[u[1].toLowerCase()] ?? (/^months?$/i.test(u[1]) && c.year === 360 ? 30 * day : undefined);
  if (!unit) return undefined; // years and months have no fixed length
  const zone = /^([+-])(\d{1,2}):?(\d{2})?$/.exec(u[8] ?? '');
  const shift = zone ? (zone[1] === '-' ? -1 : 1) * (Number(zone[2]) * 3600e3 + Number(zone[3] ?? 0) * 60e3) : 0;
  const clock = Number(u[5] ?? 0) * 3600e3 + Number(u[6] ?? 0) * 60e3 + Number(u[7] ?? 0) * 1e3;
  return new Time(c.days, c.year, c.days(y, mo, d) * day + clock - shift, unit);
}
