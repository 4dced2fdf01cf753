"""random_files.py DIR SEED N: writes N random files 0.h5, 1.h5, … to DIR, and beside each what h5py reads from it."""
import os, random, sys
import numpy as np
import h5py

folder, seed, n = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
BLOSC, BZIP2 = 32001, 307
pick, chance = random.choice, lambda p: random.random() < p

names = ['a', 'temperature', 'été', 'with space', 'x.y', 'データ', 'long' * 60, 'A', '~', '0', 'a-b', "quote'"]
numbers = ['i1', 'u1', 'i2', 'u2', 'i4', 'u4', 'i8', 'u8', 'f2', 'f4', 'f8']


def number():
    return np.dtype(pick('<>') + pick(numbers))


def some_type(depth=0, whole=True):
    """A dtype that h5py stores. whole is false within a compound, where some are not possible."""
    k = random.randrange(20)
    if k < 8:
        return number()
    if k == 8:
        return np.dtype(bool)
    if k == 9:
        return np.dtype(pick('<>') + pick(['c8', 'c16']))
    if k == 10:
        base = np.dtype(pick(['i1', '<i2', '>i4', 'u1', '<i8']))
        return h5py.enum_dtype({'RED': 0, 'GREEN': 1, 'BLUE': 42}, basetype=base)
    if k == 11:
        return np.dtype(f'S{random.randint(1, 12)}')
    if k == 12:
        return h5py.string_dtype(pick(['utf-8', 'ascii']), random.randint(1, 12))
    if k == 13:
        return h5py.string_dtype(pick(['utf-8', 'ascii']))
    if k == 14 and depth < 3:
        fields = [(f'f{i}' if i else pick(['é', 'x', 'r']), some_type(depth + 1, False)) for i in range(random.randint(1, 5))]
        t = np.dtype(fields, align=chance(.3))
        if t.names == ('r', 'i'):
            return number()
        return t
    if k == 15 and depth and depth < 3:
        base = number()
        return np.dtype((base, tuple(random.randint(1, 3) for _ in range(random.randint(1, 2)))))
    if k == 16:
        return np.dtype(f'V{random.randint(1, 9)}')
    if k == 17 and whole:
        return h5py.opaque_dtype(np.dtype(pick(['<M8[s]', '<m8[us]', '<M8[D]'])))
    if k == 18 and whole:
        return h5py.vlen_dtype(number())
    if k == 19 and whole:
        return h5py.ref_dtype
    return np.dtype('g') if chance(.1) and not depth else number()


words = ['', 'x', 'hello', 'naïve', '日本語', 'tab\there', 'long ' * 30]


def fill(t, shape, f):
    size = int(np.prod(shape))
    info = h5py.check_string_dtype(t)
    if info and info.length is None:
        return np.array([pick(words) if info.encoding == 'utf-8' else pick(words[:3]) for _ in range(size)], dtype=object).reshape(shape)
    base = h5py.check_vlen_dtype(t)
    if base is not None:
        a = np.empty(size, dtype=object)
        for i in range(size):
            a[i] = fill(base, (random.choice([0, 1, 2, 5, 40]),), f)
        return a.reshape(shape)
    if h5py.check_ref_dtype(t):
        a = np.empty(size, dtype=t)
        for i in range(size):
            a[i] = f.ref if chance(.5) else f['first'].ref
        return a.reshape(shape)
    if t.names:
        a = np.zeros(shape, t)
        for name in t.names:
            a[name] = fill(t[name], shape, f)
        return a
    if t.subdtype:
        return fill(t.subdtype[0], shape + t.subdtype[1], f)
    values = h5py.check_enum_dtype(t)
    if values and t.kind != 'b':
        return np.array([pick(list(values.values())) for _ in range(size)], dtype=t).reshape(shape)
    if t.kind == 'b':
        return np.random.randint(0, 2, shape).astype(bool)
    if t.kind == 'S':
        return np.array([pick([b'', b'a', b'abc def', b'\xc3\xa9t', b'0123456789ab'])[:t.itemsize] for _ in range(size)], dtype=t).reshape(shape)
    if t.kind == 'f' or t.kind == 'c':
        a = np.asarray(np.random.randn(*shape) * 10.0 ** random.randint(-3, 4)).astype(t)
        if size and chance(.2):
            a.reshape(-1)[random.randrange(size)] = pick([np.nan, np.inf, -np.inf])
        return a
    if t.kind in 'mM':
        return np.random.randint(-10**6, 10**6, shape).astype('i8').astype(t)
    if t.kind in 'iu' and chance(.5):
        return np.random.randint(0, 5, shape).astype(t)
    return np.frombuffer(np.random.bytes(size * t.itemsize), t).reshape(shape)


def some_shape(most=6000):
    ndim = pick([0, 1, 1, 1, 2, 2, 3, 4])
    while True:
        shape = tuple(pick([0, 1, 2, 3, 5, 8, 10, 17, 40, 300, 2000]) if not chance(.1) else random.randint(1, 50) for _ in range(ndim))
        if np.prod(shape, dtype=float) <= most and (0 not in shape or chance(.2)):
            return shape


def filters(t, p):
    if chance(.3):
        p.set_shuffle()
    k = random.randrange(9)
    if k < 4:
        p.set_deflate(random.randint(0, 9))
    elif k == 4:
        p.set_filter(h5py.h5z.FILTER_LZF, h5py.h5z.FLAG_OPTIONAL)
    elif k == 5 and h5py.h5z.filter_avail(BLOSC):
        p.set_filter(BLOSC, h5py.h5z.FLAG_OPTIONAL, (0, 0, 0, 0, random.randint(1, 9), random.randint(0, 2), random.randint(0, 5)))
    elif k == 6 and h5py.h5z.filter_avail(BZIP2):
        p.set_filter(BZIP2, h5py.h5z.FLAG_OPTIONAL, (random.randint(1, 9),))
    if chance(.2):
        p.set_fletcher32()


def dataset(f, g, name):
    t = some_type()
    shape = some_shape()
    if h5py.check_vlen_dtype(t) is not None and not shape:
        shape = (3,)
    if chance(.03):
        g.create_dataset(name, data=h5py.Empty(number()))
        return
    p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    p.set_obj_track_times(chance(.5))
    if chance(.1):
        p.set_attr_phase_change(4, 2)
    maxshape = shape
    objects = t.hasobject
    layout = pick(['contiguous', 'compact', 'chunked', 'chunked', 'chunked'])
    size = int(np.prod(shape)) * t.itemsize
    if layout == 'compact' and size < 60000:
        p.set_layout(h5py.h5d.COMPACT)
    elif layout == 'chunked' and shape:
        if chance(.5):
            maxshape = tuple(None if chance(.5) else max(x, 1) + random.randint(0, 9) for x in shape)
        limits = [50000 if m is None else m for m in maxshape]
        chunks = [min(max(1, m), pick([1, 2, 3, 4, 7, 10, 16, 33, 100, x or 1])) for x, m in zip(shape, limits)]
        while np.prod([-(-x // c) for x, c in zip(shape, chunks)]) > 4000:
            i = random.randrange(len(chunks))
            chunks[i] = min(limits[i], 2 * chunks[i])
        p.set_chunk(tuple(chunks))
        if chance(.7):
            filters(t, p)
    if chance(.3) and t.kind in 'iufc' and not h5py.check_enum_dtype(t):
        p.set_fill_value(np.full((), 42, t))
    elif chance(.05):
        p.set_fill_time(h5py.h5d.FILL_TIME_NEVER if not objects and t.kind in 'iuf' and layout != 'chunked' else h5py.h5d.FILL_TIME_IFSET)
    if chance(.2):
        p.set_alloc_time(pick([h5py.h5d.ALLOC_TIME_EARLY, h5py.h5d.ALLOC_TIME_LATE] + [h5py.h5d.ALLOC_TIME_INCR] * (layout == 'chunked')) if layout != 'compact' else h5py.h5d.ALLOC_TIME_EARLY)
    space = h5py.h5s.create_simple(shape, tuple(h5py.h5s.UNLIMITED if m is None else m for m in maxshape)) if shape else h5py.h5s.create(h5py.h5s.SCALAR)
    try:
        tid = h5py.h5t.py_create(t, logical=True)
        low = h5py.h5d.create(g.id, name.encode(), tid, space, p)
    except (TypeError, ValueError, RuntimeError) as err:
        if os.environ.get('VERBOSE'):
            print(t, shape, layout, err, file=sys.stderr)
        return
    d = h5py.Dataset(low)
    if 0 in shape:
        return
    data = fill(t, shape, f)
    try:
        if chance(.8) or p.get_fill_time() == h5py.h5d.FILL_TIME_NEVER:
            d[...] = data
        elif shape and chance(.8):
            where = tuple(slice(random.randint(0, x // 2), random.randint(x // 2, x)) for x in shape)
            d[where] = data[where]
    except (TypeError, ValueError):
        pass  # h5py does not broadcast all of this; the array is what it is then
    if shape and maxshape != shape and chance(.3):
        d.resize(tuple(random.randint(1, 2 * x + 1) if m is None else random.randint(1, m) for x, m in zip(shape, maxshape)))
    if chance(.5):
        attributes(f, d)


def attributes(f, obj):
    for i in range(pick([0, 1, 2, 3, 12])):
        name = pick(names) + str(i)
        if chance(.05):
            obj.attrs[name] = h5py.Empty('f4')
            continue
        t = some_type()
        shape = pick([(), (), (1,), (3,), (2, 2), (0,)])
        try:
            obj.attrs.create(name, fill(t, shape, f), shape=shape, dtype=t)
        except (TypeError, ValueError, RuntimeError, OSError):
            pass
    if chance(.3):
        obj.attrs['text'] = 'some text'
        obj.attrs['texts'] = ['some', 'tëxt']


def build(f, g, depth=0):
    taken = set()
    for i in range(pick([1, 3, 5, 5, 20])):
        name = pick(names) if chance(.5) else f'd{i}'
        if name in taken:
            continue
        taken.add(name)
        k = random.random()
        if k < .1 and depth < 3:
            sub = g.create_group(name, track_order=chance(.3))
            attributes(f, sub)
            build(f, sub, depth + 1)
        elif k < .15:
            g[name] = h5py.SoftLink(pick(['/first', '/none', 'd0', '/']))
        elif k < .18:
            g[name] = h5py.ExternalLink('elsewhere.h5', '/x')
        elif k < .22:
            g[name] = f['second']
        elif k < .25:
            t = some_type()
            if t.names or h5py.check_enum_dtype(t):
                g[name] = t
        else:
            dataset(f, g, name)


sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
from values import values


def make(i):
    random.seed(seed + i)
    np.random.seed((seed + i) % 2**32)
    path = os.path.join(folder, f'{i}.h5')
    libver = pick(['earliest', 'latest', ('earliest', 'v108'), ('v108', 'v108'), ('v110', 'v110'), ('earliest', 'v110')])
    options = {}
    if chance(.15):
        options['userblock_size'] = pick([512, 1024, 4096])
    with np.errstate(all='ignore'), h5py.File(path, 'w', libver=libver, track_order=chance(.2), **options) as f:
        f.create_dataset('first', data=np.arange(3))
        f.create_dataset('second', data=np.arange(4, dtype='>i2'))
        attributes(f, f)
        build(f, f)
    values(path)


for i in range(n):  # each in a process of its own, for libhdf5 crashes on a few
    child = os.fork()
    if child == 0:
        make(i)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        for end in '', '.npz':
            if os.path.exists(os.path.join(folder, f'{i}.h5{end}')):
                os.remove(os.path.join(folder, f'{i}.h5{end}'))
        if not os.WIFSIGNALED(status):
            raise SystemExit(f'file {i} failed')
