// gen.mjs DIR: the files of filters that need h5wasm-plugins; NPY_H5WASM is the folder of modules.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
const modules = process.env.NPY_H5WASM, dir = process.argv[2];
const load = name => import(pathToFileURL(join(modules, name)));
const h5wasm = await load("h5wasm08/dist/node/hdf5_hl.js");
const { install_local_plugins } = await load("h5wasm-plugins/index.mjs");
await install_local_plugins(await h5wasm.ready);
const filters = { lz4: [32004, [0]], lz4_blocks: [32004, [128]], zstd: [32015, [3]],
  bitshuffle: [32008, [0, 0]], bitshuffle_lz4: [32008, [0, 2]], bitshuffle_zstd: [32008, [0, 3, 5]] };
for (const [name, [compression, compression_opts]] of Object.entries(filters)) {
  const f = new h5wasm.File(join(dir, `${name}.h5`), "w");
  f.create_dataset({ name: "a", data: [...new Array(240)].map((_, i) => Math.floor(i / 3) ** 2 % 251), dtype: "<i4", chunks: [6, 20], shape: [12, 20], maxshape: [12, 20], compression, compression_opts });
  f.close();
}
