"""losses.py make DIR SEED COUNT writes files with random features, in HDF5 and in netCDF of every version, into DIR.
losses.py facts prints what a library finds in each file that a line KIND:FILE of its input names, h5py for the KIND hdf5 and netCDF4 for netcdf: a JSON object of
"path|feature": value. Paths that are hard links to one object have one name, the least of them."""
import json
import os
import random
import sys
import warnings

import h5py
import netCDF4
import numpy as np

warnings.simplefilter("ignore")


def attributes(r, names):
    values = {
        "int": np.int32(r.randrange(-9, 9)), "one": np.array([r.randrange(9)], "i8"), "list": np.arange(r.randrange(2, 5), dtype="f8"),
        "text": r.choice(["m/s", "Größe", "", "a b"]), "u1": np.uint8(200), "big": np.arange(3, dtype=">i2"), "float": np.float32(0.5),
    }
    return {k: values[k] for k in r.sample(sorted(values), r.randrange(0, names))}


def hdf5(path, r):
    libver = r.choice(["earliest", "latest", ("earliest", "v108"), ("v108", "v110")])
    with h5py.File(path, "w", libver=libver) as f:
        groups = [f]
        for name in r.sample(["g", "h", "g/i", "h/j"], r.randrange(0, 4)):
            groups.append(f.require_group(name))
        arrays = []
        for i in range(r.randrange(2, 7)):
            g = r.choice(groups)
            name = "d%d" % i
            dtype = r.choice(["i1", "<i4", ">i4", "u2", "f8", ">f4", "f2", "?", "c16", "S5", "utf8", "vstr", "vascii", "enum", "compound", "ref", "regref", "V3", "u8"])
            shape = r.choice([(), (3,), (0,), (2, 3), (4, 1, 2), (0, 2), (6,)])
            kind = {
                "vstr": h5py.string_dtype(), "vascii": h5py.string_dtype("ascii"), "utf8": h5py.string_dtype("utf-8", 5), "ref": h5py.ref_dtype, "regref": h5py.regionref_dtype,
                "enum": h5py.enum_dtype({"A": 0, "B": 1, "C": 100}, basetype=r.choice(["i1", "u2", ">i4", "i8", "u8"])),
                "compound": np.dtype([("e", h5py.enum_dtype({"X": 1, "Y": -2}, basetype="i2")), ("v", "f8"), ("s", r.choice(["S3", h5py.string_dtype("utf-8", 3), h5py.string_dtype()])), ("r", h5py.ref_dtype)]),
            }.get(dtype) or np.dtype(dtype)
            if r.random() < 0.1:
                d = g.create_dataset(name, data=h5py.Empty(kind if dtype != "compound" else "i4"))
            else:
                options = {}
                if shape and r.random() < 0.5:
                    options["chunks"] = tuple(max(1, min(n, r.randrange(1, 4))) for n in shape)
                    if r.random() < 0.6:
                        options["maxshape"] = tuple(r.choice([n, n + 2, None]) or None for n in shape)
                        if r.random() < 0.5:
                            options["chunks"] = tuple(c if m is not None else c + 2 for c, m in zip(options["chunks"], options["maxshape"]))
                    elif 0 in shape:
                        del options["chunks"]
                    if "chunks" in options and r.random() < 0.4:
                        options["fletcher32"] = True
                    if "chunks" in options and r.random() < 0.4:
                        options["compression"] = "gzip"
                if r.random() < 0.4:
                    fill = {"S5": b"fill", "utf8": b"fill", "vstr": "fill", "vascii": "fill", "?": True, "c16": 1 + 2j, "enum": 1, "u1": 7, "u2": 7, "u8": 2**63, "V3": np.void(b"abc")}.get(dtype, 7 if dtype[-2:-1] in "iuf" else None)
                    if fill is not None:
                        options["fillvalue"] = fill
                try:
                    d = g.create_dataset(name, shape, kind, **options)
                except ValueError:  # filters that libhdf5 does not apply to a dtype
                    options.pop("fletcher32", 0), options.pop("compression", 0)
                    d = g.create_dataset(name, shape, kind, **options)
                if dtype in ("i1", "<i4", ">i4", "u2", "f8", ">f4", "f2", "u8", "c16") and d.size:
                    d[...] = np.arange(d.size).astype(d.dtype).reshape(shape)
                if dtype == "enum" and d.size:
                    d[...] = np.array([0, 1, 100] * d.size)[: d.size].reshape(shape)
                if dtype in ("S5", "utf8", "vstr", "vascii") and d.size:
                    d[...] = np.array([b"a", b"bcd", b""] * d.size, object if dtype[0] == "v" else kind)[: d.size].reshape(shape)
            arrays.append((d, dtype))
            for k, v in attributes(r, 4).items():
                d.attrs[k] = v
        objects = [d for d, _ in arrays] + groups
        for d, dtype in arrays:
            if d.shape is None or not d.shape:
                continue
            for index in np.ndindex(d.shape):
                if r.random() < 0.3:
                    continue
                if dtype == "ref":
                    d[index] = r.choice(objects).ref
                if dtype == "regref":
                    to = r.choice([x for x, _ in arrays])
                    if to.shape and to.size:
                        d[index] = to.regionref[0:1]
                if dtype == "compound":
                    v = np.zeros((), d.dtype)
                    v["e"], v["v"], v["s"], v["r"] = 1, 2.5, b"s", r.choice(objects).ref
                    d[index] = v
        for o in objects:
            if r.random() < 0.5:
                for k, v in attributes(r, 3).items():
                    o.attrs[k] = v
            if r.random() < 0.2:
                o.attrs["ref"] = r.choice(objects).ref
            if r.random() < 0.1:
                o.attrs["refs"] = np.array([r.choice(objects).ref, r.choice(objects).ref], h5py.ref_dtype)
            if r.random() < 0.1:
                o.attrs.create("enum", 1, dtype=h5py.enum_dtype({"NO": 0, "YES": 1, "MAYBE": 2}, basetype="i1"))
            if r.random() < 0.1:
                o.attrs["none"] = h5py.Empty(r.choice(["f4", "S1", h5py.string_dtype()]))
            if r.random() < 0.05 and libver == "latest":
                o.attrs["dense"] = np.arange(9000.0)
            if r.random() < 0.1:
                o.attrs["texts"] = np.array(["a", "bc", "ö"], h5py.string_dtype())
            if r.random() < 0.2:
                o.attrs.create("set", "ab", dtype=h5py.string_dtype(r.choice(["ascii", "utf-8"]), r.choice([None, 4])))
        # dimension scales
        scales = {}
        for n in (2, 3, 4, 6):
            if r.random() < 0.5:
                g = r.choice(groups)
                name = "s%d" % n
                g[name] = np.arange(float(n))
                s = g[name]
                s.make_scale(*r.choice([(), (name,), ("other name",), ("größe",)]))
                scales.setdefault(n, []).append(s)
                if r.random() < 0.3:
                    g[name + "b"] = np.arange(n)
                    g[name + "b"].make_scale(name + "b")
                    scales[n].append(g[name + "b"])
        for d, _ in arrays:
            if d.shape is None or not d.shape or r.random() < 0.4:
                continue
            for i, n in enumerate(d.shape):
                for s in scales.get(n, []):
                    if r.random() < 0.7:
                        d.dims[i].attach_scale(s)
                if r.random() < 0.2:
                    d.dims[i].label = "axis%d" % i
        # links
        for i in range(r.randrange(0, 4)):
            g = r.choice(groups)
            to = r.choice(objects)
            kind = r.randrange(7)
            name = "l%d" % i
            if kind == 0:
                g[name] = h5py.SoftLink(to.name)
            elif kind == 1 and to.name.startswith(g.name) and to.name != g.name:
                g[name] = h5py.SoftLink(to.name[len(g.name):].strip("/"))
            elif kind == 2:
                g[name] = h5py.SoftLink("/no/where")
            elif kind == 3:
                g[name] = h5py.ExternalLink("other.h5", "/x/y")
            elif kind == 4 and isinstance(to, h5py.Dataset):
                g[name] = to
            elif kind == 5 and isinstance(to, h5py.Group):
                g[name] = to
            elif kind == 6:
                g["t%d" % i] = np.dtype("f4")


def netcdf(path, r):
    form = r.choice(["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4", "NETCDF4_CLASSIC", "NETCDF4"])
    full = form == "NETCDF4"
    with netCDF4.Dataset(path, "w", format=form) as d:
        d.set_fill_on()
        groups = [d]
        if full:
            for name in r.sample(["g", "h"], r.randrange(0, 3)):
                groups.append(d.createGroup(name))
        sizes, n = {}, 0
        for g in groups:
            mine = r.sample(["time", "lat", "lon", "nv", "strlen"], r.randrange(2 if g is d else 0, 5))
            for name in mine:
                if g is not d and name in d.dimensions:
                    continue
                unlimited = name == "time" and r.random() < 0.8 or full and r.random() < 0.15
                size = {"time": 4, "lat": 3, "lon": 2, "nv": 2, "strlen": 6}[name]
                g.createDimension(name, None if unlimited else size)
                sizes[(g.path, name)] = size
        for g in groups:
            seen = {name: sizes[(p.path, name)] for p in (d, g) for name in p.dimensions}
            names = list(seen)
            if not names:
                continue
            for i in range(r.randrange(1, 5)):
                dims = tuple(r.sample(names, min(len(names), r.randrange(0, 4))))
                if not full:  # an unlimited dimension is the first
                    dims = tuple(sorted(dims, key=lambda x: not d.dimensions[x].isunlimited()))
                kinds = ["i1", "i2", "i4", "f4", "f8", "S1"] + (["u1", "u2", "u4", "i8", "u8"] if form in ("NETCDF4", "NETCDF3_64BIT_DATA") else []) + (["str", "enum"] if full else [])
                kind = r.choice(kinds if dims else kinds[:5])
                if r.random() < 0.3:  # a coordinate variable
                    dims = (r.choice(list(g.dimensions) or names),)
                    kind = r.choice(["f8", "i4"])
                name = dims[0] if len(dims) == 1 and dims[0] in g.dimensions and kind != "S1" and r.random() < 0.9 else "v%d" % n
                n += 1
                if name in g.variables:
                    continue
                options = {}
                if r.random() < 0.4 and kind not in ("str", "enum"):
                    options["fill_value"] = b"x" if kind == "S1" else {"u8": 2**63}.get(kind, 99)
                if form.startswith("NETCDF4") and dims and r.random() < 0.3 and kind not in ("str", "S1"):
                    options.update(zlib=True, fletcher32=r.random() < 0.5)
                t = str if kind == "str" else kind
                if kind == "enum":
                    t = g.createEnumType("i1", "t%d" % n, {"NO": 0, "YES": 1})
                v = g.createVariable(name, t, dims, **options)
                v.set_auto_maskandscale(False)
                shape = tuple(seen[x] for x in dims)
                size = int(np.prod(shape))
                if kind == "S1":
                    v[:] = np.array([b"a", b"b", b"c"] * size, "S1")[:size].reshape(shape)
                elif kind == "str":
                    v[:] = np.array(["a", "bc", ""] * size, object)[:size].reshape(shape)
                elif kind == "enum":
                    v[:] = np.array([0, 1] * size, "i1")[:size].reshape(shape)
                else:
                    v[:] = np.arange(size).astype(kind).reshape(shape)
                for k, x in attributes(r, 3).items():
                    if form in ("NETCDF4", "NETCDF3_64BIT_DATA") or not (hasattr(x, "dtype") and x.dtype.kind + str(x.dtype.itemsize) in ("u1", "i8")):
                        v.setncattr(k, x)
            for k, x in attributes(r, 3).items():
                if form in ("NETCDF4", "NETCDF3_64BIT_DATA") or not (hasattr(x, "dtype") and x.dtype.kind + str(x.dtype.itemsize) in ("u1", "i8")):
                    g.setncattr(k, x)
    if form.startswith("NETCDF4") and r.random() < 0.5:  # as netCDF-C before 4.4.1 writes it
        with h5py.File(path, "r+") as f:
            del f.attrs["_NCProperties"]


def plain(v):
    """A value as JSON that is equal for equal values."""
    if isinstance(v, h5py.Empty):
        return "empty " + v.dtype.kind
    a = np.asarray(v)
    if a.dtype.kind == "O":
        return [x.decode("utf-8", "surrogateescape") if isinstance(x, bytes) else str(x) for x in a.ravel()]
    if a.dtype.kind == "S":
        return [x.decode("utf-8", "surrogateescape") for x in a.ravel()]
    if a.dtype.kind == "c":
        return [[float(x.real), float(x.imag)] for x in a.ravel()]
    if a.dtype.kind == "V":
        return a.tobytes().hex()
    if a.dtype.kind == "U":
        return [str(x) for x in a.ravel()]
    return [x.item() for x in a.ravel()]


def hdf5_facts(path):
    facts = {}
    with h5py.File(path, "r") as f:
        names = {}  # of objects, by their addresses

        def links(g, prefix, seen):
            for name in g:
                where = prefix + name
                link = g.get(name, getlink=True)
                if isinstance(link, h5py.SoftLink):
                    facts[where + "|link"] = "soft " + link.path
                elif isinstance(link, h5py.ExternalLink):
                    facts[where + "|link"] = "external %s %s" % (link.filename, link.path)
                else:
                    o = g[name]
                    if isinstance(o, h5py.Datatype):
                        continue
                    at = h5py.h5o.get_info(o.id).addr
                    names.setdefault(at, []).append(where)
                    if isinstance(o, h5py.Group) and at not in seen:
                        links(o, where + "/", seen | {at})

        root = h5py.h5o.get_info(f.id).addr
        names[root] = [""]
        links(f, "", {root})
        least = lambda o: min(names[h5py.h5o.get_info(o.id).addr], key=lambda s: (len(s), s))
        target = lambda r: "/" + least(f[r]) if r else None
        for at, all in names.items():
            where = min(all, key=lambda s: (len(s), s))
            o = f[where] if where else f
            if len(all) > 1:
                for alias in all:
                    facts[alias + "|link"] = "hard " + where
            for k in o.attrs:
                if k in ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS", "_NCProperties", "_Netcdf4Coordinates", "_Netcdf4Dimid", "_nc3_strict"):
                    continue
                a = h5py.h5a.open(o.id, k.encode())
                v = o.attrs[k]
                if isinstance(v, h5py.h5r.Reference) and not isinstance(v, h5py.h5r.RegionReference):
                    v = target(v)
                elif h5py.check_ref_dtype(a.dtype) is h5py.Reference and isinstance(v, np.ndarray):
                    v = [target(x) for x in v.ravel()]
                facts["%s|attribute %s" % (where, k)] = v if isinstance(v, (str, list)) and not isinstance(v, np.ndarray) and "|" not in str(v) and (isinstance(v, list) or v.startswith("/")) else plain(v)
                text = h5py.check_string_dtype(a.dtype)
                if text and not isinstance(v, h5py.Empty):
                    facts["%s|attribute %s charset" % (where, k)] = text.encoding
                if a.get_type().get_class() == h5py.h5t.ENUM:
                    facts["%s|attribute %s enum" % (where, k)] = h5py.check_enum_dtype(a.dtype)
            if not isinstance(o, h5py.Dataset):
                facts[where + "|group"] = True
                continue
            if o.shape is None:
                facts[where + "|null"] = True
                continue
            if o.dtype == "S1" and o.shape:
                facts[where + "|characters"] = True
            if o.shape != o.maxshape:
                facts[where + "|maxshape"] = list(o.maxshape)
            p = o.id.get_create_plist()
            if o.dtype.kind not in "O" and not (o.dtype.names and any(h5py.check_string_dtype(o.dtype[n]) or o.dtype[n].kind == "O" for n in o.dtype.names)):
                facts[where + "|fill"] = plain(np.asarray(o.fillvalue))
            elif p.fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED and o.dtype.kind == "O" and h5py.check_string_dtype(o.dtype):
                facts[where + "|fill"] = plain(o.fillvalue)
            if o.fletcher32:
                facts[where + "|checksum"] = True
            for name in [None] + list(o.dtype.names or []):
                t = o.dtype[name] if name else o.dtype
                text = h5py.check_string_dtype(t)
                if text and not (o.dtype == "S1" and o.shape):
                    facts["%s|charset %s" % (where, name)] = text.encoding
                enum = h5py.check_enum_dtype(t)
                if enum and t.kind != "b":
                    facts["%s|enum %s" % (where, name)] = enum
                kind = h5py.check_ref_dtype(t)
                if kind is h5py.Reference and o.size:
                    v = o[...][name] if name else o[...]
                    facts["%s|references %s" % (where, name)] = [target(x) for x in np.asarray(v, object).ravel()]
                elif kind is h5py.RegionReference and o.size:
                    facts["%s|regions %s" % (where, name)] = True
            if str(o.attrs.get("NAME", "")).startswith("b'This is a netCDF"):
                pass  # a dimension, whose length is that of its variables
            elif o.dtype.kind not in "OV":
                facts[where + "|elements"] = [o.dtype.str, list(o.shape), o[...].tobytes().hex()]
            elif h5py.check_string_dtype(o.dtype):
                facts[where + "|elements"] = [list(o.shape), plain(o[...])]
            if h5py.h5ds.is_scale(o.id):
                name = h5py.h5ds.get_scale_name(o.id).decode()
                facts[where + "|scale"] = name[:54].strip() if name.startswith("This is a netCDF") else name
            labels = [x.label for x in o.dims]
            if any(labels):
                facts[where + "|labels"] = labels
            scales = [sorted(least(s) for s in x.values()) for x in o.dims]
            if any(scales):
                facts[where + "|scales"] = scales
    return facts


def netcdf_facts(path):
    facts = {}
    with netCDF4.Dataset(path) as d:
        d.set_auto_maskandscale(False)

        def walk(g, prefix):
            for name, dim in g.dimensions.items():
                facts["%s|dimension %s" % (prefix.strip("/"), name)] = [len(dim), dim.isunlimited()]
            for k in g.ncattrs():
                facts["%s|attribute %s" % (prefix.strip("/"), k)] = plain(g.getncattr(k))
            for name, v in g.variables.items():
                where = prefix + name
                dims = list(v.dimensions)
                if v.dtype == "S1" and dims and not (len(dims) == 1 and v.get_dims()[0].isunlimited()):
                    facts[where + "|textdim"] = dims.pop()
                facts[where + "|dims"] = dims
                if isinstance(v.dtype, np.dtype) and v.dtype.kind in "iuf":
                    facts[where + "|elements"] = [v.dtype.kind + str(v.dtype.itemsize), list(v.shape), plain(v[...])]
                for k in v.ncattrs():
                    if k != "_FillValue":
                        facts["%s|attribute %s" % (where, k)] = plain(v.getncattr(k))
                if "_FillValue" in v.ncattrs():
                    facts[where + "|fill"] = plain(v.getncattr("_FillValue"))
                if isinstance(v.datatype, netCDF4.EnumType):
                    facts[where + "|enum None"] = dict(v.datatype.enum_dict)
                if (v.filters() or {}).get("fletcher32"):
                    facts[where + "|checksum"] = True
            for name, sub in g.groups.items():
                walk(sub, prefix + name + "/")

        walk(d, "")
    return facts


if __name__ == "__main__":
    if sys.argv[1] == "make":
        where, seed, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
        for i in range(count):
            hdf5("%s/%d.h5" % (where, i), random.Random("%d h %d" % (seed, i)))
            netcdf("%s/%d.nc" % (where, i), random.Random("%d n %d" % (seed, i)))
    else:
        for line in sys.stdin.read().split("\n"):
            kind, _, path = line.partition(":")
            if kind:
                print(json.dumps({"hdf5": hdf5_facts, "netcdf": netcdf_facts}[kind](path)), flush=True)
