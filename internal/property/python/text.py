# Text: what this module wrote is read with Python's csv and json modules, NumPy and pandas, and what those write is given to it.
import csv, math, re
try:
    import pandas
except ImportError:
    pandas = None

def answer(q):
    a = build(q['a'])
    return globals()['op_' + q['op']](a, q)

# What is wrong with a text that this module wrote of an array; nothing if it has the values.
def op_wrote(a, q):
    text = base64.b64decode(q['text']).decode()
    return globals()['read_' + q['format']](a, text, q)

def same(v, got, json_value=False):
    kind = v.dtype.kind
    if got is None: # in NDJSON
        return json_value and bool(np.isnan(v) if kind == 'f' else kind in 'mM' and np.isnat(v))
    if kind == 'b':
        return got is bool(v) if json_value else got == str(bool(v)).lower()
    if kind in 'iu':
        return int(got) == int(v) and (not json_value or type(got) is int)
    if kind == 'f':
        x = v.dtype.type(str(got).replace('Infinity', 'inf'))
        return bool(np.isnan(v)) if np.isnan(x) else bool(x == v) and bool(np.signbit(x) == np.signbit(v))
    if kind == 'c':
        x = number(got, v.dtype)
        return all(bool(np.isnan(p)) if np.isnan(r) else bool(p == r) for p, r in ((v.real, x.real), (v.imag, x.imag)))
    if kind == 'U':
        return got == str(v)
    if kind == 'S':
        return re.sub(rb'\\x([0-9a-f]{2})', lambda m: bytes.fromhex(m[1].decode()), got.encode()) == bytes(v)
    if kind == 'V':
        return bytes.fromhex(got) == v.tobytes()
    if kind == 'M' and np.datetime_data(v.dtype)[0] == 'generic':
        return got == ('NaT' if np.isnat(v) else str(int(v.astype('i8')))) or got == int(v.astype('i8'))
    if kind == 'M':
        x = np.datetime64(got, np.datetime_data(v.dtype))
        return bool(x == v) or bool(np.isnat(x) and np.isnat(v))
    ticks = int(v.astype('<i8'))
    return got == ('NaT' if ticks == -2**63 else ticks if json_value else str(ticks))

def number(text, t):
    if t.char != 'G':
        return t.type(complex(text))
    at = max(i for i in range(len(text)) if i == 0 or text[i] in '+-' and text[i - 1] != 'e') # where the imaginary part begins
    x = np.zeros((), t)
    x.real, x.imag = np.longdouble(text[:at] or 0), np.longdouble(text[at:-1])
    return x[()]

# The cells of a record: nested fields and subarrays one after the other.
def cells(v):
    if isinstance(v, np.void) and v.dtype.names is not None:
        return [c for n in sorted(v.dtype.names, key=lambda n: v.dtype.fields[n][1]) for c in cells(v[n])]
    if isinstance(v, np.ndarray):
        return [c for x in v.ravel() for c in cells(x)]
    return [v]

def read_csv(a, text, q, delimiter=','):
    rows = list(csv.reader(io.StringIO(text, newline=''), delimiter=delimiter))
    if a.dtype.names is not None:
        rows = rows[1:]
    grid = a.reshape(-1, 1) if a.ndim < 2 else a
    if len(rows) != len(grid):
        return '%d rows' % len(rows)
    for i, (row, want) in enumerate(zip(rows, grid)):
        want = [c for v in want for c in cells(v)]
        if not want and row in ([], ['']):
            continue
        if not row and len(want) == 1:
            row = ['']
        if len(row) != len(want):
            return 'row %d: %d cells' % (i, len(row))
        for k, (got, v) in enumerate(zip(row, want)):
            if not same(v, got):
                return 'row %d, cell %d: %r is not %r' % (i, k, got, v)
    if a.dtype.kind in 'iuf' and a.size and a.ndim < 3 and a.dtype.char != 'g':
        b = np.loadtxt(io.StringIO(text), delimiter=delimiter, dtype=a.dtype, ndmin=a.ndim)
        if b.shape != a.shape or not np.array_equal(a, b, equal_nan=a.dtype.kind == 'f'):
            return 'loadtxt: %r' % b
        b = np.genfromtxt(io.StringIO(text), delimiter=delimiter, dtype=a.dtype).reshape(a.shape)
        if not np.array_equal(a, b, equal_nan=a.dtype.kind == 'f'):
            return 'genfromtxt: %r' % b
    return ''

def read_tsv(a, text, q):
    return read_csv(a, text, q, '\t')

def read_json(a, text, q):
    return nested(a, json.loads(text, parse_float=str))

def read_ndjson(a, text, q):
    lines = [json.loads(line, parse_float=str) for line in text.split('\n')[:-1]]
    return nested(a, lines if a.ndim else lines[0])

def nested(a, got):
    if isinstance(a, np.ndarray) and a.ndim:
        if not isinstance(got, list) or len(got) != len(a):
            return '%.100r for %d' % (got, len(a))
        return next(filter(None, (nested(x, y) for x, y in zip(a, got))), '')
    v = a[()] if isinstance(a, np.ndarray) else a
    if isinstance(v, np.void) and v.dtype.names is not None:
        if list(got) != sorted(v.dtype.names, key=lambda n: v.dtype.fields[n][1]):
            return 'keys %r' % list(got)
        return next(filter(None, (nested(v[n], got[n]) for n in v.dtype.names)), '')
    return '' if same(v, got, True) else '%r is not %r' % (got, v)

def read_txt(a, text, q):
    f = io.StringIO()
    np.savetxt(f, a)
    return '' if f.getvalue() == text else 'np.savetxt writes %.300r' % f.getvalue()

# What NumPy writes as text, and what it reads of that.
def op_savetxt(a, q):
    f = io.StringIO()
    np.savetxt(f, a, fmt=q['fmt'], delimiter=q['delimiter'], header=q['header'])
    text = f.getvalue()
    b = np.loadtxt(io.StringIO(text), delimiter=q['delimiter'].strip() or None, dtype=complex if a.dtype.kind == 'c' else float, ndmin=a.ndim)
    return {'text': b64(text.encode()), 'read': told(b)}

# What pandas writes, and the columns that it wrote.
def op_pandas(a, q):
    if pandas is None:
        return None
    d = pandas.DataFrame({n: a[n] for n in a.dtype.names})
    return {'text': b64(d.to_csv(index=False).encode()), 'columns': [told(a[n].astype(a[n].dtype.newbyteorder('<'))) for n in a.dtype.names]}

# What the json module writes of an array's list, and the array that NumPy makes of that.
def op_json(a, q):
    return {'text': b64(json.dumps(a.tolist(), allow_nan=False).encode()), 'read': told(np.array(a.tolist()).reshape(a.shape))}
