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
    if t.kind in 'iu' and s.kind in 'fc':
        b = saturated(a, b)
    if t.kind in 'iu' and s.kind in 'iu':
        r['wraps'] = any(int(x) != int(y) for x, y in zip(a.ravel(), b.ravel()))
    elif t.kind in 'fc' and s.kind in 'iufc':
        r['wraps'] = bool((np.isinf(b) & ~np.isinf(a.astype(b.dtype if s.kind in 'iu' else a.dtype) if s.kind not in 'iu' else np.zeros(a.shape))).any())
    r['out'] = told(b)
    return r

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
