// The box beside the pointer.

import { el } from './dom';

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
    this.root.replaceChildren(el('div', { class: 'tip-place' }, place), ...coordinates.map((v) => el('div', { class: 'tip-coordinate' }, v)), ...values.map((v) => el('div', { class: 'tip-value' }, v)));
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
