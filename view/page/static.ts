// The page without a server. The library answers in a worker, about files that
// are dropped on the page and those that were exported with it. All parts come as
// scripts, because a page that was opened from a folder may fetch nothing.

import type { Told, Transport } from './ask';

interface Head {
  status: number;
  type: string;
  etag: string;
  filename: string;
}

interface Message {
  id: number;
  head?: Head;
  chunk?: ArrayBuffer;
  end?: boolean;
  error?: string;
  ready?: string; // the endings of files that can be opened
  opened?: number;
  fatal?: string;
}

// An Answer is one that is under way.
interface Answer {
  head(response: Response): void;
  fail(err: unknown): void;
  body?: ReadableStreamDefaultController<Uint8Array>;
}

export class Static implements Transport {
  private worker: Promise<Worker>;
  private started!: (worker: Worker) => void;
  private failed!: (err: unknown) => void;
  private answers = new Map<number, Answer>();
  private last = 0;
  private files: File[] = [];
  private opened: (() => void)[] = [];
  private changed: Told = () => {};
  private any!: () => void;
  private listed!: (endings: string) => void;
  readonly endings = new Promise<string>((done) => (this.listed = done)); // of files that can be opened
  readonly first = new Promise<void>((done) => (this.any = done)); // there are files
  private count = 0;

  constructor() {
    this.worker = new Promise((done, fail) => {
      this.started = done;
      this.failed = fail;
    });
    this.worker.catch(() => {}); // each question tells of it
  }

  // empty says that no file was exported with the page.
  get empty(): boolean {
    return this.files.length === 0;
  }

  // file adds a file that was exported with the page.
  file(name: string, base64: string): void {
    this.files.push(new File([bytes(base64) as BlobPart], name));
  }

  // page takes the script and the style of the page, in base64.
  page(script: string, style: string): void {
    const text = (base64: string) => new TextDecoder().decode(bytes(base64));
    this.sources = async () => ({ script: text(script), style: text(style) });
  }
  sources?: Transport['sources'];

  // start runs the worker. code is JavaScript, wasm gzip in base64.
  async start(code: string, wasm: string): Promise<void> {
    try {
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
      const worker = new Worker(trusted(url));
      worker.onmessage = (event: MessageEvent<Message>) => this.receive(worker, event.data);
      worker.onerror = (event) => this.failed(new Error(event.message || 'the worker cannot start'));
      const stream = new Blob([bytes(wasm) as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
      const program = await new Response(stream).arrayBuffer();
      worker.postMessage({ wasm: program }, [program]);
    } catch (err) {
      this.failed(err);
    }
  }

  // open adds files that the user has chosen, and shows the first of them.
  async open(files: File[]): Promise<void> {
    if (files.length === 0) return;
    const worker = await this.worker;
    const before = this.count;
    await new Promise<void>((done) => {
      this.opened.push(done);
      worker.postMessage({ open: files });
    });
    if (before === 0) return; // the page has waited
    this.changed(before);
    const state = new URLSearchParams(location.hash.slice(1));
    state.set('f', String(before));
    state.delete('e');
    location.hash = state.toString();
  }

  async ask(name: string, params: URLSearchParams, signal: AbortSignal, headers: { [name: string]: string }): Promise<Response> {
    const worker = await this.worker;
    await this.first;
    signal.throwIfAborted();
    const id = ++this.last;
    const tag = headers['If-None-Match'];
    if (tag) {
      params = new URLSearchParams(params);
      params.set('etag', tag);
    }
    return new Promise<Response>((done, fail) => {
      const stop = (): void => {
        worker.postMessage({ abort: id });
        const answer = this.answers.get(id);
        this.answers.delete(id);
        fail(signal.reason);
        answer?.body?.error(signal.reason);
      };
      signal.addEventListener('abort', stop, { once: true });
      this.answers.set(id, { head: done, fail });
      worker.postMessage({ id, question: name, params: params.toString() });
    });
  }

  events(told: Told): void {
    this.changed = told;
  }

  private receive(worker: Worker, m: Message): void {
    if (m.ready !== undefined) {
      performance.mark('npy ready');
      this.listed(m.ready);
      this.started(worker);
      void this.open(this.files);
      return;
    }
    if (m.opened !== undefined) {
      this.count = m.opened;
      this.any();
      this.opened.shift()?.();
      return;
    }
    if (m.fatal !== undefined) {
      const err = new Error('the page has to be loaded again: ' + m.fatal);
      this.failed(err);
      for (const a of this.answers.values()) {
        a.fail(err);
        a.body?.error(err);
      }
      this.answers.clear();
      return;
    }
    const a = this.answers.get(m.id);
    if (!a) return;
    if (m.head) {
      const { status, type, etag, filename } = m.head;
      const headers: { [name: string]: string } = { 'Content-Type': type };
      if (etag) headers.ETag = etag;
      if (filename) headers['Content-Disposition'] = "attachment; filename*=UTF-8''" + encodeURIComponent(filename);
      const none = status === 304;
      const body = none ? null : new ReadableStream<Uint8Array>({ start: (c) => void (a.body = c) });
      a.head(new Response(body, { status, headers }));
    } else if (m.chunk) {
      a.body?.enqueue(new Uint8Array(m.chunk));
    } else {
      this.answers.delete(m.id);
      if (m.error !== undefined) a.body?.error(new Error(m.error));
      else a.body?.close();
    }
  }
}

function bytes(base64: string): Uint8Array {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

// trusted passes the address of the worker, the only one that this page has,
// where the browser asks for trusted types.
function trusted(url: string): string {
  const types = (globalThis as { trustedTypes?: { createPolicy(name: string, p: object): { createScriptURL(url: string): string } } }).trustedTypes;
  if (!types) return url;
  return types.createPolicy('npy', { createScriptURL: (u: string) => u }).createScriptURL(url);
}

const page = new Static();
Object.assign(globalThis, { npyStatic: page });
addEventListener('DOMContentLoaded', () => dropZone(page));

// dropZone takes files that are dropped anywhere on the page. Without files it
// asks for some.
function dropZone(page: Static): void {
  const take = (files: FileList | null | undefined): void => {
    page.open([...(files ?? [])]).then(
      () => zone.remove(),
      (err: unknown) => (note.textContent = String(err)),
    );
  };
  const zone = document.createElement('label');
  const input = chooser();
  const more = chooser();
  const title = document.createElement('b');
  const note = document.createElement('span');
  zone.className = 'drop-zone';
  for (const i of [input, more]) i.addEventListener('change', () => take(i.files));
  more.id = 'more-files';
  more.setAttribute('aria-label', 'Open more files');
  document.body.append(more);
  title.textContent = 'Drop files here, or choose some';
  note.textContent = 'They stay on this machine';
  void page.endings.then((list) => (note.textContent = list + ': they stay on this machine'));
  zone.append(input, title, note);
  page.first.then(
    () => zone.remove(),
    () => {},
  );
  if (page.empty) document.body.append(zone);
  addEventListener('dragover', (e) => {
    if (!e.dataTransfer?.types.includes('Files')) return;
    e.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', (e) => {
    if (!e.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', (e) => {
    if (!e.dataTransfer?.types.includes('Files')) return;
    e.preventDefault();
    document.body.classList.remove('dropping');
    take(e.dataTransfer.files);
  });
}

// chooser gives an element that only the keyboard reaches.
function chooser(): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.className = 'unseen';
  return input;
}
