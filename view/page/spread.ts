// How the elements of a slice are spread: the ends of the automatic colours and
// the counts of the colour bar. A large slice has those of a sample first.

import { Latest, type Params } from './ask';
import { button, el } from './dom';
import type { Hub } from './hub';
import { bytes as sizeText } from './scales';
import type { Window } from './types';

interface Answer {
  exact: boolean;
  low?: number;
  high?: number;
  counts?: number[];
}

const large = 512 << 20; // bytes that are read only when one asks

// A Question is what one wants to know, and its last answer.
class Question {
  answer: Answer | null = null;
  key = '';
  private latest = new Latest();
  private timer = 0;

  constructor(private hub: Hub, private came: () => void) {}

  ask(params: Params, exact: boolean, wait: number): void {
    const key = JSON.stringify(params) + this.hub.generation + exact;
    if (key === this.key) return;
    if (this.key.replace(/(true|false)$/, '') !== key.replace(/(true|false)$/, '')) this.answer = null;
    this.key = key;
    clearTimeout(this.timer);
    const signal = this.latest.next();
    if (wait) this.timer = window.setTimeout(() => void this.load(params, exact, signal), wait);
    else void this.load(params, exact, signal);
  }

  private async load(params: Params, exact: boolean, signal: AbortSignal): Promise<void> {
    try {
      for (const quick of this.answer ? [0] : [1, 0]) {
        this.answer = await this.hub.ask.json<Answer>('spread', { ...params, quick }, signal);
        this.came();
        if (this.answer.exact || !exact) return;
      }
    } catch {
      // The colours stay estimated, as in a page that has only what was seen. The picture tells of what is wrong.
    }
  }

  forget(): void {
    clearTimeout(this.timer);
    this.latest.stop();
    this.key = '';
    this.answer = null;
  }
}

// A Spread is that of one pane.
export class Spread {
  private ends = new Map<string, Question>(); // by what is cut off
  private bins: Question;
  private agreed = '';

  constructor(private hub: Hub, private came: () => void) {
    this.bins = new Question(hub, came);
  }

  // ask gives the percentiles of the whole slice, nothing while they come.
  // bytes is the size of the slice.
  ask(params: Params, cut: number, positive: boolean, bytes: number): Answer | null {
    const q = { ...part(params), cut, positive };
    const key = cut + ' ' + positive;
    let ends = this.ends.get(key);
    if (!ends) this.ends.set(key, (ends = new Question(this.hub, this.came)));
    ends.ask(q, bytes <= large || this.agreed === JSON.stringify(part(params)), 0);
    return ends.answer;
  }

  // count gives the number of elements of a window in each bin.
  count(params: Params, win: Window, edges: number[], bytes: number): Answer | null {
    if (!edges.every((v, i) => Number.isFinite(v) && !(v < edges[i - 1]))) return null;
    this.bins.ask({ ...part(params), ...win, edges: edges.join() }, bytes <= large || this.agreed === JSON.stringify(part(params)), 120);
    return this.bins.answer;
  }

  // agree reads all of a slice that is large.
  agree(params: Params): void {
    this.agreed = JSON.stringify(part(params));
    this.came();
  }

  forget(): void {
    for (const e of this.ends.values()) e.forget();
    this.ends.clear();
    this.bins.forget();
  }
}

// part is the selection with the part of complex numbers whose spread is that of the colours.
const part = (params: Params): Params => (params.part === 'polar' ? { ...params, part: 'abs' } : params);

// estimated says that colours or counts are of a sample, and how they become exact.
export function estimated(bytes: number, read: () => void): HTMLElement {
  const why = 'The ends of the colours or the counts are those of a sample';
  if (bytes <= large) return el('span', { class: 'note', title: why + ' until all elements are read' }, 'estimated');
  return button(`${why}. Read ${sizeText(bytes)} for the exact ones`, read, { class: 'ghost estimated' }, 'estimated');
}
