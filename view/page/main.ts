// The page of npy view: asks which files there are, builds the screen, and
// draws whatever the state says.

import { App } from './app';
import { Asker, HTTP, type Transport } from './ask';
import { Shared } from './shared';

// The page without a server has a transport of its own, see static.ts, and so
// has one that shows a single view, see shared.ts.
const { npyStatic } = globalThis as { npyStatic?: Transport };
const shared = document.getElementById('shared');

void new App(new Asker(npyStatic ?? (shared ? new Shared(shared) : new HTTP()))).start();
