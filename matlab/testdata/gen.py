"""Writes the MAT-files of this folder and values.json, what SciPy reads of them. Made with SciPy 1.10.1, NumPy 1.24.2."""
import json, os, struct, sys
import numpy as np
import scipy.io, scipy.sparse

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from values import values

numbers = {"f8": np.array([[1.5, -2, np.nan], [np.inf, 0, -0.0]]), "f4": np.arange(6, dtype="f4").reshape(2, 3) / 4}
for code in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
    info = np.iinfo(code)
    numbers[code] = np.array([[info.min, info.max, 1], [0, 2, 100]], code)
numbers |= {
    "c16": np.array([[1 + 2j, 3], [4j, -5.5 - 6j]]), "c8": np.array([1 + 2j, 3], "c8"), "logical": np.array([[True, False], [False, True], [True, True]]),
    "row": np.arange(5.0), "one": np.array(7), "empty": np.zeros((0, 3)), "cube": np.arange(24, dtype="i2").reshape(2, 3, 4), "small": np.array([1, 2], "u1"),
}
text = {"word": "water", "lines": np.array(["one", "three", ""]), "wide": np.array([["añ", "日本"], ["x", "é"]]), "empty": ""}
cell = np.empty((2, 2), object)
cell[0, 0], cell[1, 0], cell[0, 1], cell[1, 1] = "text", np.arange(3.0), np.array([[True]]), np.zeros((0, 0))
people = np.zeros((1, 2), [("name", object), ("age", object)])
people[0, 0], people[0, 1] = ("Ada", 36.0), ("Grace", 85.0)
nested = {"s": {"x": np.arange(4.0), "y": {"deep": np.int16(3), "list": cell}}, "c": cell, "people": people, "none": np.zeros((0, 0), object)}
m = np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, -3], [0, 4, 0]])
sparse = {"real": scipy.sparse.csc_matrix(m), "complex": scipy.sparse.csc_matrix(m * (1 - 2j)), "none": scipy.sparse.csc_matrix((3, 2))}
old = {"x": np.array([[1.5, 2, 3], [4, 5, 6]]), "i4": np.array([[1, -2]], "i4"), "u1": np.array([[1, 255]], "u1"), "z": np.array([[1 + 2j, 3]]),
       "word": "water", "sp": scipy.sparse.coo_matrix(m), "spz": scipy.sparse.coo_matrix(m * (1 + 1j))}


class Writer:
    """What SciPy does not write: either byte order, types narrower than the class, other character sets, handles."""

    def __init__(self, order):
        self.o = order

    def element(self, typ, data):
        if 0 < len(data) <= 4:
            word = struct.pack(self.o + "HH", typ, len(data))
            if self.o == ">":
                word = struct.pack(">HH", len(data), typ)
            return word + data.ljust(4, b"\0")
        return struct.pack(self.o + "II", typ, len(data)) + data + b"\0" * (-len(data) % 8)

    def array(self, name, cls, dims, parts, flags=0, nzmax=0):
        body = self.element(6, struct.pack(self.o + "II", cls | flags << 8, nzmax))
        body += self.element(5, np.array(dims, self.o + "i4").tobytes()) + self.element(1, name.encode())
        return self.element(14, body + b"".join(parts))

    def numbers(self, typ, code, values):
        return self.element(typ, np.array(values, self.o + code).tobytes())

    def file(self, *variables):
        mark = b"\1\0MI" if self.o == ">" else b"\0\1IM"
        return b"MATLAB 5.0 MAT-file, written by gen.py".ljust(116) + b"\0" * 8 + mark + b"".join(variables)


def odd(order):
    w = Writer(order)
    char16 = "añ日".encode("utf-16-be" if order == ">" else "utf-16-le")
    handle = w.element(14, w.element(6, struct.pack(order + "II", 16, 0)) + w.element(5, np.array([1, 1], order + "i4").tobytes()) + w.element(1, b"handle") + w.array("", 4, [1, 3], [w.element(16, b"sin")]))
    return w.file(
        w.array("narrow", 6, [2, 3], [w.numbers(2, "u1", [1, 2, 3, 4, 5, 6])]),
        w.array("narrower", 14, [1, 2], [w.numbers(1, "i1", [-1, 5])]),
        w.array("z", 6, [1, 2], [w.numbers(3, "i2", [1, -2]), w.numbers(9, "f8", [0.5, 1e300])], flags=8),
        w.array("integers", 12, [2, 1], [w.numbers(5, "i4", [7, -9]), w.numbers(5, "i4", [1, 2])], flags=8),
        w.array("yes", 9, [1, 3], [w.numbers(2, "u1", [1, 0, 1])], flags=2),
        w.array("global", 7, [1, 1], [w.numbers(7, "f4", [2.5])], flags=4),
        w.array("utf16", 4, [1, 3], [w.element(17, char16)]),
        w.array("uint16", 4, [1, 3], [w.element(4, char16)]),
        w.array("ascii", 4, [2, 3], [w.element(2, b"adbecf")]),
        w.array("blank", 4, [1, 4], [w.element(16, b"")]),
        handle,
        w.array("after", 13, [1, 1], [w.numbers(6, "u4", [4294967295])]),
    )


if __name__ == "__main__":
    for name, content in {"numbers": numbers, "text": text, "nested": nested, "sparse": sparse}.items():
        scipy.io.savemat(f"{here}/{name}.mat", content, do_compression=name in ("text", "sparse"))
        scipy.io.savemat(f"{here}/{name}_other.mat", content, do_compression=name not in ("text", "sparse"))
    scipy.io.savemat(f"{here}/v4.mat", old, format="4")
    for order, name in {">": "big", "<": "little"}.items():
        with open(f"{here}/{name}.mat", "wb") as f:
            f.write(odd(order))
    files = sorted(f for f in os.listdir(here) if f.endswith(".mat") and not f.endswith("73.mat"))
    with open(f"{here}/values.json", "w") as f:
        json.dump({f: values(f"{here}/{f}") for f in files}, f, indent=1)
        f.write("\n")
