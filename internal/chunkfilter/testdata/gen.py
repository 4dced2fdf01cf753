#!/usr/bin/python3
"""gen.py > chunks.json: chunks that libhdf5 has encoded, with their filters and what they decode to.

Needs h5py and PyTables (which brings Blosc and bzip2), and HDF5_PLUGIN_PATH with the plugins of the Debian packages
hdf5-filter-plugin and bitshuffle. With an argument it is the seed of random cases, and prints as many as the second says.
Frames of zstd come from the program zstd."""
import base64, json, random, subprocess, sys, tempfile, os
import numpy as np
import h5py
try:
    import tables  # registers Blosc and bzip2
except ImportError:
    pass

rng = np.random.default_rng(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
SHUFFLE, FLETCHER, GZIP, SZIP, NBIT, SCALEOFFSET, BZIP2, LZF, BLOSC, LZ4, BSHUF = 2, 3, 1, 4, 5, 6, 307, 32000, 32001, 32004, 32008


def sample(kind, n, dtype):
    if kind == 'smooth':
        a = (np.sin(np.arange(n) / 50) * 1000).astype(dtype)
    elif kind == 'noise':
        a = np.frombuffer(rng.bytes(n * np.dtype(dtype).itemsize), dtype)
    elif kind == 'zeros':
        a = np.zeros(n, dtype)
    elif kind == 'far':  # repeats itself after more than 8 KiB
        a = np.resize(np.frombuffer(rng.bytes(9000), 'u1'), n * np.dtype(dtype).itemsize).view(dtype)
    else:
        a = rng.integers(0, 4, n).astype(dtype)
    return a


def encode(a, filters, t=None, fill=None):
    """Returns the mask and the bytes of the only chunk of a, of HDF5 type t, after the filters, these, and what libhdf5 reads."""
    with tempfile.TemporaryDirectory() as tmp, h5py.File(os.path.join(tmp, 'f.h5'), 'w') as f:
        p = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        p.set_chunk(a.shape)
        for id, values in filters:
            if id == SHUFFLE:
                p.set_shuffle()
            elif id == FLETCHER:
                p.set_fletcher32()
            elif id == GZIP:
                p.set_deflate(values[0])
            elif id == SZIP:
                p.set_szip(*values)
            elif id == SCALEOFFSET:
                p.set_scaleoffset(*values)
            else:
                p.set_filter(id, h5py.h5z.FLAG_OPTIONAL, tuple(values))
        if fill is not None:
            p.set_fill_value(np.array(fill, a.dtype))
        t = t or plain(a)
        d = h5py.h5d.create(f.id, b'd', t, h5py.h5s.create_simple(a.shape), p)
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, a, t)
        f.flush()
        mask, stored = d.read_direct_chunk((0,) * a.ndim)
        plist = d.get_create_plist()
        used = [(x[0], list(x[2])) for x in (plist.get_filter(i) for i in range(plist.get_nfilters()))]
        back = np.zeros_like(a)
        d.read(h5py.h5s.ALL, h5py.h5s.ALL, back, t)
        return mask, bytes(stored), used, back


def plain(a):
    if a.dtype.kind != 'V':
        return h5py.h5t.py_create(a.dtype, logical=True)
    t = h5py.h5t.create(h5py.h5t.OPAQUE, a.itemsize)
    t.set_tag(b'')
    return t


def available(id):
    return h5py.h5z.filter_avail(id)


def pipelines(size):
    yield [(GZIP, [6])]
    yield [(GZIP, [0])]
    yield [(SHUFFLE, [])]
    yield [(SHUFFLE, []), (GZIP, [9])]
    yield [(FLETCHER, [])]
    yield [(SHUFFLE, []), (GZIP, [1]), (FLETCHER, [])]
    yield [(FLETCHER, []), (SHUFFLE, []), (GZIP, [4])]
    yield [(LZF, [])]
    yield [(SHUFFLE, []), (LZF, []), (FLETCHER, [])]
    yield [(LZF, []), (GZIP, [3])]
    yield [(BZIP2, [9])]
    yield [(FLETCHER, []), (BZIP2, [1])]
    for codec in range(6):
        for shuffle in range(3):
            yield [(BLOSC, [0, 0, 0, 0, 5, shuffle, codec])]
    yield [(BLOSC, [0, 0, 0, 0, 9, 1, 0])]
    yield [(BLOSC, [0, 0, 0, 0, 1, 0, 0])]
    yield [(LZ4, [])]
    yield [(LZ4, [1024])]
    yield [(SHUFFLE, []), (LZ4, [])]
    yield [(BSHUF, [])]
    yield [(BSHUF, [0, 2])]
    yield [(BSHUF, [64, 2])]


def case(name, a, filters, t=None, fill=None):
    mask, stored, used, a = encode(a, filters, t, fill)
    return {'name': name, 'filters': [{'ID': i, 'Values': v} for i, v in used], 'mask': mask,
            'stored': base64.b64encode(stored).decode(), 'data': base64.b64encode(a.tobytes()).decode()}


def narrow(base, precision, offset):
    t = base.copy()
    t.set_precision(precision)
    t.set_offset(offset)
    return t


def bitwise():
    """Random cases of the filters that work on bits: scaleoffset, nbit and szip."""
    r = random.Random(int(rng.integers(1 << 30)))
    shape = r.choice([(1,), (7,), (100,), (1000,), (13, 7), (40, 33), (5, 6, 7), (300, 2)])
    n = int(np.prod(shape))
    size, order = r.choice([1, 2, 4, 8]), r.choice('<>')
    which = r.choice([SZIP, NBIT, SCALEOFFSET, SCALEOFFSET])
    span = r.choice([0, 1, 2, 5, 100, 127])
    if which == SCALEOFFSET and r.random() < 0.4:
        a = (rng.normal(size=n) * 10.0 ** r.randint(-2, 4)).astype(order + r.choice(['f4', 'f8'])).reshape(shape)
        how = (0, r.randint(0, 4))
    else:
        a = rng.integers(-span if r.random() < 0.5 else 0, span + 1, n)
        a = a.astype(order + r.choice('iu') + str(size)).reshape(shape)
        if r.random() < 0.2:
            a = np.frombuffer(rng.bytes(n * size), a.dtype).reshape(shape)
        how = (2, r.choice([0, 0, 0, 5, 8 * size]))
    fill = r.choice([None, 0, 1, a.flat[0]])
    if which == SCALEOFFSET:
        return case(f'scaleoffset {how} {a.dtype.str} {shape} fill {fill}', a, [(SCALEOFFSET, how)], None, fill)
    if which == SZIP:
        if a.dtype.kind == 'f' and r.random() < 0.5:
            a = np.cumsum(a.ravel()).astype(a.dtype).reshape(shape)
        if r.random() < 0.5:
            a = np.cumsum(a.ravel() % 3).astype(a.dtype).reshape(shape)
        if r.random() < 0.3:
            a = np.where(np.arange(n).reshape(shape) < n // 2, a, a.flat[0]).astype(a.dtype)
        ppb = r.choice([p for p in (2, 4, 8, 10, 16, 32) if p <= n] or [0])
        if not ppb:
            return bitwise()
        options = r.choice([4, 32])
        return case(f'szip {options} {ppb} {a.dtype.str} {shape}', a, [(SZIP, (options, ppb))])
    if a.dtype.kind == 'f':
        a = a.astype('<i4')
    base = plain(a)
    precision = r.randint(1, 8 * a.itemsize)
    offset = r.randint(0, 8 * a.itemsize - precision)
    t = narrow(base, precision, offset)
    name = f'nbit {a.dtype.str} {precision} bits at {offset} {shape}'
    if r.random() < 0.4:  # records with a number and text: h5py tells no more than 16 parameters
        record = np.dtype([('n', a.dtype), ('s', 'S3')], align=r.random() < 0.5)
        compound = h5py.h5t.create(h5py.h5t.COMPOUND, record.itemsize)
        compound.insert(b'n', record.fields['n'][1], t)
        compound.insert(b's', record.fields['s'][1], h5py.h5t.py_create(np.dtype('S3')))
        b = np.zeros(shape, record)
        b['n'], b['s'] = a, b'abc'
        a, t, name = b, compound, 'records, ' + name
    return case(name, a, [(NBIT, [])], t)


def zstd(name, data, *options):
    stored = subprocess.run(['zstd', '-q', '-c', *options], input=data, stdout=subprocess.PIPE, check=True).stdout
    return {'name': name, 'filters': [{'ID': 32015, 'Values': [3]}], 'mask': 0,
            'stored': base64.b64encode(stored).decode(), 'data': base64.b64encode(data).decode()}


kinds = ['smooth', 'noise', 'zeros', 'few', 'far']
dtypes = ['u1', '<i2', '>f4', '<f8', '<c16', 'V3', 'V20']
cases, skipped = [], set()
if len(sys.argv) > 2:
    random.seed(int(sys.argv[1]))
    every = [p for p in pipelines(1) if all(available(i) for i, _ in p)]
    for k in range(int(sys.argv[2])):
        if k % 2:
            cases.append(bitwise())
            continue
        kind, dtype = random.choice(kinds), random.choice(dtypes)
        n = random.choice([1, 2, 7, 8, 9, 17, 100, 1000, 1024, 4099, 33000, 70001])
        if dtype[0] == 'V':
            a = np.frombuffer(rng.integers(0, 3, n * int(dtype[1:])).astype('u1').tobytes(), dtype)
        else:
            a = sample(kind, n, dtype)
        p = random.choice(every)
        cases.append(case(f'{kind} {dtype} {n} {p}', a, p))
else:
    for p in pipelines(4):
        if not all(available(i) for i, _ in p):
            skipped.add(p[-1][0])
            continue
        cases.append(case(f'smooth <i4 {p}', sample('smooth', 300, '<i4'), p))
    few = sample('few', 803, '<i2')
    for p in ([(BLOSC, [0, 0, 0, 0, 5, 2, 4])], [(BLOSC, [0, 0, 0, 0, 5, 1, 1])], [(BSHUF, [])], [(BSHUF, [0, 2])], [(LZF, [])]):
        if available(p[0][0]):
            cases.append(case(f'few <i2 {p}', few, p))
    far = sample('far', 12000, 'u1')
    cases.append(case('far u1 blosclz', far, [(BLOSC, [0, 0, 0, 0, 9, 0, 0])]))
    cases.append(case('noise: the chunk lacks lzf', sample('noise', 100, 'u1'), [(SHUFFLE, []), (LZF, [])]))
    cases.extend(bitwise() for _ in range(30))
    cases.append(zstd('zstd', sample('smooth', 300, '<i4').tobytes()))
    cases.append(zstd('zstd with a checksum', sample('smooth', 300, '<i4').tobytes(), '--check'))
json.dump(cases, sys.stdout, indent=0)
if skipped:
    print('skipped for want of a plugin:', skipped, file=sys.stderr)
