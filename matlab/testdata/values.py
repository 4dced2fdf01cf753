"""Prints what scipy.io.loadmat reads of MAT-files, as JSON: {file: {path: [kind, item size, shape, SHA-256]}}.

Paths are those of package matlab. The sum is of the elements in C order, little-endian. What is no array of numbers, bools
or strings is "refused"; a file that SciPy cannot read is a string. Arguments: the files, or folders of them.
"""
import glob, hashlib, json, os, sys, warnings
import numpy as np
import scipy.io, scipy.sparse
from scipy.io.matlab import MatlabFunction, MatlabObject, MatlabOpaque

warnings.simplefilter("ignore")


def array(a):
    a = np.asarray(a)
    if a.dtype.kind == "U":  # an empty string is one of one NUL
        a = a.astype("<U%d" % max(a.dtype.itemsize // 4, 1))
    a = a.astype(a.dtype.newbyteorder("<"))
    return [a.dtype.kind, a.dtype.itemsize, list(a.shape), hashlib.sha256(a.tobytes("C")).hexdigest()]


def walk(path, v, stored, out):
    """v has the types of MATLAB's classes, stored those of the file. SciPy loses imaginary parts in v."""
    if isinstance(v, (MatlabFunction, MatlabObject, MatlabOpaque)):
        out[path] = "refused"
    elif scipy.sparse.issparse(v):
        if v.format == "csc":
            members = {"indices": v.indices, "indptr": v.indptr}
        else:
            members = {"row": v.row.astype("i4"), "col": v.col.astype("i4")}
        out[path] = "group"
        data = v.data.astype("f8") if v.data.dtype.kind in "iu" else v.data
        members |= {"data": data, "shape": np.array(v.shape, "i8"), "format": np.array(v.format.encode())}
        for name, m in members.items():
            out[path + "/" + name] = array(m)
    elif v.dtype.names is not None:
        out[path] = "group"
        flat = v.flatten("F")
        for i, (x, y) in enumerate(zip(flat, stored.flatten("F"))):
            element = path if len(flat) == 1 else f"{path}/{i}"
            if len(flat) != 1:
                out[element] = "group"
            for name in v.dtype.names:
                walk(element + "/" + name, x[name], y[name], out)
    elif v.dtype == object:
        out[path] = "group"
        for i, (x, y) in enumerate(zip(v.flatten("F"), stored.flatten("F"))):
            walk(f"{path}/{i}", x, y, out)
    else:
        if stored.dtype.kind == "c":  # of integers SciPy makes complex64
            v = stored.astype("c8" if v.dtype == np.float32 else "c16")
        out[path] = array(v)


def values(path):
    out = {}
    with open(path, "rb") as f:
        head = f.read(128)
    options = {"uint16_codec": "utf-16-be" if head[126:] == b"MI" else "utf-16-le"} if head.startswith(b"MATLAB") else {}
    try:
        stored = scipy.io.loadmat(path, **options)
        for name, v in scipy.io.loadmat(path, mat_dtype=True, **options).items():
            if not name.startswith("__"):
                walk(name, v, stored[name], out)
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    return out


if __name__ == "__main__":
    files = []
    for arg in sys.argv[1:]:
        files += sorted(glob.glob(os.path.join(arg, "*.mat"))) if os.path.isdir(arg) else [arg]
    json.dump({os.path.basename(f): values(f) for f in files}, sys.stdout, indent=1)
