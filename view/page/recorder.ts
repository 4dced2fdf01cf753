// A transport that keeps the answers of another one.

import type { Told, Transport } from './ask';

export interface Recorded {
  name: string;
  query: string;
  body: Uint8Array;
}

// Answers that list files, arrays and attributes besides those that are seen are not kept.
const listing = new Set(['files', 'entries', 'first', 'attributes']);

export class Recorder implements Transport {
  readonly answers = new Map<string, Recorded>();

  constructor(private inner: Transport) {}

  // ask asks for the whole answer, not whether one that the page has is still true.
  async ask(name: string, params: URLSearchParams, signal: AbortSignal): Promise<Response> {
    const response = await this.inner.ask(name, params, signal, {});
    if (!response.ok || listing.has(name)) return response;
    const body = new Uint8Array(await response.arrayBuffer());
    const query = plain(params);
    this.answers.set(name + '?' + query, { name, query, body });
    return new Response(body as BodyInit, { status: response.status, headers: response.headers });
  }

  link(name: string, params: URLSearchParams): string {
    return this.inner.link?.(name, params) ?? '';
  }

  events(told: Told, lost: (lost: boolean) => void): void {
    this.inner.events?.(told, lost);
  }
}

// plain writes parameters in one order.
export function plain(params: URLSearchParams): string {
  const sorted = new URLSearchParams([...params].filter(([name]) => name !== 'etag'));
  sorted.sort();
  return sorted.toString();
}
