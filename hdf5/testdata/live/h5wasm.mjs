// h5wasm.mjs DIR: files of HDF5 2, by npm's h5wasm, and of the filters of h5wasm-plugins. NPY_H5WASM is the folder of modules.
// npm install --legacy-peer-deps h5wasm@0.10.3 h5wasm08@npm:h5wasm@0.8.11 h5wasm-plugins@0.2.1 jsfive@0.4
import { join } from "node:path";
import { pathToFileURL } from "node:url";
const modules = process.env.NPY_H5WASM, dir = process.argv[2];
const load = name => import(pathToFileURL(join(modules, name)));
const h5wasm = await load("h5wasm/dist/node/hdf5_hl.js");
await h5wasm.ready;

const file = new h5wasm.File(join(dir, "h5wasm.h5"), "w");
file.create_dataset({ name: "f8", data: new Float64Array([1, 2.5, -3, 4, 5, 6]), shape: [2, 3] });
file.create_dataset({ name: "i8", data: [1n, -2n, 3n], dtype: "<q" });
file.create_dataset({ name: "texts", data: ["a", "bcd", "é"] });
file.create_dataset({ name: "fixed", data: ["a", "bcd"], dtype: "S4" });
file.create_dataset({ name: "scalar", data: 3.5 });
file.create_dataset({ name: "growing", data: new Int16Array(100).map((_, i) => i), shape: [10, 10], maxshape: [null, 10], chunks: [3, 4], compression: "gzip", compression_opts: [4] });
file.create_attribute("title", "by h5wasm");
const group = file.create_group("group");
group.create_attribute("numbers", new Float32Array([1, 2, 3]), [3]);
group.create_soft_link("/f8", "soft");
file.close();

// Each filter has a file of its own; they all have the values i*i % 1000.
const older = await load("h5wasm08/dist/node/hdf5_hl.js"); // the plugins are for HDF5 1.14
const { install_local_plugins } = await load("h5wasm-plugins/index.mjs");
await install_local_plugins(await older.ready);
const filters = { bzip2: [307, [9]], lzf: [32000, []], lz4: [32004, [0]], lz4_blocks: [32004, [256]], zstd: [32015, [3]],
  bitshuffle: [32008, [0, 0]], bitshuffle_lz4: [32008, [0, 2]], bitshuffle_lz4_blocks: [32008, [64, 2]], bitshuffle_zstd: [32008, [0, 3, 5]],
  blosclz: [32001, [0, 0, 0, 0, 5, 1, 0]], blosc_lz4: [32001, [0, 0, 0, 0, 5, 1, 1]], blosc_zstd: [32001, [0, 0, 0, 0, 5, 1, 5]] };
for (const [name, [compression, compression_opts]] of Object.entries(filters)) {
  const f = new older.File(join(dir, `h5wasm_${name}.h5`), "w"), n = 1003;
  f.create_dataset({ name: "a", data: [...new Array(n)].map((_, i) => i * i % 1000), dtype: "<i4", chunks: [300], shape: [n], maxshape: [n], compression, compression_opts });
  f.close();
}
