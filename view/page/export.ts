// What is seen as a file: PNG and SVG from the page, CSV and npy from the server.

import { search, type Params } from './ask';
import { el } from './dom';
import type { Hub, Panel } from './hub';
import { SVG } from './pen';
import { bytes } from './scales';
import { fitAt, lengthOf, nameOf, pair, partSeen, projections, selection, seriesAsRows, shownOf, viewsOf } from './selection';
import { theme } from './theme';
import type { ArrayInfo } from './types';

export type Format = 'html' | 'png' | 'svg' | 'csv' | 'sheet' | 'npy' | 'csv-all' | 'sheet-all' | 'npy-all';

export const formats: [Format, string][] = [
  ['html', 'HTML of this view, for anybody'], ['png', 'PNG of this view'], ['svg', 'SVG of this view'], ['csv', 'CSV of what is seen'], ['sheet', 'CSV of what is seen, formulas escaped'], ['npy', 'npy of what is seen'],
  ['csv-all', 'CSV of the whole slice'], ['sheet-all', 'CSV of the whole slice, formulas escaped'], ['npy-all', 'npy of the whole slice'],
];

// possible tells whether a view can be had in a format.
export function possible(hub: Hub, panel: Panel | null, format: Format): boolean {
  const { transport } = hub.ask;
  if (!panel) return false;
  if (format === 'html') return hub.ask.transport.sources !== undefined;
  if (format === 'png' || format === 'svg') return panel.print() !== null;
  return !transport.only;
}

// exportAs makes a file of what is seen. show has the page ask everything anew.
export async function exportAs(hub: Hub, panel: Panel, format: Format, show: () => Promise<void>): Promise<void> {
  const plain = (a: ArrayInfo) => nameOf(a, hub.files).replace(/^.*\//, '').replace(/(?<=.)\.\w+$/, '').replace(/[^\w.-]+/g, '_') || 'array';
  const name = plain(hub.info);
  if (format === 'html') {
    hub.status('making the page…');
    const { sharedPage } = await import('./more');
    const page = await sharedPage(hub, show, new AbortController().signal);
    save(page, name + '-view.html');
    hub.status(`a page of ${bytes(page.size)}: it needs no server and no npy`);
    return;
  }
  if (format === 'png' || format === 'svg') {
    const print = panel.print();
    if (!print) throw new Error('this view has no picture; choose CSV or npy');
    save(format === 'png' ? await png(print) : svg(print), name + '-view.' + format);
    return;
  }
  const s = hub.store.now;
  const all = format.endsWith('-all');
  const at = seriesAsRows(s);
  const seen = panel.seen();
  const params: Params = { ...selection(s, hub.shown, s, at), ...(all && !seen.by && !seen.aggs ? { where: s.where, sort: s.sort } : seen), as: format.startsWith('npy') ? 'npy' : 'csv' };
  if (format.startsWith('sheet')) params.formulas = 'escape';
  if (hub.shown.kind === 'complex') params.part = partSeen(s, at);
  if (s.view === 'image') params.at = at.join(',');
  if (at.some((w) => projections.includes(w)) && !at.includes('x') && !at.includes('y')) throw new Error('choose an axis to export');
  const lines = all && s.view !== 'scatter' ? [] : panel.lines?.() ?? [];
  if (lines.length) params.lines = lines.map((one) => String(search(one))).join('~');
  const also = all ? [] : panel.also?.() ?? [];
  if (also.length) {
    await send(hub, params, name + '-1');
    for (const [i, other] of also.entries()) await send(hub, { ...params, ...other }, `${name}-${i + 2}`);
    return;
  }
  const b = pair(s.cmp);
  const { other } = hub;
  if (lines.length || !b || !other || s.mode !== 'side' || !viewsOf(shownOf(other, s.field)).includes(s.view)) return send(hub, params, name);
  // Side by side both are seen, each as far as it goes.
  const shown = shownOf(other, s.field);
  const second: Params = { ...params, ...selection(s, shown, b, fitAt(at, shown, s.view)), minus: '' };
  if (shown.kind === 'complex') second.part = partSeen(s, at);
  for (const role of ['y', 'x']) {
    const n = lengthOf(shown, String(second.at).split(','), role);
    for (const end of [role + '0', role + '1']) if (second[end] !== undefined) second[end] = Math.min(n, Number(second[end]));
  }
  await send(hub, params, name + '-A');
  await send(hub, second, plain(other) + '-B');
}

async function send(hub: Hub, params: Params, name: string): Promise<void> {
  const link = hub.ask.link('export', params);
  const file = `${name}-${params.by || params.aggs ? 'groups' : params.y0 !== undefined || params.x0 !== undefined ? 'seen' : 'slice'}.${params.as}`; // as the server says
  if (link) download(link, file);
  else save(await hub.ask.blob('export', params), file);
}

function svg(print: NonNullable<ReturnType<Panel['print']>>): Blob {
  const pen = new SVG(print.w, print.h);
  pen.fillStyle = theme().back;
  pen.fillRect(0, 0, print.w, print.h);
  print.draw(pen);
  return new Blob([pen.text()], { type: 'image/svg+xml' });
}

function png(print: NonNullable<ReturnType<Panel['print']>>): Promise<Blob> {
  const ratio = Math.max(2, devicePixelRatio || 1);
  const canvas = el('canvas', { width: Math.round(print.w * ratio), height: Math.round(print.h * ratio) });
  const pen = canvas.getContext('2d')!;
  pen.scale(ratio, ratio);
  pen.fillStyle = theme().back;
  pen.fillRect(0, 0, print.w, print.h);
  print.draw(pen);
  return new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error('the browser cannot write this picture'))), 'image/png'));
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  download(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 30000);
}

export function download(href: string, name: string): void {
  const a = el('a', { href, download: name });
  document.body.append(a);
  a.click();
  a.remove();
}
