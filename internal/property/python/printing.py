# What str and repr of arrays are.

def answer(q):
    a = build(q['a'])
    if q['index']:
        a = index(a, q['index'])
    options = {k: v for k, v in q['options'].items() if v is not None}
    with np.printoptions(**options):
        return {'str': str(a), 'repr': repr(a)}
