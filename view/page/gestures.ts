// Drag, wheel, pinch, box and hover on a canvas, as one set of calls.

export interface Gestures {
  inside(px: number, py: number): boolean;
  tool(): string;
  pan(dx: number, dy: number): void;
  zoom(factor: number, px: number, py: number, axis: string): void;
  draw?(places: { x: number; y: number }[], done: boolean): void; // of the tools line and path
  box(px0: number, py0: number, px1: number, py1: number): void;
  hover(px: number, py: number): void;
  leave(): void;
  click(px: number, py: number): void;
  home(): void;
  moving(now: boolean): void;
}

export function gestures(canvas: HTMLCanvasElement, g: Gestures): void {
  const down = new Map<number, { x: number; y: number }>();
  let start: { x: number; y: number } | null = null;
  let drawn: { x: number; y: number }[] | null = null;
  let rubber: HTMLElement | null = null;
  let moved = false;
  let settle = 0;

  const place = (e: MouseEvent) => {
    const box = canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const rest = () => {
    clearTimeout(settle);
    settle = window.setTimeout(() => g.moving(false), 120);
  };
  const drawRubber = (a: { x: number; y: number }, b: { x: number; y: number }) => {
    if (!rubber) {
      rubber = document.createElement('div');
      rubber.className = 'rubber';
      canvas.parentElement!.append(rubber);
    }
    const s = rubber.style;
    s.left = canvas.offsetLeft + Math.min(a.x, b.x) + 'px';
    s.top = canvas.offsetTop + Math.min(a.y, b.y) + 'px';
    s.width = Math.abs(a.x - b.x) + 'px';
    s.height = Math.abs(a.y - b.y) + 'px';
  };

  canvas.addEventListener('pointerdown', (e) => {
    const p = place(e);
    if (e.button !== 0 || !g.inside(p.x, p.y)) return;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(e.pointerId);
    down.set(e.pointerId, p);
    moved = false;
    start = down.size === 1 && /^(zoom|box)$/.test(g.tool()) !== e.shiftKey ? p : null;
    drawn = down.size === 1 && /^(line|path)$/.test(g.tool()) && !e.shiftKey ? [p] : null;
    g.leave();
  });
  canvas.addEventListener('pointermove', (e) => {
    const p = place(e);
    const last = down.get(e.pointerId);
    if (!last) {
      if (g.inside(p.x, p.y) && e.pointerType !== 'touch') g.hover(p.x, p.y);
      else g.leave();
      return;
    }
    if (Math.abs(p.x - last.x) + Math.abs(p.y - last.y) < (moved ? 0.5 : 3)) return;
    moved = true;
    if (drawn) {
      drawn.push(p);
      down.set(e.pointerId, p);
      g.draw?.(drawn, false);
      return;
    }
    if (start) {
      drawRubber(start, p);
      return;
    }
    g.moving(true);
    if (down.size === 2) {
      const other = [...down].find(([id]) => id !== e.pointerId)![1];
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const after = Math.hypot(p.x - other.x, p.y - other.y);
      g.pan((p.x - last.x) / 2, (p.y - last.y) / 2);
      if (before > 10 && after > 10) g.zoom(before / after, (p.x + other.x) / 2, (p.y + other.y) / 2, 'xy');
    } else if (down.size === 1) {
      g.pan(p.x - last.x, p.y - last.y);
    }
    down.set(e.pointerId, p);
  });
  const up = (e: PointerEvent) => {
    if (!down.delete(e.pointerId)) return;
    const p = place(e);
    rubber?.remove();
    rubber = null;
    if (drawn && moved) g.draw?.(e.type === 'pointerup' ? drawn : [], true);
    else if (start && moved && e.type === 'pointerup') g.box(start.x, start.y, p.x, p.y);
    else if (!moved && e.type === 'pointerup') g.click(p.x, p.y);
    start = null;
    drawn = null;
    rest();
  };
  canvas.addEventListener('pointerup', up);
  canvas.addEventListener('pointercancel', up);
  canvas.addEventListener('pointerleave', () => g.leave());
  canvas.addEventListener('dblclick', () => g.home());
  canvas.addEventListener('wheel', (e) => {
    const p = place(e);
    if (!g.inside(p.x, p.y)) return;
    e.preventDefault();
    g.moving(true);
    const lines = e.deltaMode === 1 ? 20 : e.deltaMode === 2 ? 400 : 1;
    // A browser turns the wheel sideways while shift is held.
    const delta = (e.deltaY || e.deltaX) * lines;
    g.zoom(Math.exp(Math.max(-300, Math.min(300, delta)) * 0.002), p.x, p.y, e.shiftKey ? 'y' : e.altKey ? 'x' : 'xy');
    rest();
  }, { passive: false });
}
