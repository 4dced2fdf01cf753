// What takes long: how much of it is done, and a button that stops it.

import type { Asker } from './ask';
import { button, el } from './dom';

const patience = 400; // ms before it is told, and between two looks

export class Busy {
  private bar = el('progress', { max: '1', id: 'work', 'aria-label': 'Progress' });
  readonly root = el('span', { class: 'work', hidden: true }, this.bar, button('Stop what takes long', () => this.ask.stop(), { class: 'toggle', id: 'stop' }, 'Stop'));
  private timer = 0;

  // which gives the array that is seen.
  constructor(private ask: Asker, private which: () => { f: number; e: number }) {}

  // show is told how many questions wait for an answer.
  show(waiting: number): void {
    if (waiting === 0) {
      clearTimeout(this.timer);
      this.timer = 0;
      this.root.hidden = true;
      return;
    }
    this.timer ||= window.setTimeout(() => void this.look(), patience);
  }

  private async look(): Promise<void> {
    const { f, e } = this.which();
    const done = await this.ask.work(f, e);
    if (this.ask.busy === 0) return;
    this.root.hidden = false;
    if (done === null) this.bar.removeAttribute('value');
    else this.bar.value = done;
    this.timer = window.setTimeout(() => void this.look(), patience);
  }
}
