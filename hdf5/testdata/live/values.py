"""What h5py reads from HDF5 files: values(path) writes PATH.npz, with an array for every dataset and attribute without
Python objects, and a member "index": a JSON list of all objects, with the values of the others."""
import json, os, sys
import numpy as np
import h5py
try:
    import tables  # registers the filters Blosc and bzip2
except ImportError:
    pass


def bare(t):
    """Returns the dtype t without metadata, which .npy files have not."""
    if t.subdtype:
        return np.dtype((bare(t.subdtype[0]), t.shape))
    if t.names == ('real', 'imag') and t == np.dtype([('real', 'f8'), ('imag', 'f8')]):
        return np.dtype('c16')  # as MATLAB has it
    if t.names:
        return np.dtype({'names': t.names, 'formats': [bare(t[n]) for n in t.names], 'offsets': [t.fields[n][1] for n in t.names], 'itemsize': t.itemsize})
    return np.dtype(t.str)


def unwrap(x, f):
    """Returns x as JSON: text, lists, and the paths of references."""
    if isinstance(x, bytes):  # text of variable length
        return x.decode('utf-8', 'surrogateescape')
    if isinstance(x, h5py.RegionReference):
        return {'region': True}
    if isinstance(x, h5py.Reference):
        return h5py.h5r.get_name(x, f.id).decode('utf-8', 'surrogateescape') if x else None
    if isinstance(x, np.ndarray) and x.ndim == 0 and x.dtype.names:
        x = x[()]
    if isinstance(x, np.ndarray):
        if x.dtype.hasobject or x.dtype.names:
            return [unwrap(v, f) for v in x]
        return {'dtype': x.dtype.str[1:], 'hex': x.tobytes().hex()}
    if isinstance(x, np.void) and x.dtype.names:
        return {'fields': [unwrap(x[n] if x.dtype[n].hasobject or x.dtype[n].subdtype else np.asarray(x[n], x.dtype[n]), f) for n in x.dtype.names]}
    if isinstance(x, np.generic):
        return {'dtype': x.dtype.str[1:], 'hex': x.tobytes().hex()}
    if x is None or x == 0:
        return None
    return {'unknown': str(type(x))}


def nested(a, f):
    return [unwrap(v, f) for v in a.reshape(-1)]


def value(obj, f, key, arrays):
    """Returns what is known of the value of a dataset or an attribute, whose array goes to arrays."""
    try:
        if obj.shape is None:
            return {'empty': True}
        t = obj.dtype
        a = np.empty(obj.shape, t)
        if isinstance(obj, h5py.Dataset):
            if a.size:
                obj.id.read(h5py.h5s.ALL, h5py.h5s.ALL, a, h5py.h5t.py_create(t))
        elif a.size:
            obj.read(a, h5py.h5t.py_create(t))
    except Exception as err:
        return {'error': f'{type(err).__name__}: {err}'}
    if not a.dtype.hasobject:
        arrays[key] = np.ascontiguousarray(a).view(bare(a.dtype)).reshape(a.shape)
        return {'shape': list(a.shape), 'array': key}
    return {'shape': list(a.shape), 'items': nested(a, f)}


def links(group, prefix, seen):
    """Yields the paths of all links but those to committed types, and of each group's once."""
    address = h5py.h5o.get_info(group.id).addr
    if address in seen:
        return
    seen.add(address)
    for name in group:
        try:
            target = group.get(name, getclass=True)
        except (KeyError, RuntimeError, OSError):  # a link to nothing, or to another file
            target = None
        if target is not h5py.Datatype:
            yield prefix + name
        if target is h5py.Group and isinstance(group.get(name, getlink=True), h5py.HardLink):
            yield from links(group[name], prefix + name + '/', seen)


def values(path):
    arrays, index = {}, []
    with h5py.File(path, 'r', libver='latest') as f:
        seen = []

        def visit(name, obj):
            entry = {'path': name, 'kind': type(obj).__name__}
            if isinstance(obj, h5py.Dataset):
                entry['value'] = value(obj, f, f'{len(index)}', arrays)
            attributes = {}
            for i, a in enumerate(obj.attrs.keys()):
                try:
                    attributes[a] = value(obj.attrs.get_id(a), f, f'{len(index)}.{i}', arrays)
                except Exception as err:
                    attributes[a] = {'error': str(err)}
            entry['attrs'] = attributes
            index.append(entry)
        visit('', f['/'])
        f.visititems(visit)
        index[0]['links'] = list(links(f, '', set()))
    np.savez(path + '.npz', **arrays, index=np.frombuffer(json.dumps(index).encode(), 'u1'))


if __name__ == '__main__':
    for path in sys.argv[1:]:
        values(path)
