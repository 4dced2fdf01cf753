#!/usr/bin/python3
"""Makes the fixtures beside this file with h5py, and manifest.json with what h5py reads from them.

Files of libver "earliest" have version 0 superblocks, version 1 headers and B-trees; those of "latest" have version 3
superblocks, version 2 headers, and the newer indices of links, attributes and chunks.
"""
import hashlib, json, os, sys
import numpy as np
import h5py

HERE = os.path.dirname(os.path.abspath(__file__))


def types(f):
    g = f.create_group("types")
    for t in ["i1", "u1", "<i2", ">i2", "<u2", "<i4", ">u4", "<i8", ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<c8", ">c16", "?", "S5", "V3"]:
        x = (np.arange(12) % 7).astype("i1").reshape(3, 4)
        x = x.astype("u1").repeat(3).view("V3").reshape(3, 4) if t == "V3" else x.astype(t)
        g[t.replace("<", "le_").replace(">", "be_").replace("?", "bool")] = x
    g["longdouble"] = np.array([1.5, -2.25], "longdouble")
    g["longcomplex"] = np.array([1.5 - 2j], "clongdouble")
    g["datetime"] = np.array(["2020-01-02", "NaT", "1969-12-31"], "M8[us]").astype(h5py.opaque_dtype("<M8[us]"))
    g["timedelta"] = np.array([1, -2, 3], "<m8[D]").astype(h5py.opaque_dtype("<m8[D]"))
    g.create_dataset("enum", data=[0, 2, 1], dtype=h5py.enum_dtype({"RED": 0, "GREEN": 1, "BLUE": 2}, "i2"))
    g.create_dataset("vlen_str", data=["alpha", "", "Ωmega", "x" * 5000], dtype=h5py.string_dtype())
    g.create_dataset("vlen_bytes", data=[b"a", b"\xffb", b""], dtype=h5py.string_dtype("ascii"))
    v = g.create_dataset("vlen_int", (3,), dtype=h5py.vlen_dtype("<i4"))
    v[0], v[2] = [1, 2, 3], [-4]
    v = g.create_dataset("vlen_str_2d", (2, 3), dtype=h5py.string_dtype())
    v[1, 2] = "last"
    rec = np.dtype([("a", "<i4"), ("b", ">f8"), ("s", "S4"), ("v", "<u2", (3,)), ("z", "<c16"), ("n", [("x", "i1"), ("y", "<f4")])])
    x = np.zeros(4, rec)
    x["a"], x["b"], x["s"], x["v"], x["z"], x["n"]["y"] = range(4), 2.5, b"abc", np.arange(12).reshape(4, 3), 1 + 2j, -1
    g["compound"] = x
    g["aligned"] = np.zeros(3, np.dtype([("a", "i1"), ("b", "<f8"), ("c", "<i2")], align=True))
    mixed = np.dtype([("id", "<i4"), ("name", h5py.string_dtype()), ("tags", h5py.string_dtype(), (2,)), ("r", h5py.ref_dtype)])
    x = np.zeros(2, mixed)
    x["id"], x["name"], x["tags"] = [7, 8], ["one", "two"], [["a", "b"], ["c", "d"]]
    x["r"] = [g["enum"].ref, h5py.Reference()]
    g.create_dataset("objects", data=x)
    a = h5py.h5d.create(g.id, b"array", h5py.h5t.array_create(h5py.h5t.STD_I32LE, (2, 2)), h5py.h5s.create_simple((3,)))
    a.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(12, dtype="<i4").reshape(3, 2, 2), mtype=h5py.h5t.array_create(h5py.h5t.STD_I32LE, (2, 2)))
    g.create_dataset("references", data=[f.ref, g.ref, g["enum"].ref, h5py.Reference()], dtype=h5py.ref_dtype)
    g.create_dataset("regions", data=[g["enum"].regionref[0:2]], dtype=h5py.regionref_dtype)
    for name, order, size, bits in [("int24", h5py.h5t.STD_I32LE, 3, 24), ("uint40be", h5py.h5t.STD_U64BE, 5, 40), ("int12", h5py.h5t.STD_I16LE, 2, 12)]:
        t = order.copy()
        t.set_precision(bits), t.set_size(size)
        d = h5py.h5d.create(g.id, name.encode(), t, h5py.h5s.create_simple((4,)))
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, 200, 1000, 7], "<i8") * (1 if name.startswith("u") else np.array([1, -1, 1, -1])))
    t = h5py.h5t.STD_B8LE.copy()
    d = h5py.h5d.create(g.id, b"bitfield", t, h5py.h5s.create_simple((3,)))
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([1, 2, 255], "u1"), mtype=t)
    for pad, name in [(h5py.h5t.STR_NULLTERM, "nullterm"), (h5py.h5t.STR_SPACEPAD, "spacepad")]:
        t = h5py.h5t.C_S1.copy()
        t.set_size(6), t.set_strpad(pad)
        d = h5py.h5d.create(g.id, name.encode(), t, h5py.h5s.create_simple((3,)))
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([b"ab", b"", b"abcde"], "S6"))
    g["committed"] = np.dtype("<i2")
    g.create_dataset("of_committed", data=[1, 2], dtype=g["committed"])


def layouts(f):
    g = f.create_group("layouts")
    x = np.arange(7 * 11, dtype="<i4").reshape(7, 11)
    g["scalar"] = 3.5
    g["scalar_str"] = "text"
    g["null"] = h5py.Empty("<f4")
    g["empty"] = np.zeros((0, 3), "<i2")
    g.create_dataset("unallocated", (3, 4), "<f4")
    g.create_dataset("filled", (3, 4), "<f4", fillvalue=-1.5)
    g.create_dataset("filled_chunks", (5, 4), "<i2", fillvalue=9, chunks=(2, 3))[1:2, 2:4] = 5
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    p.set_layout(h5py.h5d.COMPACT)
    h5py.h5d.create(g.id, b"compact", h5py.h5t.STD_I32LE, h5py.h5s.create_simple(x.shape), p).write(h5py.h5s.ALL, h5py.h5s.ALL, x)
    g.create_dataset("chunked", data=x, chunks=(3, 4))
    g.create_dataset("single", data=x, chunks=(7, 11))
    g.create_dataset("single_gzip", data=x, chunks=(7, 11), compression="gzip")
    g.create_dataset("gzip", data=x, chunks=(3, 4), compression="gzip", shuffle=True)
    g.create_dataset("fletcher", data=x, chunks=(3, 4), compression="gzip", fletcher32=True)
    g.create_dataset("lzf", data=x, chunks=(4, 5), compression="lzf")
    g.create_dataset("unlimited", data=x, chunks=(2, 4), maxshape=(None, 11))
    g.create_dataset("unlimited_1", data=x, chunks=(2, 4), maxshape=(7, None), compression="gzip")
    g.create_dataset("unlimited_2", data=x, chunks=(2, 4), maxshape=(None, None), compression="gzip")
    g.create_dataset("unlimited_2_raw", data=x, chunks=(2, 4), maxshape=(None, None))
    g.create_dataset("larger", data=x, chunks=(2, 4), maxshape=(20, 30))
    g.create_dataset("many", data=np.arange(3000, dtype="<u2"), chunks=(1,), maxshape=(None,))
    g.create_dataset("many_fixed", data=np.arange(3000, dtype="<u2"), chunks=(1,))
    g.create_dataset("sparse_fixed", (5000,), "<u2", chunks=(1,), fillvalue=3)[[7, 2500, 4999]] = [1, 2, 4]
    g.create_dataset("sparse", (90000,), "<u2", chunks=(2,), maxshape=(None,), fillvalue=3)[[7, 2500, 40001, 89999]] = [1, 2, 4, 5]
    g.create_dataset("many_2", data=np.arange(64 * 64, dtype="<u2").reshape(64, 64), chunks=(1, 2), maxshape=(None, None))
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    p.set_chunk((3, 4)), p.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(g.id, b"implicit", h5py.h5t.STD_I32LE, h5py.h5s.create_simple(x.shape), p).write(h5py.h5s.ALL, h5py.h5s.ALL, x)
    g.create_dataset("vlen_chunks", data=["s%d" % i for i in range(20)], dtype=h5py.string_dtype(), chunks=(6,), compression="gzip")


def groups(f):
    f.attrs["title"] = "fixture"
    f.attrs["Größe"] = "μm"
    f.attrs["n"] = np.int32(5)
    f.attrs["vec"] = np.arange(4.0)
    f.attrs["fixed"] = np.bytes_("abc")
    f.attrs["strs"] = ["a", "bc"]
    f.attrs["null"] = h5py.Empty("f4")
    f.attrs["flag"] = True
    g = f.create_group("groups")
    many = g.create_group("many")
    for i in range(40):
        many["d%02d" % i] = np.int16(i)
    ordered = g.create_group("ordered", track_order=True)
    for n in "zyxabc":
        ordered[n] = 1
    big = g.create_group("ordered_many", track_order=True)
    for i in reversed(range(20)):
        big["d%02d" % i] = np.int8(i)
    a = g.create_dataset("attributes", data=1)
    for i in range(30):
        a.attrs["a%02d" % i] = i
    g["naïve"] = 1
    g["soft"] = h5py.SoftLink("/groups/many/d03")
    g["relative"] = h5py.SoftLink("many/d04")
    g["soft_group"] = h5py.SoftLink("/groups/many")
    g["dangling"] = h5py.SoftLink("/nowhere")
    g["circle"] = h5py.SoftLink("/groups/circle")
    g["external"] = h5py.ExternalLink("other.h5", "/x")
    g["hard"] = many["d05"]
    g["cycle"] = g
    g.create_group("empty")


def huge(f):
    """Arrays of which the file has next to nothing."""
    f.create_dataset("contiguous", (1 << 60,), "u1", fillvalue=7)
    f.create_dataset("chunked", (1 << 30, 1 << 29), "<u2", chunks=(1 << 10, 1 << 9), fillvalue=5, compression="gzip")[1 << 20, 1 << 20] = 6
    f.create_dataset("small_chunks", (1 << 58,), "<i4", chunks=(1,))[1 << 40] = 8
    f.create_dataset("objects", (1 << 50,), dtype=h5py.string_dtype())


def neutral(x):
    """The value of an element for JSON."""
    if isinstance(x, h5py.Reference):
        return "ref"
    if isinstance(x, (bytes, np.bytes_)):
        return x.decode("utf-8", "backslashreplace")
    if isinstance(x, np.void):
        return [neutral(x[n]) for n in x.dtype.names] if x.dtype.names else x.tobytes().hex()
    if isinstance(x, np.ndarray):
        return [neutral(v) for v in x]
    if isinstance(x, (np.datetime64, np.timedelta64)):
        return int(x.astype("i8"))
    if isinstance(x, (complex, np.complexfloating)):
        return [float(x.real), float(x.imag)]
    return x.item() if isinstance(x, np.generic) else x


def values(f):
    found = {}

    def visit(path, d, depth=0):
        for name in d:
            link = d.get(name, getlink=True)
            if isinstance(link, h5py.HardLink) and name != "cycle":
                o = d[name]
                if isinstance(o, h5py.Group):
                    visit(path + name + "/", o)
                elif isinstance(o, h5py.Dataset):
                    found[path + name] = o
    visit("", f)
    out = {}
    for path, d in found.items():
        if d.shape is None:
            out[path] = {"null": True}
            continue
        t = d.id.get_type()
        if path.endswith("bitfield"):
            x = np.zeros(d.shape, "u1")
            d.id.read(h5py.h5s.ALL, h5py.h5s.ALL, x, mtype=t)
        elif path.endswith(("int24", "int12", "uint40be")):
            x = np.zeros(d.shape, "<i8")
            d.id.read(h5py.h5s.ALL, h5py.h5s.ALL, x)
        else:
            x = d[()]
        x = np.asarray(x)
        dtype = x.dtype.str if not x.dtype.names else "struct"
        if path.endswith(("int24", "int12", "uint40be")):
            dtype = {"t24": "<i4", "t12": "<i2", "0be": "<u8"}[path[-3:]]
        elif t.get_class() == h5py.h5t.STRING and t.is_variable_str():
            dtype = "|O"
        e = {"shape": list(x.shape), "dtype": dtype, "chunks": d.chunks and list(d.chunks)}
        if x.dtype.kind == "f" and x.dtype.itemsize == 16 or x.dtype.kind == "c" and x.dtype.itemsize == 32:
            x = x.astype("c16" if x.dtype.kind == "c" else "f8")
        if x.size > 100 and x.dtype.kind != "O" and not x.dtype.names:
            e["sha256"] = hashlib.sha256(np.ascontiguousarray(x).tobytes()).hexdigest()
        else:
            e["values"] = [neutral(v) for v in x.ravel()]
        out[path] = e
    return out


def make(name, parts, **options):
    path = os.path.join(HERE, name)
    with h5py.File(path, "w", **options) as f:
        for part in parts:
            part(f)
    with h5py.File(path, "r") as f:
        return values(f)


if __name__ == "__main__":
    manifest = {}
    for libver in ["earliest", "latest"]:
        for part in [types, layouts, groups]:
            name = "%s-%s.h5" % (part.__name__, libver)
            manifest[name] = make(name, [part], libver=libver)
    manifest["userblock.h5"] = make("userblock.h5", [groups], userblock_size=1024)
    manifest["v108.h5"] = make("v108.h5", [groups], libver=("v108", "v108"))
    with h5py.File(os.path.join(HERE, "huge.h5"), "w") as f:
        huge(f)
    json.dump({"h5py": h5py.__version__, "hdf5": h5py.version.hdf5_version, "files": manifest}, open(os.path.join(HERE, "manifest.json"), "w"), indent=None, separators=(",", ":"), sort_keys=True)
