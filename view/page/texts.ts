// The exact texts of cells, asked for in blocks and kept a while.

import { aborted, type Asker, type Params } from './ask';
import type { Cells } from './types';

interface Block {
  cells: string[][] | null; // nothing while it comes
  rows: number[];
  cut: Set<number>;
}

const most = 400; // blocks that are kept

export class Texts {
  private blocks = new Map<string, Block>();
  private key = '';
  private control = new AbortController();
  private waiting = 0;
  columns: (string | number)[] = [];
  total = -1;

  constructor(private ask: Asker, readonly bh: number, readonly bw: number, private came: () => void, private failed: (err: unknown) => void) {}

  // use says which array the texts are of; another one forgets all of them.
  use(params: Params, generation: number): void {
    const key = JSON.stringify(params) + generation;
    if (key === this.key) return;
    this.key = key;
    this.params = params;
    this.blocks.clear();
    this.control.abort();
    this.control = new AbortController();
    this.waiting = 0;
    this.total = -1;
  }
  private params: Params = {};

  // stop drops the questions under way; what they were for is asked again when
  // it is wanted again.
  stop(): void {
    this.control.abort();
    this.control = new AbortController();
    for (const [name, block] of this.blocks) if (!block.cells) this.blocks.delete(name);
  }

  at(y: number, x: number): string | undefined {
    const b = this.blocks.get(this.name(y, x));
    return b?.cells?.[y % this.bh]?.[x % this.bw];
  }

  rowOf(y: number, x: number): number | undefined {
    return this.blocks.get(this.name(y, x))?.rows[y % this.bh];
  }

  isCut(y: number, x: number): boolean {
    return this.blocks.get(this.name(y, x))?.cut.has((y % this.bh) * this.bw + (x % this.bw)) ?? false;
  }

  // want asks for the blocks of a window that are not there yet.
  want(y0: number, y1: number, x0: number, x1: number, ny: number, nx: number): void {
    for (let y = Math.floor(Math.max(0, y0) / this.bh) * this.bh; y < Math.min(y1, ny); y += this.bh) {
      for (let x = Math.floor(Math.max(0, x0) / this.bw) * this.bw; x < Math.min(x1, nx); x += this.bw) {
        const name = this.name(y, x);
        if (this.blocks.has(name) || this.waiting >= 12) continue;
        void this.load(name, y, Math.min(y + this.bh, ny), x, Math.min(x + this.bw, nx));
      }
    }
  }

  private name(y: number, x: number): string {
    return Math.floor(y / this.bh) + ' ' + Math.floor(x / this.bw);
  }

  private async load(name: string, y0: number, y1: number, x0: number, x1: number): Promise<void> {
    const key = this.key;
    const block: Block = { cells: null, rows: [], cut: new Set() };
    this.blocks.set(name, block);
    this.waiting++;
    try {
      const got = await this.ask.json<Cells>('cells', { ...this.params, y0, y1, x0, x1 }, this.control.signal);
      if (key !== this.key) return;
      block.cells = got.cells;
      block.rows = got.rows ?? [];
      for (const [r, c] of got.cut ?? []) block.cut.add(r * this.bw + c);
      this.total = got.total;
      for (let i = 0; i < (got.columns ?? []).length; i++) this.columns[x0 + i] = got.columns[i];
      for (const old of this.blocks.keys()) {
        if (this.blocks.size <= most) break;
        this.blocks.delete(old);
      }
    } catch (err) {
      if (this.blocks.get(name) === block) this.blocks.delete(name);
      if (!aborted(err)) {
        block.cells = []; // not asked for again
        if (key === this.key) this.blocks.set(name, block);
        this.failed(err);
      }
    } finally {
      if (key === this.key) this.waiting--;
    }
    if (key === this.key && block.cells) this.came();
  }
}
