# Arrays of Python objects.
import array, collections, datetime, decimal, fractions, math, operator, pathlib, pickle, re, tempfile, types, uuid, zoneinfo
folder = tempfile.TemporaryDirectory()

def cells(values, shape):
    a = np.empty(len(values), object)
    for i, v in enumerate(values):
        a[i] = v
    return a.reshape(shape)

def fortran(a):
    b = np.empty(a.shape, a.dtype, order='F')
    b[...] = a
    return b

def structs(values, shape, t):
    a = np.zeros(len(values), t)
    for i, v in enumerate(values):
        a['o'][i] = v
        if 'p' in t.names:
            a['p'][i, 0] = v
            a['p'][i, 1] = i
    for n in t.names:
        if a[n].dtype.kind in 'biuf':
            a[n] = np.arange(len(values)) % 2
        elif a[n].dtype.kind in 'SU':
            a[n] = 'x'
    return a.reshape(shape)

def answer(q):
    names = dict(globals())
    for s in q['a']['statements']:
        exec(s, names)
    a = eval(q['a']['array'], names)
    file = saved_objects(a)
    return {'file': b64(file), **globals()['op_' + q['op']](a, q)}

def saved_objects(a, **options):
    f = io.BytesIO()
    np.save(f, a, allow_pickle=True, **options)
    return f.getvalue()

def load(data):
    return np.load(io.BytesIO(data), allow_pickle=True)

# What NumPy loads it may write otherwise: it copies the dtypes of arrays, and gives masked arrays their fill values.
def op_identity(a, q):
    return {'out': b64(saved_objects(a))}

def op_slice(a, q):
    return {'out': b64(saved_objects(index(a, q['index'])))}

# Another protocol, as other programs than np.save write it.
def op_protocol(a, q):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, np.lib.format.header_data_from_array_1_0(a))
    file = header.getvalue() + pickle.dumps(a, protocol=q['protocol'])
    return {'file': b64(file), 'out': b64(file)}

def op_show(a, q):
    a = load(saved_objects(a))
    options = {k: v for k, v in q['options'].items() if v is not None}
    with np.printoptions(**options):
        return {'str': str(a).encode('utf-8', 'backslashreplace').decode(), 'repr': repr(a)}

def op_json(a, q):
    a = load(saved_objects(a))
    return {'json': json.dumps(plain(a))}

# The JSON of what package convert documents.
def plain(v):
    if isinstance(v, np.ndarray):
        if v.dtype.names is not None or v.ndim == 0:
            return plain(v[()]) if v.ndim == 0 else [plain(x) for x in v]
        return [plain(x) for x in v]
    if v is None or isinstance(v, (bool, str)):
        return v if not isinstance(v, str) else v.encode('utf-8', 'backslashreplace').decode()
    if isinstance(v, int):
        return v
    if isinstance(v, float):
        return v if math.isfinite(v) else 'NaN' if v != v else 'Infinity' if v > 0 else '-Infinity'
    if isinstance(v, (list, tuple)):
        return [plain(x) for x in v]
    if isinstance(v, dict):
        return {plain(k): plain(x) for k, x in v.items()}
    if isinstance(v, np.void):
        return {n: plain(v[n]) for n in v.dtype.names}
    if isinstance(v, np.generic):
        return plain(v.item())
    raise TypeError(type(v))
