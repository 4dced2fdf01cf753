"""Makes the files of this folder: python3 gen.py. Made with h5py 3.7, netCDF4 1.6.2 and SciPy 1.10.1."""
import json

import h5py
import netCDF4
import numpy as np
import scipy.io

with h5py.File("model.h5", "w") as f:  # as Keras writes one
    f.attrs["keras_version"] = "2.11.0"
    f.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": {"layers": ["dense_%d" % i for i in range(40)]}})
    weights = f.create_group("model_weights")
    weights.attrs["layer_names"] = np.array([b"dense", b"out"])
    for name, shape in (("dense", (8, 4)), ("out", (4, 2))):
        layer = weights.create_group(name)
        layer.attrs["weight_names"] = np.array([("%s/%s:0" % (name, w)).encode() for w in ("kernel", "bias")])
        layer.create_dataset(name + "/kernel:0", data=np.arange(np.prod(shape), dtype="f4").reshape(shape))
        layer.create_dataset(name + "/bias:0", data=np.zeros(shape[1], "f4"))
    f.create_group("optimizer_weights")

with h5py.File("odd.h5", "w") as f:
    f["a b:c[1]\"é"] = np.arange(3, dtype="i4")
    f["x:y/z"] = np.arange(4.0)
    chunked = f.create_dataset("chunked", data=np.arange(1000, dtype="i4").reshape(100, 10), chunks=(10, 10), compression="gzip", shuffle=True, fletcher32=True)
    chunked.attrs["unit"] = "m/s"
    chunked.attrs["range"] = [1, 2, 3]
    f.create_dataset("text", data=["one", "zwei", "三"], dtype=h5py.string_dtype())
    f.create_dataset("color", data=[0, 1, 1], dtype=h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="u1"))
    lists = f.create_dataset("lists", (2,), dtype=h5py.vlen_dtype("i4"))
    lists[0], lists[1] = [1], [2, 3]
    f["records"] = np.array([(1, 2.5), (2, 3.5)], dtype=[("n", "i4"), ("x", "f8")])
    f["dangling"] = h5py.SoftLink("/nowhere")
    f["elsewhere"] = h5py.ExternalLink("other.h5", "/x")
    f.create_dataset("refused", data=np.arange(100), chunks=(50,), scaleoffset=0)

with open("odd.h5", "r+b") as f:  # its filter becomes zfp, 32013, which is not decoded
    f.seek(f.read().index(b"scaleoffset") - 8)
    f.write((32013).to_bytes(2, "little"))

with h5py.File("links.h5", "w") as f:
    f["data"] = np.arange(10, dtype="i4")
    f["soft"] = h5py.SoftLink("/data")
    f["twice"] = f["data"]
    f["group/inner"] = np.arange(2, dtype="i4")
    f["other"] = h5py.SoftLink("/group")

with h5py.File("grow.h5", "w") as f:
    f.create_dataset("log", data=np.array([[1.0, 2.0]]), maxshape=(None, 2), chunks=(4, 2))
    f["fixed"] = np.array([[1.0, 2.0]])

for name, form in (("four.nc", "NETCDF4"), ("three.nc", "NETCDF3_CLASSIC")):
    with netCDF4.Dataset(name, "w", format=form) as d:
        d.title = "temperatures"
        d.createDimension("time", None)
        d.createDimension("lat", 3)
        t = d.createVariable("t2m", "i2", ("time", "lat"), fill_value=-1)
        t.set_auto_maskandscale(False)
        t.units, t.scale_factor, t.add_offset = "K", 0.5, 273.0
        t[:] = [[0, 1, 2], [3, 4, -1]]
        d.createVariable("time", "f8", ("time",))[:] = [0, 1]

scipy.io.savemat("five.mat", {"x": np.arange(12.0).reshape(3, 4), "name": "hello", "s": {"a": 1, "b": np.array([1, 2], "i2")}}, do_compression=True)

signals = np.empty((1, 2), object)
signals[0, 0], signals[0, 1] = np.array([[1.0, 2.0, 3.0]]), np.array([[4.0, 5.0], [6.0, 7.0]])
scipy.io.savemat("run.mat", {"run": {"gain": 2.5, "steps": np.array([1, 2, 3], "i4"), "label": "first"}, "signals": signals}, do_compression=True)

with h5py.File("one.h5", "w") as f:
    f.create_dataset("log", data=np.array([[1.0, 2.0]]), maxshape=(None, 2), chunks=(4, 2))

with h5py.File("deep.h5", "w", libver="latest") as f:
    f["/".join("level%d" % i for i in range(60)) + "/x"] = np.arange(3)

with h5py.File("limit.h5", "w") as f:
    f.create_dataset("log", data=np.arange(10.0), maxshape=(20,), chunks=(2,))

with h5py.File("keep.h5", "w") as f:  # what other formats do not have
    f.attrs["none"] = h5py.Empty("f4")
    color = h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i2")
    f.create_dataset("color", data=np.array([1, 0], "i2"), dtype=color)
    f["color"].attrs.create("best", 1, dtype=color)
    grid = f.create_dataset("grid", data=np.arange(12.0).reshape(3, 4), maxshape=(None, 8), chunks=(2, 3), fillvalue=-1.5, fletcher32=True)
    f.create_dataset("nothing", data=h5py.Empty("i4"))
    f["soft"], f["group/near"], f["lost"] = h5py.SoftLink("/grid"), h5py.SoftLink("x"), h5py.SoftLink("/nowhere")
    f["group/x"] = np.arange(3)
    f["twice"], f["group/up"] = grid, f["/"]
    f["other"] = h5py.ExternalLink("other.h5", "/a")
    refs = f.create_dataset("refs", (3,), dtype=h5py.ref_dtype)
    refs[0], refs[1] = grid.ref, f["group"].ref
    regions = f.create_dataset("regions", (1,), dtype=h5py.regionref_dtype)
    regions[0] = grid.regionref[1:2]
    f["lat"], f["lon"] = np.arange(3.0), np.arange(4.0)
    f["lat"].make_scale("latitude"), f["lon"].make_scale("")
    grid.dims[0].attach_scale(f["lat"]), grid.dims[1].attach_scale(f["lon"])
    f["type"] = np.dtype("f4")

with netCDF4.Dataset("old.nc", "w") as d:  # as netCDF-C before 4.4.1 writes it
    d.createDimension("time", None)
    d.createDimension("lat", 3)
    d.createVariable("t2m", "i2", ("time", "lat"))[:] = [[0, 1, 2], [3, 4, 5]]
    d.createVariable("time", "f8", ("time",))[:] = [0, 1]
with h5py.File("old.nc", "r+") as f:
    del f.attrs["_NCProperties"]
