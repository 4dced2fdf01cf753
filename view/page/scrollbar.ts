// A scrollbar of any length: its thumb stands for a position, not for pixels.

import { el } from './dom';

export class Scrollbar {
  readonly root: HTMLElement;
  private thumb = el('div', { class: 'thumb' });
  private first = 0;
  private page = 1;
  private total = 1;

  constructor(private way: 'vertical' | 'horizontal', label: string, private go: (first: number) => void) {
    this.root = el('div', { class: 'scrollbar ' + way, role: 'scrollbar', 'aria-label': label, 'aria-orientation': way, tabIndex: -1 }, this.thumb);
    this.root.addEventListener('pointerdown', (e) => this.down(e));
  }

  show(first: number, page: number, total: number): void {
    this.first = first;
    this.page = page;
    this.total = total;
    this.root.classList.toggle('idle', total <= page);
    this.root.setAttribute('aria-valuenow', String(first));
    this.root.setAttribute('aria-valuemax', String(Math.max(0, total - page)));
    const { long, room } = this.lengths();
    const at = total > page ? (first / (total - page)) * room : 0;
    const s = this.thumb.style;
    if (this.way === 'vertical') {
      s.height = long + 'px';
      s.top = Math.min(room, at) + 'px';
    } else {
      s.width = long + 'px';
      s.left = Math.min(room, at) + 'px';
    }
  }

  private lengths(): { long: number; room: number } {
    const all = this.way === 'vertical' ? this.root.clientHeight : this.root.clientWidth;
    const long = Math.max(28, Math.min(all, (all * this.page) / Math.max(1, this.total)));
    return { long, room: Math.max(0, all - long) };
  }

  private down(e: PointerEvent): void {
    e.preventDefault();
    const box = this.root.getBoundingClientRect();
    const { long, room } = this.lengths();
    const place = (m: PointerEvent) => (this.way === 'vertical' ? m.clientY - box.top : m.clientX - box.left);
    const start = this.total > this.page ? (this.first / (this.total - this.page)) * room : 0;
    const within = e.target === this.thumb ? place(e) - start : long / 2;
    const move = (m: PointerEvent) => {
      const t = room > 0 ? Math.max(0, Math.min(1, (place(m) - within) / room)) : 0;
      this.go(Math.round(t * Math.max(0, this.total - this.page)));
    };
    move(e);
    this.root.setPointerCapture(e.pointerId);
    this.root.addEventListener('pointermove', move);
    const up = () => this.root.removeEventListener('pointermove', move);
    this.root.addEventListener('pointerup', up, { once: true });
    this.root.addEventListener('pointercancel', up, { once: true });
  }
}
