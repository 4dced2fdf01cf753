// The worker of the page without a server: it runs the library, compiled to
// WebAssembly, which takes over the messages once it has started. The runtime of
// Go, wasm_exec.js, is put before this code.

declare const Go: new () => { importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void> };

const early: MessageEvent[] = [];

self.onmessage = async (event: MessageEvent) => {
  const { wasm } = event.data as { wasm?: ArrayBuffer };
  if (!wasm) {
    early.push(event);
    return;
  }
  try {
    const go = new Go();
    const { instance } = await WebAssembly.instantiate(wasm, go.importObject);
    const ended = go.run(instance); // sets onmessage
    for (const e of early) self.onmessage!.call(self as never, e);
    await ended;
    self.postMessage({ fatal: 'the program has ended' });
  } catch (err) {
    self.postMessage({ fatal: String(err) });
  }
};
