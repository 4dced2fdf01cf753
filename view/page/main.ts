// The page of npy view: asks which files there are, builds the screen, and
// draws whatever the state says.

import { App } from './app';
import { Asker, HTTP, type Transport } from './ask';

// The page without a server has a transport of its own, see static.ts.
const { npyStatic } = globalThis as { npyStatic?: Transport };

void new App(new Asker(npyStatic ?? new HTTP())).start();
