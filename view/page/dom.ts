// Elements are built here and nowhere else: text from files only ever becomes
// a text node, so that a name cannot be markup.

type Child = Node | string | number | null | undefined | false;
type Props = { [name: string]: unknown };

export function el<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...kids: Child[]): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  set(node, props);
  add(node, kids);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

// icon draws a path of a 16 by 16 grid.
export function icon(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const p = document.createElementNS(SVG, 'path');
  p.setAttribute('d', path);
  svg.append(p);
  return svg;
}

export function set(node: HTMLElement, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'value' || name === 'checked' || name === 'tabIndex' || name === 'disabled' || name === 'selected') (node as unknown as Props)[name] = value;
    else node.setAttribute(name, value === true ? '' : String(value));
  }
}

export function add(node: Element, kids: Child[]): void {
  for (const kid of kids) {
    if (kid === null || kid === undefined || kid === false) continue;
    node.append(kid instanceof Node ? kid : String(kid));
  }
}

export function fill(node: Element, ...kids: Child[]): void {
  node.replaceChildren();
  add(node, kids);
}

export function byId(id: string): HTMLElement {
  const node = document.getElementById(id);
  if (!node) throw new Error('no element ' + id);
  return node;
}

// select is a labelled drop-down list of [value, text] pairs.
export function select(label: string, options: [string, string][], value: string, pick: (value: string) => void): HTMLLabelElement {
  // The label's text can be hidden, and the name must stay.
  const list = el('select', { 'aria-label': label, onchange: () => pick(list.value), 'data-name': label.toLowerCase() });
  for (const [v, text] of options) list.append(el('option', { value: v, selected: v === value }, text));
  if (!options.some(([v]) => v === value) && value !== '') list.append(el('option', { value, selected: true }, value));
  return el('label', { class: 'control' }, el('span', {}, label), list);
}

export function button(label: string, press: (event: Event) => void, props: Props = {}, ...kids: Child[]): HTMLButtonElement {
  return el('button', { type: 'button', title: label, 'aria-label': label, onclick: press, ...props }, ...(kids.length ? kids : [label]));
}

// toggle is a button that is on or off.
export function toggle(label: string, on: boolean, press: () => void, ...kids: Child[]): HTMLButtonElement {
  return button(label, press, { class: 'toggle', 'aria-pressed': String(on) }, ...kids);
}

// number is a labelled input of a number that may be empty.
export function numberInput(label: string, value: number | null, pick: (value: number | null) => void, props: Props = {}): HTMLLabelElement {
  const input = el('input', { type: 'text', inputmode: 'decimal', class: 'number', 'data-name': label, value: value === null ? '' : String(value), ...props });
  input.addEventListener('change', () => {
    const text = input.value.trim();
    const v = text === '' ? null : Number(text);
    if (v !== null && Number.isNaN(v)) input.setAttribute('aria-invalid', 'true');
    else pick(v);
  });
  return el('label', { class: 'control' }, el('span', {}, label), input);
}

let live: HTMLElement | undefined;

// announce tells screen readers, and nobody else.
export function announce(text: string): void {
  live ??= byId('live');
  live.textContent = text;
}

// reading keeps the focus where it was when a panel is built anew.
export function keepFocus(host: HTMLElement, build: () => void): void {
  const active = document.activeElement as HTMLElement | null;
  const inside = active && host.contains(active) ? active : null;
  const label = inside && (inside.getAttribute('aria-label') ?? inside.dataset.name ?? inside.id);
  build();
  if (!label) return;
  for (const node of host.querySelectorAll<HTMLElement>('button,select,input,[tabindex]')) {
    if ((node.getAttribute('aria-label') ?? node.dataset.name ?? node.id) === label) {
      node.focus({ preventScroll: true });
      return;
    }
  }
}

const controls: { [c: string]: string } = { '\n': '↵', '\r': '␍', '\t': '⇥', '\x7f': '␡' };

// visible shows control characters, and those that change the direction of text, where a text has one line.
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (c) => {
    const n = c.charCodeAt(0);
    return controls[c] ?? (n < 32 ? String.fromCharCode(0x2400 + n) : `‹U+${n.toString(16).toUpperCase().padStart(4, '0')}›`);
  });
}

// zoomButtons are a toggle of the zooming drag, and a button that shows everything.
export function zoomButtons(on: boolean, pick: (tool: string) => void, home: () => void): Node[] {
  return [
    toggle('Drag zooms into a box (o)', on, () => pick(on ? 'pan' : 'zoom'), icon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zm3.600-1.400L14 14M7 4.800v4.400M4.800 7h4.400')),
    button('Show everything (h)', home, { class: 'toggle' }, icon('M2.500 8L8 3l5.500 5M4 7v6h8V7')),
  ];
}
