// Colour maps: 33 colours of each, from matplotlib, with straight lines between.

import { scaleOf } from './scales';

const points: { [name: string]: string } = {
  viridis: '440154470d6048186a482374472d7b4537814240863e49893b528b375b8d33638d2f6b8e2c728e297a8e26828e23898e21908c1f978b1f9f8821a68527ad8131b57b3ebc744dc26c5cc8636ece5882d34d95d840aadc32c0df25d5e21aeae51afde725',
  magma: '0000040303120a0822130d341d114729115a36106b440f7650127c5d177f691c817621818226818f2a819c2e7fa9337db6367ac33b75cf4070db476ae65164ee5c5ef46a5cf9785dfb8861fd9668fea571feb47bfec287fed194fde0a1fceeb0fcfdbf',
  inferno: '0000040403120b0724150b37210c4a2f0a5b3d09654a0c6b56106e63156e70196e7d1e6d89226a962766a32c61af315bbb3654c63d4dd14545da4f3ce35932eb6529f1721ef67f14f98c0afb9b06fcaa0ffbba1ff9c932f5d949f2e865f3f586fcffa4',
  plasma: '0d08872206903105973f049c4c02a15901a56600a77201a87e03a88909a59511a19f1a9ca92395b32c8ebc3587c43e7fcc4678d25071d9596adf6263e56b5deb7556f07f4ff48a48f89441fb9f3afdab33feb72dfdc328fcd025f9dd25f5eb27f0f921',
  cividis: '00224e00285b002e6a0533711a386f273e6e32436d3b496c434e6c4b546c535a6d5a5f6e61656f686a716f70737676767c7c788381798b8778928d789a9376a29975aaa073b3a670bbad6dc3b369ccba64d4c15fddc858e6d051efd748f8df3cfee838',
  turbo: '30123b392a734040a24456c7466be34680f64293ff37a7fa28bbec1dccd918dcc31ee8b031f2994cf97e6bfe648aff4ca2fc3cb8f735cced34dee037edd03af7c03afdad35fe982cfb8022f56818ec520fe14109d23105c12302ac1701950d017a0403',
  twilight: 'e2d9e2d6d7ddc2ced4abc2cc94b4c680a5c37297c16887be6276ba5f64b55e51ad5d3da1592a8f511b7745135d3811453014363a113a4a13425f174a741e4f872750983550a64550b25652bb6958c27c63c78f72cca288d1b5a2d8c6bdded3d4e2d9e2',
  RdBu: '67001f7f0823960f27ae172abb2a34c6413ed25749dc6d57e58268ef9878f5ab8af8bca0fbcdb6fdddcafbe6d9f9efe8f6f6f6ebf2f5dfecf3d3e6f1c1ddecadd3e69ac9e083bbd96aacd1519dc83f8ec03480b92a71b21f63a81752900e4179053061',
  PuOr: '7f3b088f4407a04d07b05606be630acd700edb7d12e68c22ef9d3bf8ad54fdbd6dfdc987fed6a1fde2bafbe9cef9f0e3f6f6f6eeeef3e4e5f0dadceccfcee5c3bfddb7b1d5a8a0cb998fbf8a7eb37b69a86d529c5f3a91522584451871390c5e2d004b',
  coolwarm: '3b4cc0445acc4e68d85875e16282ea6c8ff1779af782a6fb8db0fe98b9ffa3c2feaec9fcb8d0f9c2d5f4ccd9edd5dbe5dcdcdce4d9d2ebd3c6f1cdb9f4c5adf7bba0f7b194f7a687f49a7bf18d6fec7f63e57058de614dd55042cb3e38c0282fb40426',
  grey: '000000ffffff',
};

export interface MapInfo {
  name: string;
  group: string;
  safe: boolean; // told apart by the colour-blind, and monotone in lightness
}

export const maps: MapInfo[] = [
  { name: 'viridis', group: 'perceptual', safe: true },
  { name: 'magma', group: 'perceptual', safe: true },
  { name: 'inferno', group: 'perceptual', safe: true },
  { name: 'plasma', group: 'perceptual', safe: true },
  { name: 'cividis', group: 'perceptual', safe: true },
  { name: 'grey', group: 'perceptual', safe: true },
  { name: 'RdBu', group: 'diverging', safe: true },
  { name: 'PuOr', group: 'diverging', safe: true },
  { name: 'coolwarm', group: 'diverging', safe: true },
  { name: 'twilight', group: 'cyclic', safe: true },
  { name: 'turbo', group: 'other', safe: false },
];

export function diverging(name: string): boolean {
  return maps.some((m) => m.name === name && m.group === 'diverging');
}

// lut gives n colours of a map as red, green, blue bytes.
export function lut(name: string, reversed: boolean, n = 256): Uint8Array {
  const hex = points[name] ?? points.viridis;
  const k = hex.length / 6;
  const at = (i: number, c: number) => parseInt(hex.slice(i * 6 + c * 2, i * 6 + c * 2 + 2), 16);
  const out = new Uint8Array(n * 3);
  for (let i = 0; i < n; i++) {
    const t = (n === 1 ? 0 : i / (n - 1)) * (k - 1);
    const j = Math.min(k - 2, Math.floor(t));
    const to = (reversed ? n - 1 - i : i) * 3;
    for (let c = 0; c < 3; c++) out[to + c] = Math.round(at(j, c) + (at(j + 1, c) - at(j, c)) * (t - j));
  }
  return out;
}

export interface Colouring {
  map: string;
  rev: boolean;
  scale: string;
  lo: number;
  hi: number;
  tol: number; // differences up to it are drawn neutral
  over: boolean; // values outside of the domain have colours of their own
  polar: boolean; // complex numbers: hue is the phase, lightness the magnitude
}

export const nanColour = [255, 0, 200, 255]; // of NaN: in no map

const underColour = [0, 214, 255];
const overColour = [255, 59, 48];

const word = (r: number, g: number, b: number, a = 255) => ((a << 24) | (b << 16) | (g << 8) | r) >>> 0;

// colourOf gives a function from a value to a pixel of ImageData.
export function colourOf(c: Colouring): (v: number) => number {
  const n = 256;
  const table = lut(c.map, c.rev, n);
  const words = new Uint32Array(n);
  for (let i = 0; i < n; i++) words[i] = word(table[3 * i], table[3 * i + 1], table[3 * i + 2]);
  const nan = word(nanColour[0], nanColour[1], nanColour[2]);
  const neutral = word(150, 150, 150);
  const s = scaleOf(c.scale, c.lo, c.hi);
  const a = s.forward(c.lo);
  const b = s.forward(c.hi);
  const f = b > a ? n / (b - a) : 0;
  const linear = c.scale === 'linear';
  const tol = c.tol;
  const under = word(underColour[0], underColour[1], underColour[2]);
  const over = word(overColour[0], overColour[1], overColour[2]);
  return (v) => {
    if (v !== v) return nan;
    if (tol > 0 && v <= tol && v >= -tol) return neutral;
    if (c.over && v > c.hi) return over;
    if (c.over && v < c.lo) return under;
    // Values a scale does not take, as zero on a logarithmic one, are below the domain.
    const t = ((linear ? v : s.forward(v)) - a) * f;
    return words[t >= n ? n - 1 : t > 0 ? t | 0 : f === 0 && v >= c.lo ? n >> 1 : 0];
  };
}

const hues = 256;
let wheel: Float64Array | undefined;

// polarOf gives a function from a magnitude and a phase to a pixel. Lightness
// is that of OKLab, so that no hue looks larger than another.
export function polarOf(c: Colouring): (magnitude: number, phase: number) => number {
  wheel ??= Float64Array.from({ length: hues * 3 }, (_, i) => hue(((Math.floor(i / 3) + 0.5) / hues) * 2 * Math.PI - Math.PI)[i % 3]);
  const light = wheel;
  const s = scaleOf(c.scale, c.lo, c.hi);
  const a = s.forward(c.lo);
  const b = s.forward(c.hi);
  const gamma = (v: number) => Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  return (magnitude, phase) => {
    if (magnitude !== magnitude || phase !== phase) return word(nanColour[0], nanColour[1], nanColour[2]);
    const t = Math.min(1, Math.max(0, (s.forward(magnitude) - a) / (b - a) || 0)) ** 3; // linear light is the cube of lightness
    const k = 3 * Math.min(hues - 1, Math.max(0, Math.floor(((phase + Math.PI) / (2 * Math.PI)) * hues)));
    return word(gamma(light[k] * t), gamma(light[k + 1] * t), gamma(light[k + 2] * t));
  };
}

// hue gives the linear light of a phase at lightness 0.75 and chroma 0.12 of
// OKLab, the most that all hues have.
function hue(phase: number): [number, number, number] {
  const a = 0.12 * Math.cos(phase);
  const b = 0.12 * Math.sin(phase);
  const l = (0.75 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (0.75 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (0.75 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s, -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s];
}

// paint colours values into pixels.
export function paint(values: ArrayLike<number>, pixels: Uint32Array, c: Colouring): void {
  const colour = colourOf(c);
  for (let i = 0; i < pixels.length; i++) pixels[i] = colour(values[i]);
}

// paintChannels turns interleaved channels into pixels; values from lo to hi
// become 0 to 255, bytes stay as they are.
export function paintChannels(values: ArrayLike<number>, channels: number, pixels: Uint32Array, lo: number, hi: number): void {
  const f = values instanceof Uint8Array ? 1 : hi > lo ? 255 / (hi - lo) : 0;
  const from = values instanceof Uint8Array ? 0 : lo;
  const clamp = (v: number) => {
    const t = (v - from) * f;
    return t >= 255 ? 255 : t > 0 ? Math.round(t) : 0;
  };
  for (let i = 0; i < pixels.length; i++) {
    const k = i * channels;
    const r = values[k];
    if (r !== r) pixels[i] = word(nanColour[0], nanColour[1], nanColour[2]);
    else pixels[i] = word(clamp(r), clamp(values[k + 1]), clamp(values[k + 2]), channels === 4 ? clamp(values[k + 3]) : 255);
  }
}

// dark tells whether white text reads better on a pixel.
export function dark(pixel: number): boolean {
  return (pixel & 255) * 0.299 + ((pixel >> 8) & 255) * 0.587 + ((pixel >> 16) & 255) * 0.114 < 140;
}
