"""Writes bzip2.npz and lzma.npz, with methods that no writer in Go has. Made with Python 3.11 and NumPy 1.24.2."""
import io, os, zipfile
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
arrays = {"a": np.arange(40, dtype="<f8").reshape(5, 8) / 3, "empty": np.zeros((0, 3), "<i4"), "text": np.array(["one", "three"])}
for name, method in {"bzip2": zipfile.ZIP_BZIP2, "lzma": zipfile.ZIP_LZMA}.items():
    with zipfile.ZipFile(f"{here}/{name}.npz", "w", method) as z:
        for member, a in arrays.items():
            b = io.BytesIO()
            np.save(b, a)
            z.writestr(zipfile.ZipInfo(member + ".npy", (2024, 1, 1, 0, 0, 0)), b.getvalue(), method)
