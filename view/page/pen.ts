// A Pen draws on a canvas or into SVG: what both can do.

export type Pen = Pick<CanvasRenderingContext2D,
  'fillStyle' | 'strokeStyle' | 'lineWidth' | 'font' | 'textAlign' | 'textBaseline' | 'globalAlpha' | 'lineJoin' |
  'beginPath' | 'moveTo' | 'lineTo' | 'closePath' | 'rect' | 'arc' | 'stroke' | 'fill' | 'fillRect' | 'strokeRect' | 'fillText' | 'measureText' |
  'save' | 'restore' | 'clip' | 'translate' | 'scale' | 'rotate' | 'setLineDash' | 'imageSmoothingEnabled'> & {
  drawImage(image: HTMLCanvasElement, sx: number, sy: number, sw: number, sh: number, dx: number, dy: number, dw: number, dh: number): void;
};

const escape = (text: string) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const round = (v: number) => Number(v.toFixed(2));

interface Style {
  fillStyle: string;
  strokeStyle: string;
  lineWidth: number;
  font: string;
  textAlign: string;
  textBaseline: string;
  globalAlpha: number;
  dash: number[];
  groups: number;
}

// SVG is a Pen that writes a document.
export class SVG {
  lineJoin: CanvasLineJoin = 'round';
  imageSmoothingEnabled = true;
  private s: Style = { fillStyle: '#000', strokeStyle: '#000', lineWidth: 1, font: '12px sans-serif', textAlign: 'left', textBaseline: 'alphabetic', globalAlpha: 1, dash: [], groups: 0 };
  private saved: Style[] = [];
  private path = '';
  private parts: string[] = [];
  private clips = 0;
  private measure = document.createElement('canvas').getContext('2d')!;

  constructor(private w: number, private h: number) {}

  get fillStyle(): string { return this.s.fillStyle; }
  set fillStyle(v: string | CanvasGradient | CanvasPattern) { this.s.fillStyle = String(v); }
  get strokeStyle(): string { return this.s.strokeStyle; }
  set strokeStyle(v: string | CanvasGradient | CanvasPattern) { this.s.strokeStyle = String(v); }
  get lineWidth(): number { return this.s.lineWidth; }
  set lineWidth(v: number) { this.s.lineWidth = v; }
  get font(): string { return this.s.font; }
  set font(v: string) { this.s.font = v; }
  get textAlign(): CanvasTextAlign { return this.s.textAlign as CanvasTextAlign; }
  set textAlign(v: CanvasTextAlign) { this.s.textAlign = v; }
  get textBaseline(): CanvasTextBaseline { return this.s.textBaseline as CanvasTextBaseline; }
  set textBaseline(v: CanvasTextBaseline) { this.s.textBaseline = v; }
  get globalAlpha(): number { return this.s.globalAlpha; }
  set globalAlpha(v: number) { this.s.globalAlpha = v; }

  beginPath(): void { this.path = ''; }
  moveTo(x: number, y: number): void { this.path += `M${round(x)} ${round(y)}`; }
  lineTo(x: number, y: number): void { this.path += `L${round(x)} ${round(y)}`; }
  closePath(): void { this.path += 'Z'; }
  rect(x: number, y: number, w: number, h: number): void { this.path += `M${round(x)} ${round(y)}h${round(w)}v${round(h)}h${round(-w)}Z`; }
  arc(x: number, y: number, r: number): void { this.path += `M${round(x - r)} ${round(y)}a${round(r)} ${round(r)} 0 1 0 ${round(2 * r)} 0a${round(r)} ${round(r)} 0 1 0 ${round(-2 * r)} 0Z`; }
  stroke(): void {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="none" stroke="${escape(this.strokeStyle)}" stroke-width="${this.lineWidth}" stroke-linejoin="round"${this.s.dash.length ? ` stroke-dasharray="${this.s.dash.join(' ')}"` : ''}${this.look()}/>`);
  }
  fill(): void {
    if (this.path) this.parts.push(`<path d="${this.path}" fill="${escape(this.fillStyle)}"${this.look()}/>`);
  }
  fillRect(x: number, y: number, w: number, h: number): void {
    this.parts.push(`<rect x="${round(x)}" y="${round(y)}" width="${round(w)}" height="${round(h)}" fill="${escape(this.fillStyle)}"${this.look()}/>`);
  }
  strokeRect(x: number, y: number, w: number, h: number): void {
    this.beginPath();
    this.rect(x, y, w, h);
    this.stroke();
  }
  fillText(text: string, x: number, y: number): void {
    const anchor = this.textAlign === 'center' ? 'middle' : this.textAlign === 'right' || this.textAlign === 'end' ? 'end' : 'start';
    const size = parseFloat(this.font.replace(/^.*?(\d+(\.\d+)?)px.*$/, '$1')) || 12;
    const family = this.font.replace(/^.*?px\s*/, '');
    const dy = this.textBaseline === 'middle' ? size * 0.35 : this.textBaseline === 'top' ? size * 0.8 : 0;
    this.parts.push(`<text x="${round(x)}" y="${round(y + dy)}" font-family="${escape(family)}" font-size="${size}" text-anchor="${anchor}" fill="${escape(this.fillStyle)}"${this.look()}>${escape(text)}</text>`);
  }
  measureText(text: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }
  save(): void { this.saved.push(this.s); this.s = { ...this.s, groups: 0 }; }
  restore(): void {
    for (let i = 0; i < this.s.groups; i++) this.parts.push('</g>');
    this.s = this.saved.pop() ?? { ...this.s, groups: 0 };
  }
  clip(): void {
    const id = 'c' + this.clips++;
    this.parts.push(`<clipPath id="${id}"><path d="${this.path}"/></clipPath><g clip-path="url(#${id})">`);
    this.s.groups++;
  }
  translate(x: number, y: number): void { this.group(`translate(${round(x)} ${round(y)})`); }
  scale(x: number, y: number): void { this.group(`scale(${x} ${y})`); }
  rotate(a: number): void { this.group(`rotate(${round((a * 180) / Math.PI)})`); }
  setLineDash(d: number[]): void { this.s.dash = d; }
  drawImage(image: HTMLCanvasElement, sx: number, sy: number, sw: number, sh: number, dx: number, dy: number, dw: number, dh: number): void {
    const cut = document.createElement('canvas');
    cut.width = Math.max(1, Math.ceil(sw));
    cut.height = Math.max(1, Math.ceil(sh));
    cut.getContext('2d')!.drawImage(image, sx, sy, sw, sh, 0, 0, cut.width, cut.height);
    const render = this.imageSmoothingEnabled ? 'auto' : 'pixelated';
    this.parts.push(`<image x="${round(dx)}" y="${round(dy)}" width="${round(dw)}" height="${round(dh)}" preserveAspectRatio="none" style="image-rendering:${render}" href="${cut.toDataURL('image/png')}"/>`);
  }

  private group(transform: string): void {
    this.parts.push(`<g transform="${transform}">`);
    this.s.groups++;
  }

  private look(): string {
    return this.globalAlpha < 1 ? ` opacity="${round(this.globalAlpha)}"` : '';
  }

  text(): string {
    while (this.saved.length || this.s.groups) this.restore();
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${this.w}" height="${this.h}" viewBox="0 0 ${this.w} ${this.h}">${this.parts.join('\n')}</svg>\n`;
  }
}

// Paper is a canvas that keeps the size of its box, in CSS pixels.
export class Paper {
  readonly canvas = document.createElement('canvas');
  readonly pen: CanvasRenderingContext2D;
  w = 0;
  h = 0;
  ratio = 1;

  constructor(onsize: () => void) {
    this.pen = this.canvas.getContext('2d')!;
    new ResizeObserver(() => {
      this.measure();
      onsize();
    }).observe(this.canvas);
  }

  // measure reports whether there is anything to draw on.
  measure(): boolean {
    const box = this.canvas.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio || 1, 3);
    const w = Math.round(box.width);
    const h = Math.round(box.height);
    if (w !== this.w || h !== this.h || ratio !== this.ratio) {
      this.w = w;
      this.h = h;
      this.ratio = ratio;
      this.canvas.width = Math.max(1, Math.round(w * ratio));
      this.canvas.height = Math.max(1, Math.round(h * ratio));
    }
    return w > 0 && h > 0;
  }

  begin(): Pen {
    this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.pen.clearRect(0, 0, this.w, this.h);
    return this.pen;
  }
}
