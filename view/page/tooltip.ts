// The box beside the pointer.

import { el, visible } from './dom';

export class Tooltip {
  readonly root = el('div', { class: 'tip', role: 'tooltip', hidden: true });
  private timer = 0;

  at(x: number, y: number, w: number, h: number): void {
    this.root.hidden = false;
    const s = this.root.style;
    s.left = x > w - 220 ? 'auto' : x + 14 + 'px';
    s.right = x > w - 220 ? w - x + 14 + 'px' : 'auto';
    s.top = y > h - 90 ? 'auto' : y + 14 + 'px';
    s.bottom = y > h - 90 ? h - y + 10 + 'px' : 'auto';
  }

  // fill shows a place, the coordinates there and the values.
  fill(place: string, values: string[], coordinates: string[] = []): void {
    const line = (kind: string) => (text: string) => el('div', { class: 'tip-' + kind }, visible(text));
    this.root.replaceChildren(line('place')(place), ...coordinates.map(line('coordinate')), ...values.map(line('value')));
  }

  // later calls once the pointer has rested a moment.
  later(call: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(call, 50);
  }

  hide(): void {
    clearTimeout(this.timer);
    this.root.hidden = true;
  }
}
