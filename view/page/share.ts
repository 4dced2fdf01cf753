// One file that shows a view to others, without a program: the page, and the
// answers to the questions that the view has asked. shared.ts answers with them.

import type { Asker, Params } from './ask';
import type { Hub } from './hub';
import { Recorder, type Recorded } from './recorder';
import { lengthOf } from './selection';
import { encode } from './state';
import type { ArrayInfo } from './types';

export const most = 5 << 20; // bytes of the file

const pixels = 250000; // of a picture of the whole
const columns = 4000; // of a line of the whole
const cells = 20000; // of a table

// sharedPage gives the file. show has the page ask everything anew.
export async function sharedPage(hub: Hub, show: () => Promise<void>, signal: AbortSignal): Promise<Blob> {
  const { ask } = hub;
  const inner = ask.transport;
  const recorder = new Recorder(inner);
  ask.transport = recorder;
  try {
    await show();
    await quiet(ask, signal);
    await more(hub, recorder, signal);
    await quiet(ask, signal);
  } finally {
    ask.transport = inner;
  }
  const { script, style } = await inner.sources!();
  const page = (answers: Recorded[]) => write(hub, answers, script, style);
  // The last answers, which are of the whole, are the first to go.
  const answers = [...recorder.answers.values()];
  for (;;) {
    const file = await page(answers);
    if (file.size <= most || answers.length === 0) return file;
    answers.pop();
  }
}

// quiet waits until the page has asked all it wants.
async function quiet(ask: Asker, signal: AbortSignal): Promise<void> {
  for (let calm = 0; calm < 5; calm = ask.busy > 0 ? 0 : calm + 1) {
    signal.throwIfAborted();
    await new Promise((done) => setTimeout(done, 120));
  }
}

// more asks for the surroundings of what is seen, so that one can look around.
async function more(hub: Hub, recorder: Recorder, signal: AbortSignal): Promise<void> {
  const done = new Set<string>();
  for (const { name, query } of [...recorder.answers.values()]) {
    const params: { [name: string]: string } = Object.fromEntries(new URLSearchParams(query));
    const at = (params.at ?? '').split(',');
    const ny = lengthOf(hub.shown, at, 'y');
    const nx = lengthOf(hub.shown, at, 'x');
    const larger: Params | null = name === 'picture' ? { ...params, y0: 0, y1: ny, x0: 0, x1: nx, ...within(ny, nx), quick: '' }
      : name === 'line' && !params.xs ? { ...params, x0: 0, x1: nx, w: columns, quick: '' }
        : name === 'cells' ? around(params, ny, nx) : null;
    const key = JSON.stringify(larger);
    if (!larger || done.has(key)) continue;
    done.add(key);
    await hub.ask.bytes(name, larger, signal).catch(() => {}); // the view itself is there
  }
}

function within(ny: number, nx: number): { h: number; w: number } {
  const shrink = Math.min(1, Math.sqrt(pixels / (ny * nx)));
  return { h: Math.max(1, Math.floor(ny * shrink)), w: Math.max(1, Math.floor(nx * shrink)) };
}

function around(params: { [name: string]: string }, ny: number, nx: number): Params {
  const wide = Math.max(1, Math.min(nx, 200));
  const x0 = Math.max(0, Math.min(nx - wide, Number(params.x0 ?? 0) - (wide >> 1)));
  const high = Math.floor(cells / wide);
  const y0 = Math.max(0, Math.min(ny - high, Number(params.y0 ?? 0) - (high >> 1)));
  return { ...params, x0: nx > wide ? x0 : undefined, x1: nx > wide ? x0 + wide : undefined, y0, y1: y0 + high };
}

async function write(hub: Hub, answers: Recorded[], script: string, style: string): Promise<Blob> {
  const { store, info, other, files } = hub;
  const seen: ArrayInfo[] = other ? [info, other] : [info];
  const paths = seen.map((x): [string, string] => [x.file, base(x.file)]).sort((a, b) => b[0].length - a[0].length);
  const told = answers.map((a) => ({ ...a, body: a.name === 'array' || a.name === 'code' ? withoutFolders(a.body, paths) : a.body }));
  const head = {
    state: encode(store.now),
    view: store.now.view,
    made: new Date().toISOString().slice(0, 10),
    files: files.map((f) => (seen.some((x) => x.f === f.f) ? { ...f, name: base(f.name) } : { f: f.f, name: '', kind: '', entries: 0, etag: '', error: '' })),
    entries: seen.map(({ f, e, path, dtype, kind, shape }) => ({ f, e, path, dtype, kind, shape, group: false })),
    answers: told.map((a) => ({ name: a.name, query: a.query, n: a.body.byteLength })),
  };
  const json = new TextEncoder().encode(JSON.stringify(head));
  const size = new Uint8Array(new Uint32Array([json.length]).buffer); // little-endian, as everywhere in the page
  const packed = new Blob([size, json, ...told.map((a) => a.body)] as BlobPart[]).stream().pipeThrough(new CompressionStream('gzip'));
  const data = base64(new Uint8Array(await new Response(packed).arrayBuffer()));
  const nonce = base64(crypto.getRandomValues(new Uint8Array(18)));
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src blob: data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  // No end of an element may occur within it.
  const code = script.replace(/<(?=\/script|!--|script)/gi, '\\x3c');
  return new Blob([`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="npy view">
<title>${escaped(document.title)}</title>
<style nonce="${nonce}">${style.replace(/<(?=\/style)/gi, '\\3c ')}</style>
</head>
<body class="is-shared tree-closed">
<div id="page" class="page"><noscript>npy view needs JavaScript.</noscript></div>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<script type="text/plain" id="shared" data-state="${escaped(head.state)}">${data}</script>
<script nonce="${nonce}">${code}</script>
</body>
</html>
`], { type: 'text/html' });
}

const base = (path: string): string => path.replace(/^.*[/\\](?=.)/, '');

// withoutFolders gives an answer in JSON that has the names of files in place of their paths.
function withoutFolders(body: Uint8Array, paths: [string, string][]): Uint8Array {
  const json = (text: string) => JSON.stringify(text).slice(1, -1);
  let text = JSON.stringify(JSON.parse(new TextDecoder().decode(body)));
  for (const [path, name] of paths) text = text.replaceAll(json(path), json(name));
  return new TextEncoder().encode(text);
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function base64(data: Uint8Array): string {
  let text = '';
  for (let i = 0; i < data.length; i += 0x8000) text += String.fromCharCode(...data.subarray(i, i + 0x8000));
  return btoa(text);
}
