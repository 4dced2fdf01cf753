// Package matlab reads MAT-files of MATLAB, versions 4 to 7.3, as scipy.io.loadmat does, and writes versions 5 to 7.3.
//
//	m, err := matlab.Open("results.mat")
//	defer m.Close()
//	for e := range m.Entries() {
//		fmt.Println(e.Path, e.DType, e.Shape)
//	}
//	src, err := m.Source("temperature")
//	a, err := src.ReadAll(ctx)
//
// A [Reader] is a [container.Container]. Arrays keep the Fortran order of the file and have at least two dimensions, as
// scipy.io.loadmat gives them. What is not a plain array becomes a group:
//
//   - a struct s with the fields x and y is s/x and s/y, and element i of a struct array is s/i/x. Element i of a cell
//     array c is c/i. Elements are counted from 0 in MATLAB's order, down the columns.
//   - a sparse matrix has the members data, indices, indptr, shape and format of scipy.sparse.save_npz.
//
// Logical arrays have dtype bool. Character arrays have dtype str, with one string for each row. Numbers that are
// stored in a narrower type than their class's come with the type of the class. Objects, function handles and tables
// have an Err and do not end the list.
//
// Version 7.3 is HDF5, read by package hdf5: dimensions are in MATLAB's order, and references of cells and of arrays of
// structs are followed.
//
// [Create] writes a file that MATLAB, Octave and scipy.io.loadmat open: see [Writer]. Arrays of 2 GiB and more need
// version 7.3: see HDF5 of [Encoder].
//
// Everything in a file is checked against the length of the file before memory is allocated. The source of the format is
// the "MAT-File Format" of MATLAB R2023b, and scipy.io.matlab of SciPy 1.10.
package matlab
