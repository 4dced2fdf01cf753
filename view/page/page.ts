// The page in one script, for pages without a server: of files, whose transport
// is in static.ts, and of a single view, in shared.ts.

import { App } from './app';
import { Asker, type Transport } from './ask';
import { Shared } from './shared';

const { npyStatic } = globalThis as { npyStatic?: Transport };

void new App(new Asker(npyStatic ?? new Shared(document.getElementById('shared')!))).start();
