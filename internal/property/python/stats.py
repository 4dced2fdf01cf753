# Summaries, exact: floats are whole numbers of 2**-1074, which Python adds without rounding.
import decimal, math
decimal.getcontext().prec = 80
decimal.getcontext().Emax = decimal.MAX_EMAX
decimal.getcontext().Emin = decimal.MIN_EMIN

def answer(q):
    a = build(q['a'])
    if q['index']:
        a = index(a, q['index'])
    with np.errstate(all='ignore'):
        return globals()['op_' + q['op']](a, q)

# The parts of records that have no fields, with dotted names, subarrays item by item.
def leaves(a, name=''):
    if a.dtype.names is None:
        return [(name, a)]
    out = []
    for n in sorted(a.dtype.names, key=lambda n: a.dtype.fields[n][1]):
        out += leaves(a[n], (name + '.' if name else '') + n)
    return out

def op_of(a, q):
    return [summary(name, x.ravel()) for name, x in leaves(a)]

def hexed(x):
    x = float(x)
    return x.hex() if math.isfinite(x) else repr(x)

def summary(name, a):
    r = {'field': name, 'descr': descr(a.dtype), 'count': a.size}
    kind = a.dtype.kind
    if kind in 'iub':
        exact([int(x) for x in a.tolist()], 0, r)
        r['zeros'], r['true'] = int((a == 0).sum()), int((a != 0).sum()) if kind == 'b' else 0
        if a.size:
            r['min'], r['max'] = str(int(a.min())), str(int(a.max()))
        r['sum'] = str(sum(int(x) for x in a.tolist()))
    elif kind in 'fc':
        floats(a, r)
    elif kind in 'mM':
        isnat = a.view(a.dtype.str[0] + 'i8') == -2**63 # numpy.isnat does not swap bytes where there is no unit
        r['nat'], b = int(isnat.sum()), a[~isnat]
        r['zeros'] = int((b.view(a.dtype.str[0] + 'i8') == 0).sum()) if kind == 'm' else 0
        if b.size and np.datetime_data(a.dtype)[0] != 'generic':
            r['min'], r['max'] = str(b.min()), str(b.max())
    elif kind in 'SU':
        lengths = [len(x) for x in a.tolist()]
        r['empty'] = lengths.count(0)
        if lengths:
            r['minlen'], r['maxlen'] = min(lengths), max(lengths)
    return r

# Of numbers that are whole multiples of 2**-shift.
def exact(xs, shift, r):
    n = len(xs)
    if not n:
        return
    s = sum(xs)
    r['mean'] = ratio(s, n << shift)
    r['scale'] = ratio(sum(map(abs, xs)), n << shift)
    r['std'] = root(n * sum(x * x for x in xs) - s * s, (n * n) << (2 * shift))
    r['fsum'] = ratio(s, 1 << shift)

def ratio(p, q):
    try:
        return hexed(p / q) # of integers it is rounded once
    except OverflowError:
        return 'inf' if p > 0 else '-inf'

def root(p, q):
    return hexed((decimal.Decimal(p) / decimal.Decimal(q)).sqrt())

def whole(x):
    p, q = x.as_integer_ratio()
    return p << (1074 - q.bit_length() + 1)

def floats(a, r):
    if a.dtype.char in 'gG': # which are taken as float64
        a = a.astype('<c16' if a.dtype.char == 'G' else '<f8')
    nan = np.isnan(a)
    r['nan'] = int(nan.sum())
    r['inf'] = int((np.isinf(a) & ~nan).sum())
    r['zeros'] = int((a == 0).sum())
    a = a[~nan]
    if not a.size:
        return
    if a.dtype.kind == 'c':
        parts = [[float(x) for x in p] for p in (a.real, a.imag)]
        if all(math.isfinite(x) for p in parts for x in p):
            ws = [[whole(x) for x in p] for p in parts]
            n, sums = len(ws[0]), [sum(w) for w in ws]
            r['mean'], r['im'] = [ratio(s, n << 1074) for s in sums]
            r['scale'] = ratio(sum(abs(x) for w in ws for x in w), n << 1074)
            r['fsum'], r['imsum'] = [ratio(s, 1 << 1074) for s in sums]
            r['std'] = root(n * sum(x * x for w in ws for x in w) - sum(s * s for s in sums), (n * n) << 2148)
        return
    xs = [float(x) for x in a]
    r['min'], r['max'] = hexed(min(xs)), hexed(max(xs))
    if all(math.isfinite(x) for x in xs):
        exact([whole(x) for x in xs], 1074, r)
    else:
        total = sum(x for x in xs if not math.isfinite(x))
        r['mean'] = r['fsum'] = hexed(total)
        r['scale'], r['std'] = 'inf', 'nan'

def op_axis(a, q):
    x = a.astype('<f8')
    axis = q['axis']
    np.empty(x.shape).sum(axis) # for the error
    x = np.moveaxis(x, axis, -1)
    out = {'shape': list(x.shape[:-1]), 'results': []}
    for row in x.reshape(-1, x.shape[-1]) if x.size else np.empty((int(np.prod(x.shape[:-1])), 0)):
        r = {}
        floats(row, r)
        out['results'].append([r.get(k, 'nan') for k in ('mean', 'std', 'min', 'max', 'scale')])
    return out

def op_quantiles(a, q):
    x = a.astype('<f8').ravel()
    x = x[~np.isnan(x)]
    if not x.size:
        return ['nan'] * len(q['qs'])
    return [hexed(y) for y in np.quantile(x, q['qs'])]

def op_histogram(a, q):
    x = a.astype('<f8').ravel()
    x = x[np.isfinite(x)]
    if not x.size:
        return {'counts': None, 'edges': None}
    counts, edges = np.histogram(x, q['bins'])
    return {'counts': [int(n) for n in counts], 'edges': [hexed(e) for e in edges]}

def op_unique(a, q):
    values, counts = np.unique(a, return_counts=True)
    return [[str(int(v)), int(n)] for v, n in zip(values, counts)]
