"""Writes v73.mat, a file in the layout of MATLAB 7.3, with h5py, and values73.json, what it holds. Made with h5py 3.7."""
import json, os, sys
import h5py
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from values import array

expected = {}


def note(path, a):
    if path is not None:
        expected[path] = array(a) if isinstance(a, np.ndarray) else a


class Writer:
    def __init__(self, f):
        self.f, self.refs = f, 0

    def ref(self, value, path):
        g = self.f.require_group("#refs#")
        name = "r%d" % self.refs
        self.refs += 1
        self.put(g, name, value, path)
        return g[name].ref

    def put(self, g, name, v, path, **options):
        """value: an array of at least two dimensions, a string, a dict (struct), a list (cell), a list of dicts as tuple (struct array)."""
        if isinstance(v, dict):
            s = g.create_group(name)
            s.attrs["MATLAB_class"] = np.bytes_(b"struct")
            note(path, "group")
            for key, x in v.items():
                self.put(s, key, x, path and path + "/" + key)
            return
        if isinstance(v, tuple):
            s = g.create_group(name)
            s.attrs["MATLAB_class"] = np.bytes_(b"struct")
            note(path, "group")
            for i in range(len(v)):
                note(f"{path}/{i}", "group")
            for key in v[0]:
                s.create_dataset(key, data=np.array([[self.ref(x[key], f"{path}/{i}/{key}")] for i, x in enumerate(v)], h5py.ref_dtype), dtype=h5py.ref_dtype)
            return
        if isinstance(v, list):
            note(path, "group")
            data = np.array([[self.ref(x, f"{path}/{i}")] for i, x in enumerate(v)], h5py.ref_dtype)
            d = g.create_dataset(name, data=data, dtype=h5py.ref_dtype)
            d.attrs["MATLAB_class"] = np.bytes_(b"cell")
            return
        if isinstance(v, str):
            note(path, np.array([v]) if v else np.array([], "U1"))
            units = np.frombuffer(v.encode("utf-16-le"), "<u2")
            if not v:
                self.empty(g, name, "char", (0, 0))
                return
            d = g.create_dataset(name, data=units.reshape(-1, 1), **options)
            d.attrs["MATLAB_class"] = np.bytes_(b"char")
            d.attrs["MATLAB_int_decode"] = np.int32(2)
            return
        note(path, v)
        classes = {"f8": "double", "f4": "single", "c16": "double", "c8": "single", "b1": "logical"}
        code = v.dtype.str[1:]
        cls = classes.get(code, v.dtype.name)
        if v.size == 0:
            self.empty(g, name, cls, v.shape)
            return
        data = v.T
        if v.dtype.kind == "c":
            part = "<f%d" % (v.dtype.itemsize // 2)
            data = np.zeros(data.shape, [("real", part), ("imag", part)])
            data["real"], data["imag"] = v.T.real, v.T.imag
        if v.dtype == bool:
            data = data.astype("u1")
        d = g.create_dataset(name, data=data, **options)
        d.attrs["MATLAB_class"] = np.bytes_(cls.encode())
        if cls == "logical":
            d.attrs["MATLAB_int_decode"] = np.int32(1)

    def empty(self, g, name, cls, shape):
        d = g.create_dataset(name, data=np.array(shape, "u8"))
        d.attrs["MATLAB_class"] = np.bytes_(cls.encode())
        d.attrs["MATLAB_empty"] = np.uint8(1)

    def sparse(self, name, m):
        rows, columns = m.shape
        s = self.f.create_group(name)
        s.attrs["MATLAB_class"] = np.bytes_(b"double")
        s.attrs["MATLAB_sparse"] = np.uint64(rows)
        jc = np.concatenate([[0], np.cumsum((m != 0).sum(0))]).astype("u8")
        ir = np.nonzero(m.T)[1].astype("u8")
        data = m.T[np.nonzero(m.T)]
        note(name, "group")
        for member, key, a in (("jc", "indptr", jc), ("ir", "indices", ir), ("data", "data", data)):
            if a.size:
                s.create_dataset(member, data=a)
            note(f"{name}/{key}", a if a.size or key == "indptr" else a.astype("i8" if key == "indices" else "f8"))
        note(name + "/shape", np.array([rows, columns], "i8"))
        note(name + "/format", np.array(b"csc"))


if __name__ == "__main__":
    path = f"{here}/v73.mat"
    with h5py.File(path, "w", userblock_size=512) as f:
        w = Writer(f)
        grid = np.arange(24.0).reshape(2, 3, 4)
        w.put(f, "grid", grid, "grid")
        w.put(f, "packed", np.arange(600, dtype="i2").reshape(20, 30), "packed", chunks=(10, 10), compression="gzip")
        w.put(f, "z", np.array([[1 + 2j, 3], [4j, -5.5 - 6j]]), "z")
        w.put(f, "z4", np.array([[1 + 2j, 3]], "c8"), "z4")
        w.put(f, "yes", np.array([[True, False], [False, True], [True, True]]), "yes")
        w.put(f, "word", "añ日本", "word")
        w.put(f, "nothing", "", "nothing")
        w.put(f, "none", np.zeros((0, 3)), "none")
        w.put(f, "s", {"inner": {"list": ["a", np.array([[7]], "u1")], "y": np.array([[1.5], [2.5]])}, "x": np.array([[1, 2]], "i4")}, "s")
        w.put(f, "c", ["text", np.arange(3.0).reshape(1, 3), {"in": np.array([[True]])}, ["deep"]], "c")
        w.put(f, "people", ({"age": np.array([[36.0]]), "name": "Ada"}, {"age": np.array([[85.0]]), "name": "Grace"}), "people")
        w.sparse("sp", np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, -3], [0, 4, 0]]))
        w.sparse("sp0", np.zeros((3, 2)))
        d = f.create_dataset("handle", data=np.zeros((1, 1), "u4"))
        d.attrs["MATLAB_class"] = np.bytes_(b"function_handle")
        d.attrs["MATLAB_object_decode"] = np.int32(1)
        note("handle", "refused")
    loop = f"{here}/loop73.mat"
    with h5py.File(loop, "w", userblock_size=512) as f:
        d = f.create_dataset("c", (2, 1), dtype=h5py.ref_dtype)
        d.attrs["MATLAB_class"] = np.bytes_(b"cell")
        d[0, 0] = d[1, 0] = d.ref
        g = None
        for i in range(40):  # each has the one before twice
            e = f.create_dataset("#refs#/%d" % i if i < 39 else "laughs", (2, 1), dtype=h5py.ref_dtype)
            e.attrs["MATLAB_class"] = np.bytes_(b"cell")
            e[0, 0] = e[1, 0] = g.ref if g is not None else d.ref
            g = e
    for name in (path, loop):
        with open(name, "r+b") as f:
            f.write(b"MATLAB 7.3 MAT-file, written by gen73.py HDF5 schema 1.00 .".ljust(116) + b"\0" * 8 + b"\0\2IM")
    with open(f"{here}/values73.json", "w") as f:
        json.dump({"v73.mat": expected}, f, indent=1)
        f.write("\n")
