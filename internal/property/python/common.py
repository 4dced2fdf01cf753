# What all areas ask NumPy with. A file is run behind "import sys, json, warnings, numpy as np".
import base64, hashlib, io, os
try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None

def versions():
    have = {'numpy': np.__version__, 'python': '%d.%d.%d' % sys.version_info[:3]}
    if ml_dtypes:
        have['ml_dtypes'] = ml_dtypes.__version__
    return have

def ml(name):
    return np.dtype(getattr(ml_dtypes, name))

def b64(data):
    return base64.b64encode(data).decode()

# An array as Go describes it: the bytes of its elements in C order, and views of it.
def build(q):
    t = eval(q['dtype'])
    data = base64.b64decode(q['data']) # which repeats itself in large arrays
    size = t.itemsize * int(np.prod(q['shape'], dtype=np.int64))
    if 0 < len(data) < size:
        data = (data * (size // len(data) + 1))[:size]
    if t.itemsize == 0:
        a = np.zeros(q['shape'], {'names': ['x'], 'formats': [t], 'itemsize': 0})['x'] # or S0 would become S1
    elif not data:
        a = np.zeros(q['shape'], t)
    else:
        a = np.frombuffer(bytearray(data), t).reshape(q['shape'])
    for v in q['views']:
        if v.get('fortran'):
            a = np.asfortranarray(a).reshape(a.shape) # which has no arrays without dimensions
        elif v.get('index'):
            a = index(a, v['index'])
        else:
            a = a.transpose(v.get('axes', ()))
    return a

# Subscripts in brackets, one after the other. The result is an array in the byte order that the elements have, where NumPy
# itself gives a scalar of Python's.
class View:
    def __init__(self, a):
        self.a = a
    def __getitem__(self, key):
        if not isinstance(key, str):
            key = key if isinstance(key, tuple) else (key,)
            if Ellipsis not in key:
                key += (Ellipsis,)
        return View(self.a[key])

def index(a, text):
    return eval('V' + text, {'V': View(a)}).a

def descr(t):
    return repr(np.lib.format.dtype_to_descr(t))

def saved(a):
    f = io.BytesIO()
    np.save(f, a)
    return f.getvalue()

# What Go is told of an array: of one that is large and has no gaps a hash of the elements.
def told(a):
    r = {'shape': list(a.shape), 'descr': descr(a.dtype)}
    if a.nbytes > 8192 and a.dtype.names is None and a.dtype.char not in 'gG':
        r['sha256'] = hashlib.sha256(a.tobytes()).hexdigest()
    else:
        r['data'] = b64(a.tobytes())
    return r
