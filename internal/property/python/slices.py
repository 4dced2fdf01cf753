# Parts of arrays, named as NumPy names them.

def answer(q):
    a = build(q['a'])
    for path, save in (q.get('savez'), np.savez), (q.get('deflated'), np.savez_compressed):
        if path:
            save(path, x=a, other=np.arange(3))
    return told(index(a, q['index']))
