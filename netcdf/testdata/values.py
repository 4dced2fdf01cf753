"""Prints what netCDF4 reads of netCDF files, as JSON: {file: {path: {...}}}. Arguments: the files.

Each variable has kind, item size and shape as package netcdf gives them (characters are strings), the SHA-256 of its
elements in C order, little-endian, the names of its dimensions, and its attributes. The path "" has the global ones.
"""
import hashlib, json, os, sys
import numpy as np
import netCDF4


def attributes(v):
    out = {}
    for name in v.ncattrs():
        x = v.getncattr(name)
        out[name] = x if isinstance(x, str) else np.asarray(x).tolist()
    return out


def variables(d, prefix, out):
    out[prefix[:-1]] = {"attributes": attributes(d)}
    for name, v in d.variables.items():
        a, dims = np.asarray(v[...]), list(v.dimensions)
        if a.dtype == "S1" and dims and (len(dims) > 1 or not d.dimensions[dims[0]].isunlimited()):
            n = a.shape[-1]
            a = np.ascontiguousarray(a).view("S%d" % n).reshape(a.shape[:-1])
            dims = dims[:-1]
        if a.dtype == object:
            data, size = "\0".join(a.ravel().tolist()).encode(), 8
        else:
            a = a.astype(a.dtype.newbyteorder("<"))
            data, size = a.tobytes("C"), a.dtype.itemsize
        out[prefix + name] = {"kind": a.dtype.kind, "size": size, "shape": list(a.shape), "dims": dims, "attributes": attributes(v),
                              "sum": hashlib.sha256(data).hexdigest()}
    for name, g in d.groups.items():
        variables(g, prefix + name + "/", out)


def values(path):
    out = {}
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)
        d.set_auto_chartostring(False)
        variables(d, "", out)
    return out


if __name__ == "__main__":
    json.dump({os.path.basename(f): values(f) for f in sys.argv[1:]}, sys.stdout)
