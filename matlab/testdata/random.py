"""Follows values.py. Makes a number of MAT-files with random variables in a folder, and prints their values as values.py does.

Arguments: the folder, the number of files, the seed.
"""


def numbers(rng, dims):
    kind = rng.choice(["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?", "c16", "c8", ">f8", ">i2"])
    dt = np.dtype(str(kind))
    if rng.random() < .3:  # as integers that MATLAB stores in fewer bytes
        a = rng.integers(0, 2, dims).astype(dt)
    elif dt.kind in "iu":
        info = np.iinfo(dt)
        a = rng.integers(info.min, info.max, dims, dtype=dt.newbyteorder("="), endpoint=True).astype(dt)
    else:
        a = rng.standard_normal(dims)
        a = (a + 1j * rng.standard_normal(dims) if dt.kind == "c" else a).astype(dt)
        if dt.kind == "f" and a.size and rng.random() < .3:
            a.flat[rng.integers(a.size)] = rng.choice([np.nan, np.inf, -np.inf, -0.0])
    return np.asfortranarray(a) if rng.random() < .5 else a


def shape(rng, least=0):
    return tuple(int(n) for n in rng.integers(0 if rng.random() < .1 else 1, 6, rng.integers(least, 5)))


def few(rng):
    return tuple(int(n) for n in rng.integers(0 if rng.random() < .1 else 1, 3, rng.integers(1, 4)))


def word(rng):
    letters = list("abcxyz ABC019_äß日本𝄞")
    return "".join(rng.choice(letters, rng.integers(1, 8)))


def some(rng, depth):
    """A random value that savemat writes."""
    kind = rng.integers(8 if depth else 5)
    if kind == 0:
        return word(rng) if rng.random() < .5 else np.array([word(rng) for _ in range(rng.integers(1, 4))])
    if kind == 1:
        m = scipy.sparse.random(int(rng.integers(1, 9)), int(rng.integers(1, 9)), .4, "csc", random_state=int(rng.integers(1 << 30)))
        return m.astype(rng.choice(["f8", "c16"]))  # of logical ones SciPy loses the class
    if kind == 5:
        return {name(rng): some(rng, depth - 1) for _ in range(rng.integers(1, 4))}
    if kind == 6:
        cells = np.empty(few(rng), object)
        for i in range(cells.size):
            cells.flat[i] = some(rng, depth - 1)
        return cells
    if kind == 7:
        fields = sorted({name(rng) for _ in range(rng.integers(1, 4))})
        a = np.empty(few(rng), [(f, object) for f in fields])
        for i in range(a.size):
            a.flat[i] = tuple(some(rng, depth - 1) for _ in fields)
        return a
    return numbers(rng, shape(rng))


def name(rng):
    return str(rng.choice(list("abcdefgh"))) + "".join(rng.choice(list("xyz019_"), rng.integers(0, 6)))


def make(path, rng):
    if rng.random() < .2:
        variables = {name(rng): numbers(rng, tuple(rng.integers(1, 6, 2))).astype(rng.choice(["f8", "f4", "i4", "i2", "u2", "u1", "c16"])) for _ in range(3)}
        scipy.io.savemat(path, variables, format="4")
    else:
        scipy.io.savemat(path, {name(rng): some(rng, 3) for _ in range(rng.integers(1, 6))}, do_compression=bool(rng.integers(2)),
                         long_field_names=True, oned_as=str(rng.choice(["row", "column"])))


folder, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for i in range(count):
    make(os.path.join(folder, f"{i}.mat"), np.random.default_rng([seed, i]))
json.dump({f"{i}.mat": values(os.path.join(folder, f"{i}.mat")) for i in range(count)}, sys.stdout)
