# Archives: those that NumPy and zipfile write, and those that this module has written or changed.
import subprocess, zipfile

methods = {'stored': zipfile.ZIP_STORED, 'deflated': zipfile.ZIP_DEFLATED, 'bzip2': zipfile.ZIP_BZIP2, 'lzma': zipfile.ZIP_LZMA}

def answer(q):
    arrays = [(m['name'], build(m['a'])) for m in q['members']]
    return globals()['op_' + q['op']](q, arrays)

def op_savez(q, arrays):
    np.savez(q['path'], **dict(arrays))
    return listed(q)

def op_compressed(q, arrays):
    np.savez_compressed(q['path'], **dict(arrays))
    return listed(q)

# With every method, something in front, a comment, and members that are no arrays.
def op_zipfile(q, arrays):
    with open(q['path'], 'wb') as f:
        f.write(base64.b64decode(q['front']))
        with zipfile.ZipFile(f, 'a' if q['front'] else 'w') as z:
            z.comment = base64.b64decode(q['comment'])
            for (name, a), m in zip(arrays, q['members']):
                z.writestr(name + '.npy', saved(a), methods[m['method']])
            z.writestr('readme.txt', b'text')
    return [[name, told(a)] for name, a in arrays]

def op_tool(q, arrays):
    folder = q['path'] + '-files'
    os.mkdir(folder)
    for name, a in arrays:
        np.save(os.path.join(folder, name + '.npy'), a)
    subprocess.run(q['tool'] + [q['path']] + [name + '.npy' for name, _ in arrays], cwd=folder, check=True, capture_output=True)
    return listed(q)

# Of an archive of this module: what zipfile finds wrong, and what NumPy reads.
def op_read(q, arrays):
    with zipfile.ZipFile(q['path']) as z:
        bad = z.testzip()
        if bad is not None:
            raise ValueError('zipfile finds %r damaged' % bad)
    return listed(q)

# The same bytes that np.savez writes.
def op_bytes(q, arrays):
    f = io.BytesIO()
    np.savez(f, **dict(arrays))
    return b64(f.getvalue())

def listed(q):
    with np.load(q['path']) as z:
        return [[name, told(z[name])] for name in z.files]
