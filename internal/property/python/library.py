# What programs get: elements as values of a type that must hold them all, and columns of records.

def answer(q):
    a = build(q['a'])
    return globals()['op_' + q['op']](a, q)

# Whether every value of one dtype is a value of another: bool, integers, floats and complex numbers.
def holds(s, t):
    if s.kind == t.kind and s.kind in 'biufc' and s.itemsize == t.itemsize:
        return True
    if s.kind == 'b':
        return t.kind in 'iufc' and t.itemsize > (1 if t.kind == 'f' else 0) and t.char not in 'egG'
    if s.kind in 'iu' and t.kind in 'iu':
        x, y = np.iinfo(s), np.iinfo(t)
        return y.min <= x.min and x.max <= y.max
    digits = {'e': 11, 'f': 24, 'd': 53, 'g': 64, 'F': 24, 'D': 53, 'G': 64}
    if t.char in 'egG':
        return False # each is read as itself alone
    if s.kind in 'iu' and t.kind in 'fc':
        return 8 * s.itemsize <= digits[t.char]
    if s.kind == 'f' and t.kind in 'fc' or s.kind == 'c' and t.kind == 'c':
        return digits[s.char] <= digits[t.char]
    return False

def op_load(a, q):
    if q['go'] == 'string':
        if a.dtype.kind not in 'SU':
            return None
        return [x if isinstance(x, str) else x.decode('latin-1') for x in a.ravel().tolist()]
    if q['go'] == '[]byte':
        if a.dtype.kind not in 'SV' or a.dtype.names is not None:
            return None
        return [x.tobytes().rstrip(b'\0').decode('latin-1') if a.dtype.kind == 'S' else x.tobytes().decode('latin-1') for x in a.ravel()]
    t = np.dtype(q['t'])
    if t.kind in 'mM':
        return b64(a.astype(a.dtype.newbyteorder('<')).tobytes()) if a.dtype.kind == t.kind else None
    if a.dtype.names is not None or not holds(a.dtype, t) and not (q['narrow'] and (a.dtype.kind, a.dtype.itemsize, t.kind, t.itemsize) in (('f', 8, 'f', 4), ('c', 16, 'c', 8))):
        return None
    if a.dtype.kind == 'b':
        a = a.view('u1') != 0
    with np.errstate(all='ignore'):
        return b64(a.astype(t).tobytes())

def op_small(a, q):
    return b64(a.astype(q['t']).tobytes())

# Columns as the fields of Go want them; None where a field does not hold its column.
def op_record(a, q):
    out = {}
    for name, go in q['fields']:
        if name not in (a.dtype.names or ()):
            return None
        x = a[name]
        x = column(x, x.dtype, go)
        if x is None:
            return None
        out[name] = x
    if 'range' in out.values():
        return 'range'
    return out

nanoseconds = {'W': 604800 * 10**9, 'D': 86400 * 10**9, 'h': 3600 * 10**9, 'm': 60 * 10**9, 's': 10**9, 'ms': 10**6, 'us': 1000, 'ns': 1}

def ticks(x, s):
    unit, n = np.datetime_data(s)
    return [int(v) * n * nanoseconds[unit] for v in x.astype(s.newbyteorder('<')).view('<i8')]

def column(x, s, go):
    flat = x.ravel()
    if go == 'string':
        return [v if isinstance(v, str) else v.decode('latin-1') for v in flat.tolist()] if s.kind in 'SU' else None
    if go == 'bytes':
        if s.kind == 'S':
            return [v.decode('latin-1') for v in flat.tolist()]
        return [v.tobytes().decode('latin-1') for v in flat] if s.kind == 'V' and s.names is None else None
    if go == 'time': # nanoseconds
        return [str(v) for v in ticks(flat, s)] if s.kind == 'M' else None
    if go == 'duration':
        if s.kind == 'm' and any(not -2**63 < v < 2**63 for v in ticks(flat, s)):
            return 'range'
        return [str(v) for v in ticks(flat, s)] if s.kind == 'm' else None
    t = np.dtype(go)
    return [text(v) for v in flat.astype(t)] if s.kind in 'biufc' and holds(s, t) else None

def text(v):
    if v.dtype.kind == 'b':
        return str(bool(v)).lower()
    if v.dtype.kind in 'iu':
        return str(int(v))
    if v.dtype.kind == 'c':
        return ' '.join(text(p) for p in (v.real, v.imag))
    return 'nan' if v != v else float(v).hex()
