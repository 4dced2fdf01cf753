#!/usr/bin/python3
"""Writes a file for each way of filtering chunks, beside this script. Needs h5py, PyTables for the filters of Blosc and bzip2,
and node with NPY_H5WASM for the others: see testdata/live/h5wasm.mjs. Made with h5py 3.7, PyTables 3.7 and h5wasm 0.8."""
import os, subprocess
import numpy as np
import h5py, tables

here = os.path.dirname(os.path.abspath(__file__))
values = ((np.arange(240, dtype="<i4") // 3) ** 2 % 251).reshape(12, 20)
h5py_filters = {
    "gzip": {"compression": "gzip"}, "gzip_shuffle": {"compression": "gzip", "shuffle": True},
    "gzip_shuffle_fletcher32": {"compression": "gzip", "shuffle": True, "fletcher32": True},
    "lzf": {"compression": "lzf"}, "lzf_shuffle": {"compression": "lzf", "shuffle": True}, "lzf_fletcher32": {"compression": "lzf", "fletcher32": True},
    "fletcher32": {"fletcher32": True}, "shuffle": {"shuffle": True},
}
for name, filters in h5py_filters.items():
    with h5py.File(f"{here}/{name}.h5", "w", libver="latest") as f:
        f.create_dataset("a", data=values, chunks=(6, 20), **filters)
for name in "bzip2", "blosc:blosclz", "blosc:lz4", "blosc:lz4hc", "blosc:snappy", "blosc:zlib", "blosc:zstd":
    with tables.open_file(f"{here}/{name.replace(':', '_')}.h5", "w", pytables_sys_attrs=False) as f:
        x = np.tile(values, (5, 1)) if "snappy" in name else values  # which does not compress 480 bytes
        f.create_carray("/", "a", obj=x, chunkshape=(len(x) // 2, 20), filters=tables.Filters(complevel=5, complib=name, shuffle=True))
if os.environ.get("NPY_H5WASM"):
    subprocess.run(["node", f"{here}/gen.mjs", here], check=True)
