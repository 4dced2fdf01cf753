# The bytes that np.save writes, of arrays and of what NumPy makes of them.
import numpy.lib.recfunctions as rfn

import tempfile
folder = tempfile.TemporaryDirectory()

def answer(q):
    a = build(q['a'])
    first = saved(a)
    r = {'a': b64(first), 'out': []}
    if "'<f1'" in descr(a.dtype): # float8_e5m2 of ml_dtypes, which NumPy writes and does not read
        return r
    if q['op'] != 'create':
        a = load(first) # where the types of ml_dtypes are void
    r['out'] = [b64(x) for x in globals()['op_' + q['op']](a, q)]
    return r

# From a file NumPy reads all bytes, from a stream only those that have a meaning.
def load(data):
    path = os.path.join(folder.name, 'a.npy')
    with open(path, 'wb') as f:
        f.write(data)
    return np.load(path)

def loaded(q):
    return load(saved(build(q)))

def ordered(a, order):
    return {'': a, 'C': np.ascontiguousarray(a).reshape(a.shape), 'F': np.asfortranarray(a).reshape(a.shape)}[order]

def op_save(a, q):
    return [saved(a), saved(build(q['a']))]

def op_copy(a, q):
    if q['index']:
        a = index(a, q['index'])
    if q['axes'] is not None:
        a = a.transpose(q['axes'])
    if q['shape'] is not None:
        a = np.reshape(a, q['shape'], order=q['order'] or 'C')
    if q['to']:
        a = a.astype(eval(q['to']), order='A')
    return [saved(ordered(a, q['order'] if q['shape'] is None else ''))]

# numpy.concatenate turns elements to the byte order of the machine and drops the padding of records, so that their bytes
# are taken as such.
def joined(parts, axis):
    t = parts[0].dtype
    if not t.itemsize:
        return np.ndarray(np.concatenate(parts, axis).shape, t)
    return np.concatenate([x.view('V%d' % t.itemsize) for x in parts], axis).view(t)

def op_concat(a, q):
    return [saved(joined([a] + [loaded(x) for x in q['more']], q['axis']))]

def op_append(a, q):
    axis = a.ndim - 1 if a.flags.f_contiguous and not a.flags.c_contiguous else 0
    parts = [x if x.ndim == a.ndim else np.expand_dims(x, axis) for x in map(loaded, q['more'])]
    r = joined([a] + parts, axis)
    return [saved(ordered(r, 'F' if a.flags.f_contiguous and not a.flags.c_contiguous else 'C'))]

# numpy.lib.recfunctions.rename_fields renames the fields of nested records as well, and drops all titles.
def op_fields(a, q):
    a = rfn.repack_fields(a[q['keep']])
    t, names = a.dtype, q['rename'] or {}
    fields = [t.fields[n] for n in t.names]
    return [saved(a.view({'names': [names.get(n, n) for n in t.names], 'formats': [f[0] for f in fields], 'offsets': [f[1] for f in fields],
        'titles': [f[2] if len(f) > 2 else None for f in fields], 'itemsize': t.itemsize}))]

def op_field(a, q):
    return [saved(index(a, q['index']))]

def op_split(a, q):
    return [saved(x) for x in np.array_split(a, q['cut'], q['axis'])]

def op_raw(a, q):
    f = a.tobytes()
    return [f, saved(np.frombuffer(f, a.dtype).reshape(a.shape) if len(f) else a)]

def op_create(a, q):
    zeros = a if not a.dtype.itemsize else np.zeros(a.shape, a.dtype) # of U0 NumPy makes U1
    return [saved(ordered(zeros, q['order'])), mapped(a, q['order'])]

# open_memmap says Fortran order of whatever it is told to, and maps nothing of no bytes.
def mapped(a, order):
    path = os.path.join(folder.name, 'm.npy')
    try:
        np.lib.format.open_memmap(path, 'w+', a.dtype, a.shape, order == 'F')
    except (ValueError, OSError):
        pass
    with open(path, 'rb') as f:
        return f.read()
