// The page of npy view: asks which files there are, builds the screen, and
// draws whatever the state says.

import { App } from './app';
import { Asker, HTTP } from './ask';

void new App(new Asker(new HTTP())).start();
