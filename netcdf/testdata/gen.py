"""Writes the netCDF files of this folder with SciPy, netCDF4 and ncgen, and values.json: what netCDF4 reads of them.

Made with SciPy 1.10.1, netCDF4 1.6.2 and NumPy 1.24.2."""
import json, os, subprocess, sys, tempfile
import numpy as np
import netCDF4
import scipy.io

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from values import values


def fill(d, wide, records):
    """Variables of every type, fixed and with records."""
    d.createDimension("x", 3)
    d.createDimension("y", 2)
    d.createDimension("len", 5)
    d.createDimension("time", None)
    d.title = "all types"
    d.numbers = np.array([1, -2, 3], "i4")
    d.one = np.float64(1.5)
    types = ["i1", "i2", "i4", "f4", "f8"] + (["u1", "u2", "u4", "i8", "u8"] if wide else [])
    for k, code in enumerate(types):
        values = np.array([[1, 2], [3, 4], [5, 100]]).astype(code)
        if code[0] in "iu":
            values[0, 0], values[0, 1] = np.iinfo(code).min, np.iinfo(code).max
        else:
            values[0] = np.nan, -np.inf
        v = d.createVariable("fixed_" + code, code, ("x", "y"))
        v[:] = values
        v.units = "m/s"
        v.valid_range = np.array([0, 100], code)
        r = d.createVariable("rec_" + code, code, ("time", "y") if k % 2 else ("time",))
        for i in range(records):
            r[i] = i + k
    s = d.createVariable("word", "S1", ("len",))
    s[:] = np.array(list("hello"), "S1")
    s = d.createVariable("names", "S1", ("x", "len"))
    s[:] = np.array([list("one\0\0"), list("three"), list("\0\0\0\0\0")], "S1")
    s = d.createVariable("rec_name", "S1", ("time", "len"))
    for i in range(records):
        s[i] = np.array(list("rec%02d" % i), "S1")
    s = d.createVariable("rec_char", "S1", ("time",))
    for i in range(records):
        s[i] = "abcdefgh"[i]
    d.createVariable("scalar", "f8", ())[...] = 2.5


def netcdf4(name, kind, records):
    with netCDF4.Dataset(f"{here}/{name}.nc", "w", format=kind) as d:
        d.set_auto_mask(False)
        fill(d, kind == "NETCDF3_64BIT_DATA", records)
        p = d.createVariable("packed", "i2", ("x",), fill_value=-999)
        p.scale_factor, p.add_offset = np.float32(0.1), np.float32(20)
        p.set_auto_maskandscale(False)
        p[:] = [0, 5, -999]


def netcdf4_groups(name):
    """Dimension scales of every kind: with and without a variable, of two dimensions, in groups."""
    with netCDF4.Dataset(f"{here}/{name}.nc", "w") as d:
        fill(d, True, 3)
        d.createDimension("lat", 4)
        lat = d.createVariable("lat", "f4", ("lat",))
        lat[:] = [10, 20, 30, 40]
        lat.units = "degrees_north"
        d.createDimension("lon", 3)
        d.createVariable("lon", "f8", ("lon", "lat"))[:] = np.arange(12).reshape(3, 4)
        t = d.createVariable("t", "i2", ("time", "lat", "lon"), zlib=True, chunksizes=(1, 4, 3), fill_value=-99)
        t.set_auto_maskandscale(False)
        t.scale_factor = 0.5
        t[:] = np.arange(36).reshape(3, 4, 3)
        s = d.createVariable("strings", str, ("y",))
        s[0], s[1] = "one", "日本"
        g = d.createGroup("model/run")
        g.setncattr_string("note", "text")
        g.createDimension("z", 2)
        g.createVariable("p", "f8", ("z", "lat"))[:] = np.arange(8).reshape(2, 4)


if __name__ == "__main__":
    netcdf4_groups("enhanced")
    with netCDF4.Dataset(f"{here}/model.nc", "w", format="NETCDF4_CLASSIC") as d:
        fill(d, False, 2)
    netcdf4("cdf1", "NETCDF3_CLASSIC", 4)
    netcdf4("cdf2", "NETCDF3_64BIT_OFFSET", 3)
    netcdf4("cdf5", "NETCDF3_64BIT_DATA", 5)
    netcdf4("norecords", "NETCDF3_CLASSIC", 0)
    for name, version in {"scipy1": 1, "scipy2": 2}.items():
        with scipy.io.netcdf_file(f"{here}/{name}.nc", "w", version=version) as f:
            f.history = "by SciPy"
            f.createDimension("time", None)
            f.createDimension("x", 3)
            for var, code in {"a": "i2", "b": "f8", "c": "i1"}.items():
                v = f.createVariable(var, code, ("time", "x"))
                for i in range(4):
                    v[i] = np.arange(3) + i
    with scipy.io.netcdf_file(f"{here}/alone.nc", "w") as f:  # one record variable has no padding
        f.createDimension("time", None)
        f.createDimension("x", 3)
        v = f.createVariable("b", "i1", ("time", "x"))
        for i in range(5):
            v[i] = np.arange(3) + i
    data = bytearray(open(f"{here}/scipy1.nc", "rb").read())
    data[4:8] = b"\xff" * 4
    open(f"{here}/streaming.nc", "wb").write(data)
    cdl = 'netcdf x { dimensions: t = UNLIMITED; x = 2; variables: float v(t, x); v:long_name = "café"; short odd(t); char c(t); data: v = 1, 2, 3, 4; odd = 5, 6; c = "ab"; }'
    with tempfile.NamedTemporaryFile("w", suffix=".cdl") as f:
        f.write(cdl)
        f.flush()
        for number, kind in {1: "classic", 2: "64-bit offset", 5: "cdf5"}.items():
            subprocess.run(["ncgen", "-k", kind, "-o", f"{here}/ncgen{number}.nc", f.name], check=True)
    files = sorted(f for f in os.listdir(here) if f.endswith(".nc") and f != "streaming.nc")
    expected = {f: values(f"{here}/{f}") for f in files}
    expected["streaming.nc"] = expected["scipy1.nc"]
    with open(f"{here}/values.json", "w") as f:
        json.dump(expected, f, indent=1)
        f.write("\n")
