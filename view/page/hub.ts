// What the parts of the page share.

import type { Asker, Params } from './ask';
import type { Time } from './calendar';
import type { Coordinates } from './coordinates';
import type { Pen } from './pen';
import type { Shown } from './selection';
import type { State, Store } from './state';
import type { ArrayInfo, Entry, FileInfo } from './types';

export interface Hub {
  store: Store;
  ask: Asker;
  files: FileInfo[];
  info: ArrayInfo;
  shown: Shown;
  other: ArrayInfo | null; // the second array of a comparison
  coordinates: Coordinates;
  generation: number; // grows when a file changes
  times(): Time | undefined; // that the elements seen stand for
  named(): string; // the long name of the elements seen, with their units; or nothing
  status(text: string): void;
  problem(err: unknown): void;
  refresh(): void; // builds the options of the view anew
  entries(): Promise<Entry[]>; // the arrays of all files, as many as one lists
}

// between reports whether another array than the one that is seen has been chosen, and is being read. What the state says fits none then.
export const between = ({ store, info }: Hub): boolean => info.f !== store.now.f || info.e !== store.now.e;

// A Panel shows an array in one way.
export interface Panel {
  readonly root: HTMLElement;
  controls(): Node[];
  // show draws the state. It is called once for each frame with a change.
  show(state: State, changed: Set<keyof State> | null): void;
  hide(): void;
  key(event: KeyboardEvent): boolean;
  // seen gives the window in cells for statistics, export and code.
  seen(): Params;
  // lines gives the selections of several lines that are seen, each with its
  // name, for export; nothing if the state says what is seen.
  lines?(): Params[];
  // also gives what else is seen than the selection, for export: other positions and windows.
  also?(): Params[];
  // print draws everything at a size; nothing if the panel is no picture.
  print(): { w: number; h: number; draw: (pen: Pen) => void } | null;
}
