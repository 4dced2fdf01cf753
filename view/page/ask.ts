// The page's questions. A Transport answers them: the server over HTTP, or the
// same code in a worker.

import type { View } from './state';

export type Params = { [name: string]: string | number | boolean | null | undefined };

export interface Transport {
  // ask gives the answer to a question. headers may hold If-None-Match.
  ask(name: string, params: URLSearchParams, signal: AbortSignal, headers: { [name: string]: string }): Promise<Response>;
  // link gives an address that answers the question too, if there is one.
  link?(name: string, params: URLSearchParams): string;
  // events calls back with each file's ETag and again when it is another one,
  // and with lost when nobody would tell.
  events?(told: Told, lost: (lost: boolean) => void): void;
  // sources gives the script and the style of the page, for a page of its own.
  sources?(): Promise<{ script: string; style: string }>;
  // only is the view that there are answers for, where there is but one.
  only?: Promise<View>;
}

// A Told hears that a file has changed, and its ETag where that is known.
export type Told = (f: number, etag?: string) => void;

export class HTTP implements Transport {
  ask(name: string, params: URLSearchParams, signal: AbortSignal, headers: { [name: string]: string }): Promise<Response> {
    return fetch(this.link(name, params), { signal, headers, cache: 'no-store' });
  }

  link(name: string, params: URLSearchParams): string {
    const text = params.toString().replaceAll('%2C', ',');
    return text ? name + '?' + text : name;
  }

  async sources(): Promise<{ script: string; style: string }> {
    const text = async (name: string) => (await fetch(name)).text();
    return { script: await text('page.js'), style: await text('app.css') };
  }

  // A browser has six connections to a server, for all of its tabs: one that
  // is hidden gives back that of the events, and says now and then that it is
  // still there.
  events(told: Told, lost: (lost: boolean) => void): void {
    let source: EventSource | null = null;
    let timer = 0;
    const follow = () => {
      clearTimeout(timer);
      source?.close();
      source = null;
      if (document.hidden) return;
      source = new EventSource('events');
      source.onopen = () => lost(false);
      source.onerror = () => {
        lost(true);
        clearTimeout(timer);
        if (source?.readyState === EventSource.CLOSED) timer = window.setTimeout(follow, 3000);
      };
      source.addEventListener('changed', (event) => {
        try {
          const { f, etag } = JSON.parse((event as MessageEvent<string>).data) as { f: number; etag: string };
          told(Number(f), etag);
        } catch {
          // An event that cannot be read tells nothing.
        }
      });
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    setInterval(() => {
      if (document.hidden) fetch('./', { method: 'HEAD', cache: 'no-store' }).catch(() => {});
    }, 60000);
  }
}

// A Stopped is the end of a question that one has stopped. What came before it stays.
export class Stopped extends Error {
  constructor() {
    super('stopped');
  }
}

// A Refusal is an answer that says why there is none.
export class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

interface Kept {
  etag: string;
  body: ArrayBuffer;
}

const keep = 48 << 20; // bytes of answers that are remembered
const small = 4 << 20; // longer answers are not

export class Asker {
  private kept = new Map<string, Kept>();
  private size = 0;
  private stopper = new AbortController();
  busy = 0;
  onbusy: (busy: number) => void = () => {};
  onchanged: Told = () => {};
  onlost: (lost: boolean) => void = () => {};

  constructor(public transport: Transport) {
    transport.events?.((f, etag) => this.onchanged(f, etag), (lost) => this.onlost(lost));
  }

  async json<T>(name: string, params: Params, signal?: AbortSignal): Promise<T> {
    return JSON.parse(new TextDecoder().decode(await this.bytes(name, params, signal))) as T;
  }

  // bytes gives an answer whole. One that is remembered costs a 304.
  async bytes(name: string, params: Params, signal?: AbortSignal): Promise<ArrayBuffer> {
    const query = search(params);
    const key = name + '?' + query;
    const old = this.kept.get(key);
    return this.count(async () => {
      const response = await this.retry(name, query, signal, old ? { 'If-None-Match': old.etag } : {});
      if (response.status === 304 && old) {
        this.kept.delete(key);
        this.kept.set(key, old);
        return old.body;
      }
      const body = await response.arrayBuffer();
      const etag = response.headers.get('ETag');
      if (etag && body.byteLength <= small) this.remember(key, { etag, body });
      return body;
    });
  }

  // lines calls back for each line of JSON as it comes.
  async lines<T>(name: string, params: Params, line: (value: T) => void, signal?: AbortSignal): Promise<void> {
    await this.count(async () => {
      const response = await this.retry(name, search(params), signal, {});
      const reader = response.body!.getReader();
      const decoder = new TextDecoder();
      let rest = '';
      for (;;) {
        const { done, value } = await reader.read();
        rest += decoder.decode(value, { stream: !done });
        const whole = rest.split('\n');
        rest = whole.pop()!;
        for (const text of whole) if (text.trim()) line(JSON.parse(text) as T);
        if (done) break;
      }
      if (rest.trim()) line(JSON.parse(rest) as T);
    });
  }

  blob(name: string, params: Params, signal?: AbortSignal): Promise<Blob> {
    return this.count(async () => (await this.retry(name, search(params), signal, {})).blob());
  }

  link(name: string, params: Params): string | undefined {
    return this.transport.link?.(name, search(params));
  }

  // stop ends all questions that have no answer yet.
  stop(): void {
    this.stopper.abort(new Stopped());
    this.stopper = new AbortController();
  }

  // work gives how much is done of what questions about an array wait for, where that is known.
  async work(f: number, e: number): Promise<number | null> {
    try {
      const response = await this.transport.ask('work', search({ f, e }), AbortSignal.timeout(5000), {});
      const { done } = (await response.json()) as { done?: number[] };
      return done?.length ? Math.min(...done) : null;
    } catch {
      return null;
    }
  }

  // retry asks once more when the file has changed since it was opened: the
  // server opens it anew after the first refusal.
  private async retry(name: string, query: URLSearchParams, signal: AbortSignal | undefined, headers: { [name: string]: string }): Promise<Response> {
    const stop = this.stopper.signal;
    const either = signal ? AbortSignal.any([signal, stop]) : stop;
    for (let tries = 0; ; tries++) {
      const response = await this.transport.ask(name, query, either, headers);
      if (response.ok || response.status === 304) return response;
      const refusal = new Refusal(response.status, await reason(response));
      if (response.status !== 410) throw refusal;
      const f = Number(query.get('f') ?? -1);
      if (tries === 0) this.onchanged(f);
      if (tries === 2) throw refusal;
      await new Promise((done) => setTimeout(done, 150));
    }
  }

  private async count<T>(work: () => Promise<T>): Promise<T> {
    this.onbusy(++this.busy);
    try {
      return await work();
    } finally {
      this.onbusy(--this.busy);
    }
  }

  private remember(key: string, value: Kept): void {
    const old = this.kept.get(key);
    if (old) this.size -= old.body.byteLength;
    this.kept.delete(key);
    this.kept.set(key, value);
    this.size += value.body.byteLength;
    for (const [k, v] of this.kept) {
      if (this.size <= keep) break;
      this.kept.delete(k);
      this.size -= v.body.byteLength;
    }
  }
}

export function search(params: Params): URLSearchParams {
  const out = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null || value === '' || value === false) continue;
    out.set(name, value === true ? '1' : String(value));
  }
  return out;
}

async function reason(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return String((JSON.parse(text) as { error: string }).error);
  } catch {
    return text.slice(0, 300) || 'status ' + response.status;
  }
}

export function aborted(err: unknown): boolean {
  return err instanceof DOMException && err.name === 'AbortError';
}

// A Latest aborts the question before when there is a new one.
export class Latest {
  private control: AbortController | undefined;

  next(): AbortSignal {
    this.control?.abort();
    this.control = new AbortController();
    return this.control.signal;
  }

  stop(): void {
    this.control?.abort();
    this.control = undefined;
  }
}

export type Numeric = Float32Array | Float64Array | Uint8Array;

export interface Binary {
  head: { [name: string]: unknown };
  arrays: { [name: string]: Numeric };
}

// binary takes an answer apart: 4 bytes of length, JSON, then the arrays,
// little-endian as every machine that runs a browser is.
export function binary(body: ArrayBuffer): Binary {
  const n = new DataView(body).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, n))) as { [name: string]: unknown };
  const arrays: { [name: string]: Numeric } = {};
  let at = 4 + n;
  for (const a of (head.arrays as { name: string; type: string; n: number }[] | undefined) ?? []) {
    const bytes = a.n * (a.type === 'f8' ? 8 : a.type === 'f4' ? 4 : 1);
    // Arrays of odd lengths may leave the next one unaligned, so it is copied then.
    const aligned = at % 8 === 0 ? body : body.slice(at, at + bytes);
    const from = at % 8 === 0 ? at : 0;
    arrays[a.name] = a.type === 'f8' ? new Float64Array(aligned, from, a.n) : a.type === 'f4' ? new Float32Array(aligned, from, a.n) : new Uint8Array(aligned, from, a.n);
    at += bytes;
  }
  return { head, arrays };
}
