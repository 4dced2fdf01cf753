#!/usr/bin/python3
"""Makes the files beside this one with h5py: arrays of 2**40 elements and more of which next to nothing is stored (big-*.h5), the
same layouts with few elements (small-*.h5), and what NumPy has of those (small.npz)."""
import os
import numpy as np
import h5py

HERE = os.path.dirname(os.path.abspath(__file__))
UNLIMITED = h5py.h5s.UNLIMITED
LATE, EARLY, INCR = h5py.h5d.ALLOC_TIME_LATE, h5py.h5d.ALLOC_TIME_EARLY, h5py.h5d.ALLOC_TIME_INCR
record = np.dtype([("a", "<i4"), ("b", ">f8"), ("s", "S3")])

# name: dtype, shapes, chunks, largest shape, fill value (None: HDF5's default; "undefined"), when space is allocated, what is written
layouts = {
    "contiguous": ("<f8", [(1 << 50,), (1 << 18,)], None, None, None, LATE, {}),
    "contiguous-user": (">i4", [(1 << 20, 1 << 28), (512, 1 << 10)], None, None, -7, LATE, {}),
    "undefined": ("<f4", [(1 << 50,), (1 << 18,)], None, None, "undefined", LATE, {}),
    "no-chunk": ("<f8", [(1 << 50,), (1 << 18,)], (1 << 10,), None, None, INCR, {}),
    "no-chunk-user": ("<f8", [(1 << 50,), (1 << 18,)], (1 << 10,), None, np.nan, LATE, {}),
    "one-chunk": ("<i8", [(1 << 50,), (1 << 18,)], (1 << 10,), None, 3, INCR, {(5000,): 9}),
    "last-chunk": ("<f8", [(1 << 50,), (1 << 18,)], (1 << 8,), None, None, INCR, {(-1,): 2.5}),
    "wide-chunk": ("<u2", [(1 << 40,), (1 << 19,)], (1 << 30,), None, 5, INCR, {}),
    "sparse-tree": ("<f4", [(1 << 25, 1 << 25), (1 << 10, 1 << 9)], (16, 16), None, None, INCR, {(70, 200): 1, (5, 5): np.inf, (-1, -1): -2, (-70, 3): np.nan}),
    "records": (record, [(1 << 45,), (1 << 17,)], (1 << 8,), None, (1, -0.5, b"ab"), INCR, {(9999,): (5, 1e9, b"xyz")}),
    "text": ("S5", [(1 << 45,), (1 << 18,)], (1 << 8,), None, b"none", INCR, {(7,): b"some"}),
    "bool": ("?", [(1 << 50,), (1 << 21,)], (1 << 12,), None, None, INCR, {(1 << 13,): True}),
    "fixed-array": ("<f8", [(1 << 40,), (1 << 18,)], (1 << 26,), (1 << 41,), None, INCR, {}),
    "extensible": ("<f8", [(1 << 50,), (1 << 18,)], (1 << 10,), (UNLIMITED,), None, INCR, {(3,): 1}),
    "tree2": ("<f8", [(1 << 25, 1 << 25), (1 << 9, 1 << 9)], (8, 8), (UNLIMITED, UNLIMITED), 1.5, INCR, {(40, 40): 0, (200, 300): -1}),
    "single": ("<f8", [None, (1 << 18,)], (1 << 18,), None, 2, INCR, {}),
    "gzip": ("<f8", [(1 << 50,), (1 << 18,)], (1 << 12,), (UNLIMITED,), None, INCR, {(99999,): 7}),
}


def make(name, shape, path, libver, is_small):
    dtype, _, chunks, most, fill, alloc, written = layouts[name]
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dtype = np.dtype(dtype)
    if chunks:
        p.set_chunk(tuple(min(c, n) for c, n in zip(chunks, shape)) if is_small else chunks)
    if name == "gzip":
        p.set_shuffle(), p.set_deflate(6)
    p.set_alloc_time(alloc)
    if isinstance(fill, str):
        p.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
    elif fill is not None:
        p.set_fill_value(np.array(fill, dtype))
    if most and is_small:
        most = tuple(m if m == UNLIMITED else 2 * n for m, n in zip(most, shape))
    t = h5py.h5t.py_create(dtype, logical=True)
    with h5py.File(path, "w", libver=libver) as f:
        d = h5py.Dataset(h5py.h5d.create(f.id, b"x", t, h5py.h5s.create_simple(shape, most), p))
        for at, value in written.items():
            d[tuple(i % n for i, n in zip(at, shape))] = np.array(value, dtype)
        if is_small:
            return d[()]


if __name__ == "__main__":
    twins = {}
    for name in layouts:
        libver = "latest" if name in ("single", "fixed-array", "extensible", "tree2", "gzip") else "earliest"
        big, small = layouts[name][1]
        if big:
            make(name, big, os.path.join(HERE, "big-%s.h5" % name), libver, False)
        twins[name] = make(name, small, os.path.join(HERE, "small-%s.h5" % name), libver, True)
    np.savez_compressed(os.path.join(HERE, "small.npz"), **twins)
