// The page that share.ts has written, in which a view has answers to its
// questions and nothing else. A question about a part of what is there is
// answered from it.

import { binary, type Transport } from './ask';
import { plain, type Recorded } from './recorder';
import type { View } from './state';
import type { Cells, Entry, FileInfo } from './types';

interface Head {
  view: View;
  made: string; // the day
  files: FileInfo[];
  entries: Entry[];
  answers: { name: string; query: string; n: number }[];
}

// A Part is an answer with the window that it is of.
interface Part extends Recorded {
  of: string; // the question without its window
  window: [number, number, number, number]; // y0, y1, x0, x1
}

export class Shared implements Transport {
  private head: Promise<Head>;
  private answers = new Map<string, Recorded>();
  private parts: Part[] = [];
  readonly only: Promise<View>; // the view that there are answers for

  constructor(at: HTMLElement) {
    if (location.hash.length < 2) history.replaceState(null, '', '#' + (at.dataset.state ?? ''));
    this.head = this.read(at.textContent ?? '');
    this.only = this.head.then((h) => h.view);
  }

  private async read(text: string): Promise<Head> {
    const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const body = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    let at = 4 + new DataView(body).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, at - 4))) as Head;
    for (const { name, query, n } of head.answers) {
      const a: Recorded = { name, query, body: new Uint8Array(body.slice(at, at + n)) };
      at += n;
      this.answers.set(name + '?' + query, a);
      const part = partOf(a);
      if (part) this.parts.push(part);
    }
    return head;
  }

  async ask(name: string, params: URLSearchParams, signal: AbortSignal): Promise<Response> {
    const head = await this.head;
    signal.throwIfAborted();
    if (name === 'files') return json({ version: 'as of ' + head.made, files: head.files });
    if (name === 'entries') {
      const f = params.get('f');
      const entries = head.entries.filter((e) => f === null || e.f === Number(f));
      return json({ total: entries.length, entries: Number(params.get('from') ?? 0) > 0 ? [] : entries });
    }
    const query = plain(params);
    const body = this.answers.get(name + '?' + query)?.body ?? this.cut(name, params);
    if (!body) return json({ error: 'this page has only what was seen when it was made: open the array with npy view for more' }, 404);
    return new Response(body as BodyInit);
  }

  // cut answers a question from an answer about more. The page takes pictures and lines of more than it asked for.
  private cut(name: string, params: URLSearchParams): Uint8Array | undefined {
    const of = withoutWindow(name, params);
    const [y0, y1, x0, x1] = windowOf(params);
    const area = ([a, b, c, d]: Part['window']) => (b - a) * (d - c);
    const parts = this.parts.filter((p) => p.of === of);
    if (name === 'cells') return parts.length ? cellsOf(parts, y0, y1, x0, x1) : undefined;
    return parts.filter(({ window: w }) => w[0] <= y0 && y1 <= w[1] && w[2] <= x0 && x1 <= w[3]).sort((a, b) => area(a.window) - area(b.window))[0]?.body;
  }
}

const windowNames = ['y0', 'y1', 'x0', 'x1', 'h', 'w', 'quick'];

function withoutWindow(name: string, params: URLSearchParams): string {
  const rest = new URLSearchParams(params);
  for (const n of windowNames) rest.delete(n);
  return name + '?' + plain(rest);
}

const windowOf = (params: URLSearchParams): Part['window'] => {
  const of = (name: string, otherwise: number) => Number(params.get(name) ?? otherwise);
  return [of('y0', 0), of('y1', Infinity), of('x0', 0), of('x1', Infinity)];
};

function partOf(a: Recorded): Part | null {
  const of = withoutWindow(a.name, new URLSearchParams(a.query));
  if (a.name === 'cells') {
    const c = JSON.parse(new TextDecoder().decode(a.body)) as Cells & { y0: number; x0: number };
    return { ...a, of, window: [c.y0, c.y0 + c.cells.length, c.x0, c.x0 + c.columns.length] };
  }
  if (a.name !== 'picture' && a.name !== 'line') return null;
  const { head } = binary(a.body.slice().buffer);
  const n = (name: string, otherwise: number) => Number(head[name] ?? otherwise);
  return { ...a, of, window: [n('y0', 0), n('y1', Infinity), n('x0', 0), n('x1', Infinity)] };
}

// cellsOf puts cells together from answers. What is in none has no text.
function cellsOf(parts: Part[], y0: number, y1: number, x0: number, x1: number): Uint8Array {
  const read = parts.map((p) => ({ window: p.window, cells: JSON.parse(new TextDecoder().decode(p.body)) as Cells }));
  const sizes = read[0].cells;
  const rows: (number | null)[] = [];
  const columns: (string | number)[] = [];
  const texts: string[][] = [];
  const most = 400; // blocks of the page are smaller
  for (let y = y0; y < Math.min(y1, y0 + most, sizes.total); y++) {
    const line: string[] = [];
    let row: number | null = null;
    for (let x = x0; x < Math.min(x1, x0 + most); x++) {
      const found = read.find(({ window: w }) => w[0] <= y && y < w[1] && w[2] <= x && x < w[3]);
      if (found) {
        row = found.cells.rows[y - found.window[0]];
        columns[x - x0] = found.cells.columns[x - found.window[2]];
      }
      line.push(found ? found.cells.cells[y - found.window[0]][x - found.window[2]] : '');
    }
    rows.push(row);
    texts.push(line);
  }
  for (let i = 0; i < columns.length; i++) columns[i] ??= x0 + i;
  return new TextEncoder().encode(JSON.stringify({ total: sizes.total, rows, columns, cells: texts, cut: [] }));
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'Content-Type': 'application/json' } });
}
