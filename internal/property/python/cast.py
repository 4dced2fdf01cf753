# What astype makes of arrays.
import math

def answer(q):
    a = build(q['a'])
    t = eval(q['to'])
    can = bool(np.can_cast(a.dtype, t, q['casting']))
    r = {'can': can, 'wraps': False}
    with np.errstate(all='ignore'):
        b = a.astype(t, casting=q['casting'] if can else 'unsafe', order='A')
    r['fortran'] = bool(b.flags.f_contiguous and not b.flags.c_contiguous)
    s = a.dtype
    b = settled(a, b)
    if t.kind in 'iu' and s.kind in 'iu':
        r['wraps'] = any(int(x) != int(y) for x, y in zip(a.ravel(), b.ravel()))
    elif t.kind in 'fc' and s.kind in 'iufc':
        r['wraps'] = bool((np.isinf(b) & ~np.isinf(a.astype(b.dtype if s.kind in 'iu' else a.dtype) if s.kind not in 'iu' else np.zeros(a.shape))).any())
    r['out'] = told(b)
    return r

# Where floats become integers, alone or in records, NumPy's integers are those of saturated.
def settled(a, b):
    if b.dtype.names:
        for i, name in enumerate(b.dtype.names):
            b[name] = settled(a[a.dtype.names[i]] if a.dtype.names else a, b[name])
        return b
    if a.dtype.names and len(a.dtype.names) == 1:
        return settled(a[a.dtype.names[0]], b)
    if b.dtype.name in ('int2', 'uint2', 'int4', 'uint4') and a.dtype.kind in 'fc':
        low, high = (0, 15) if b.dtype.name[0] == 'u' else (-8, 7)
        if b.dtype.name[-1] == '2':
            low, high = low // 4, high // 4
        return np.clip(np.nan_to_num(a.real), low, high).astype(b.dtype)
    if a.dtype.name.startswith(('bfloat', 'float8', 'float6', 'float4')):
        a = a.astype('f4')
    if b.dtype.kind not in 'iu' or a.dtype.kind not in 'fc':
        return b
    if a.shape != b.shape:  # of a subarray
        a = np.broadcast_to(a.reshape(a.shape + (1,) * (b.ndim - a.ndim)), b.shape)
    return saturated(a, b)

# Floats beyond the integers, for which NumPy gives what the processor makes of them, become the nearest integer, and NaN 0.
def saturated(a, b):
    info = np.iinfo(b.dtype)
    flat, out = a.ravel(), b.ravel()
    for i, x in enumerate(flat):
        x = x.real if a.dtype.kind == 'c' else x
        if np.isnan(x):
            out[i] = 0
        elif np.isinf(x):
            out[i] = info.max if x > 0 else info.min
        else:
            out[i] = min(max(int(x), info.min), info.max)
    return out.reshape(b.shape)
