#!/usr/bin/python3
"""others.py DIR: files of other writers than h5py, and beside each what h5py reads from it. Needs PyTables, netCDF4, pandas
and the programs of hdf5-tools; with NPY_H5WASM, the folder that has npm's h5wasm and h5wasm-plugins, also node."""
import os, subprocess, sys
import numpy as np
import h5py, tables, netCDF4, pandas

sys.path.insert(0, os.path.dirname(os.path.abspath(sys.argv[0])))
from values import values

folder = sys.argv[1]
here = os.path.dirname(os.path.abspath(sys.argv[0]))
path = lambda name: os.path.join(folder, name)
rng = np.random.default_rng(1)


class Inner(tables.IsDescription):
    x = tables.Float32Col()
    y = tables.Int16Col(shape=(2,))


class Row(tables.IsDescription):
    name = tables.StringCol(8)
    ok = tables.BoolCol()
    pos = Inner()
    kind = tables.EnumCol(tables.Enum(['red', 'green']), 'red', base='uint8')
    when = tables.Time64Col()
    c = tables.ComplexCol(itemsize=16)


def pytables(name, version=None, **filters):
    kinds = tables.Filters(**filters) if filters else None
    bare = tables.Filters() if filters.get('fletcher32') else kinds
    with tables.open_file(path(name), 'w', title='Test', filters=kinds) as f:
        t = f.create_table('/', 'rows', Row, 'rows of a table', expectedrows=100, chunkshape=64)
        for i in range(100):
            r = t.row
            r['name'], r['ok'], r['pos/x'], r['pos/y'] = f'n{i}', i % 3 == 0, i / 2, (i, -i)
            r['when'], r['c'], r['kind'] = i * 1.5, complex(i, -i), i % 2
            r.append()
        t.flush()
        t.attrs.pickled = {'a': [1, 2], 'b': None}
        t.attrs.number = 3
        t.attrs.text = 'télé'
        g = f.create_group('/', 'arrays')
        f.create_array(g, 'plain', np.arange(12.).reshape(3, 4))
        f.create_array(g, 'strings', [b'a', b'bc', b'def'])
        c = f.create_carray(g, 'carray', tables.Int32Col(), (50, 40), chunkshape=(16, 16))
        c[:] = np.arange(2000).reshape(50, 40)
        e = f.create_earray(g, 'earray', tables.Float64Col(), (0, 3), chunkshape=(20, 3))
        e.append(rng.normal(size=(77, 3)))
        v = f.create_vlarray(g, 'vlarray', tables.Int32Atom(), 'ragged', filters=bare, chunkshape=4)
        for n in (0, 1, 5, 2):
            v.append(list(range(n)))
        s = f.create_vlarray(g, 'texts', tables.VLUnicodeAtom(), filters=bare, chunkshape=4)
        for text in ('', 'abc', 'naïve'):
            s.append(text)
        o = f.create_vlarray(g, 'objects', tables.ObjectAtom(), filters=bare, chunkshape=4)
        o.append({'x': 1})
        f.create_hard_link('/', 'hard', '/arrays/plain')
        f.create_soft_link('/', 'soft', '/arrays/plain')


pytables('pytables.h5')
pytables('pytables_zlib.h5', complevel=5, complib='zlib', shuffle=True, fletcher32=True)
pytables('pytables_bzip2.h5', complevel=1, complib='bzip2')
for codec in 'blosclz', 'lz4', 'lz4hc', 'snappy', 'zlib', 'zstd':
    pytables(f'pytables_blosc_{codec}.h5', complevel=5, complib='blosc:' + codec, shuffle=codec != 'lz4', bitshuffle=codec == 'lz4')

with netCDF4.Dataset(path('netcdf4.nc'), 'w') as f:
    f.title = 'a title'
    f.createDimension('time', None)
    f.createDimension('y', 4)
    f.createDimension('x', 6)
    f.createDimension('bare', 9)
    x = f.createVariable('x', 'f4', ('x',))
    x[:], x.units = np.arange(6), 'm'
    t = f.createVariable('t', 'i2', ('time', 'y', 'x'), zlib=True, fill_value=-9, chunksizes=(1, 4, 6))
    t[0:3], t.scale_factor = np.arange(72).reshape(3, 4, 6) % 50, np.float64(.5)
    text = f.createVariable('text', str, ('y',))
    for i in range(4):
        text[i] = 'word' * i
    f.createVariable('chars', 'S1', ('y', 'x'))[:] = np.array(list('abcdefghijklmnopqrstuvwx'), 'S1').reshape(4, 6)
    g = f.createGroup('inner/deep')
    g.createVariable('u8', 'u8', ('x',), fletcher32=True)[:] = np.arange(6)
    vl = g.createVLType(np.int32, 'ragged')
    v = g.createVariable('v', vl, ('y',))
    for i in range(4):
        v[i] = np.arange(i, dtype='i4')
    en = g.createEnumType(np.uint8, 'kinds', {'no': 0, 'yes': 1})
    g.createVariable('e', en, ('y',), fill_value=0)[:] = [0, 1, 1, 0]
    ct = g.createCompoundType(np.dtype([('a', 'f8'), ('b', 'i4', (2,))]), 'pair')
    g.createVariable('c', ct, ('x',))[:] = np.zeros(6, [('a', 'f8'), ('b', 'i4', (2,))])

frame = pandas.DataFrame({'a': np.arange(20), 'b': rng.normal(size=20), 's': [f'text {i}' for i in range(20)],
                          't': pandas.date_range('2020', periods=20)})
frame.to_hdf(path('pandas_table.h5'), 'frame', format='table', complevel=3, complib='zlib')
frame[['a', 'b', 't']].to_hdf(path('pandas_fixed.h5'), 'frame', format='fixed')

with h5py.File(path('base.h5'), 'w') as f:
    f.create_dataset('chunked', data=np.arange(1000, dtype='<i4').reshape(50, 20), chunks=(7, 6), compression='gzip')
    f.create_dataset('growing', data=np.arange(300.), chunks=(32,), maxshape=(None,))
    f.create_dataset('both', data=np.arange(300, dtype='>i2').reshape(15, 20), chunks=(4, 4), maxshape=(None, None))
    f.create_dataset('small', data=np.arange(10, dtype='u1'))
    f.create_dataset('text', data=np.array(['a', 'bcd', 'é'], object), dtype=h5py.string_dtype())
    f.create_dataset('g/pairs', data=np.array([(1, 2.), (3, 4.)], [('a', 'i4'), ('b', 'f8')]))
    f['g'].attrs['refs'] = np.array([f['small'].ref, f['g'].ref], h5py.ref_dtype)
    for i in range(20):
        f['g'].attrs[f'a{i}'] = i
        f.create_group(f'many/{i}')
tools = {
    'repack_latest.h5': ['-L'], 'repack_low.h5': ['--low=0', '--high=2'], 'repack_high.h5': ['--low=2', '--high=2'],
    'repack_contiguous.h5': ['-l', 'CONTI', '-f', 'NONE'], 'repack_compact.h5': ['-l', 'small:COMPA'],
    'repack_chunked.h5': ['-l', 'small,chunked:CHUNK=5', '-f', 'small:GZIP=9'],
    'repack_shuffle.h5': ['-f', 'SHUF', '-f', 'GZIP=1'], 'repack_fletcher.h5': ['-f', 'FLET'],
    'repack_nbit.h5': ['-f', 'growing:NBIT'], 'repack_scaleoffset.h5': ['-f', 'chunked:SOFF=0,IN'], 'repack_szip.h5': ['-f', 'growing:SZIP=8,NN'],
    'repack_user.h5': ['-u', path('user.txt'), '-b', '512'], 'repack_aligned.h5': ['-t', '1', '-a', '4096'],
    'repack_groups.h5': ['-c', '2', '-d', '1', '-L'], 'repack_shared.h5': ['-L', '-s', '16:dtype'],
}
with open(path('user.txt'), 'w') as f:
    f.write('a user block'.ljust(512))
for name, options in tools.items():
    subprocess.run(['timeout', '60', 'h5repack', *options, path('base.h5'), path(name)], check=True)
with open(path('import.txt'), 'w') as f:
    f.write('1 2 3\n4 5 6\n')
subprocess.run(['timeout', '60', 'h5import', path('import.txt'), '-dims', '2,3', '-path', 'from/text', '-type', 'TEXTIN', '-size', '32', '-o', path('import.h5')], check=True)

# MATLAB 7.3 as MATLAB writes it: a user block of 512 bytes, superblock 0, reversed dimensions, attributes of class.
with h5py.File(path('matlab.mat'), 'w', userblock_size=512) as f:
    def put(name, a, kind, **more):
        d = f.create_dataset(name, data=a)
        d.attrs['MATLAB_class'] = np.bytes_(kind)
        for k, v in more.items():
            d.attrs[k] = v
        return d
    put('x', np.arange(12.).reshape(3, 4).T, 'double')
    put('text', np.array([[c] for c in 'hello'.encode('utf-16-le')[::2]], 'u2'), 'char', MATLAB_int_decode=np.int32(2))
    put('yes', np.array([[1], [0]], 'u1'), 'logical', MATLAB_int_decode=np.int32(1))
    put('none', np.array([0, 0], 'u8'), 'double', MATLAB_empty=np.uint8(1))
    put('z', np.zeros((2, 2), [('real', 'f8'), ('imag', 'f8')]), 'double')
    refs = f.create_group('#refs#')
    a = refs.create_dataset('a', data=np.eye(2))
    a.attrs['MATLAB_class'] = np.bytes_('double')
    c = f.create_dataset('cell', (1, 2), dtype=h5py.ref_dtype)
    c[0, 0], c[0, 1] = a.ref, f['x'].ref
    c.attrs['MATLAB_class'] = np.bytes_('cell')
    s = f.create_group('s')
    s.attrs['MATLAB_class'] = np.bytes_('struct')
    s.attrs.create('MATLAB_fields', np.array([np.array([b'a'], 'S1'), np.array([b'b', b'c'], 'S1')], object), dtype=h5py.vlen_dtype(np.dtype('S1')))
    s['a'] = np.array([[3.]])
with open(path('matlab.mat'), 'r+b') as f:
    f.write(b'MATLAB 7.3 MAT-file, Platform: GLNXA64'.ljust(116) + bytes(8) + b'\x00\x02IM')

if os.environ.get('NPY_H5WASM'):
    subprocess.run(['timeout', '60', 'node', os.path.join(here, 'h5wasm.mjs'), folder], check=True)
for name in ['user.txt', 'import.txt']:
    os.remove(path(name))
for name in sorted(os.listdir(folder)):
    values(path(name))
    print(name)
