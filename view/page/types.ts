// The answers of the server, as JSON gives them.

export type Kind = 'float' | 'int' | 'uint' | 'bool' | 'complex' | 'datetime' | 'timedelta' |
  'text' | 'bytes' | 'void' | 'object' | 'record';

export interface FileInfo {
  f: number;
  name: string;
  kind: string;
  entries: number;
  etag: string;
  error: string;
}

export interface Entry {
  f?: number;
  e: number;
  path: string;
  group: boolean;
  dtype: string;
  kind: string;
  shape: number[];
  link?: string;
  error?: string;
}

export interface Field {
  name: string;
  dtype: string;
  kind: string;
  shape: number[];
}

export interface ArrayInfo {
  f: number;
  e: number;
  path: string;
  file: string;
  dtype: string;
  kind: string;
  shape: number[];
  fortran: boolean;
  nbytes: number;
  fields: Field[] | null;
  dims: string[] | null;
  attributes: { name: string; value: string }[] | null;
  etag: string;
  packing: Packing | null;
  pairs?: boolean; // there may be another array or field to compare its elements with
  label: string; // the long name
  units: string;
  calendar: string;
}

// A Start is how an array is shown at first; an empty view leaves it to the page.
export interface Start {
  view: '' | 'heatmap' | 'image' | 'lines';
  at: string[];
  field: string;
  xs: string;
  up: boolean;
}

// A Coordinate is an array that may have the coordinates of an axis.
export interface Coordinate {
  f: number;
  e: number;
  path: string;
  dtype: string;
  n: number;
  label: string;
  units: string;
  calendar: string;
  positive: string;
  rises: boolean;
  why: string; // it cannot be used
}

export interface DescribedAxis {
  name: string;
  all: Coordinate[];
}

// A Packing says how elements are packed, or which are missing.
export interface Packing {
  note: string;
  stored: string; // the dtype in the file
  applied: boolean;
}

export interface Cells {
  total: number;
  rows: number[];
  columns: (string | number)[];
  cells: string[][];
  cut: [number, number][] | null;
}

export interface Numbers {
  done?: number;
  count?: number | string;
  finite?: number | string;
  nan?: number | string;
  min?: string;
  argmin?: number[];
  max?: string;
  argmax?: number[];
  mean?: string;
  std?: string;
  median?: string;
  sum?: string;
  histogram?: { edges: number[]; counts: number[] };
  fields?: Numbers[]; // of records: one for each field; of other arrays: one
  field?: string;
  inf?: number;
  zeros?: number;
  error?: string;
}

export interface ObjectTree {
  type: string;
  text: string;
  items?: { key: string; value: ObjectTree }[];
  more?: number; // items that are not listed
}

// A Window is a rectangle of cells; its edges are fractions while one zooms.
export interface Window {
  y0: number;
  y1: number;
  x0: number;
  x1: number;
}
