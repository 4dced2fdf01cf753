// Package record reads and writes structured arrays, NumPy's tables, as slices of Go structs.
//
//	type Quake struct {
//		Time time.Time `npy:"time,M8[us]"`
//		Lat  float64   `npy:"lat"`
//		Lon  float64   `npy:"lon"`
//		Mag  float32   `npy:"mag"`
//	}
//	quakes, shape, err := record.Load[Quake]("quakes.npy")
//	err = record.Save("strong.npy", quakes[:3])
//
// # Which Go type for which field
//
// Numbers, bools and the types of package scalar have the dtypes that they have in package npy. A named type (type
// Celsius float64) has the dtype of its underlying type. As for [npy.Load], the Go type may be wider than the dtype,
// int64 for <i4, but not narrower, because values could change. A struct with wider types can read a file, but cannot
// be written with the dtype of this file.
//
//	(2,3)<f4          [2][3]float32     one Go array for each dimension
//	a nested struct   a struct
//	U8                string
//	S8, V8            []byte            S8 can be read as string
//	M8[us]            time.Time         or scalar.Datetime64
//	m8[ns]            time.Duration     or scalar.Timedelta64; the dtype of a time.Duration without a tag
//
// doc/dtypes.md in the repository has the whole list: the Go types that each dtype is read into, written from and
// viewed as.
//
// The fields of an embedded struct count as fields of the outer struct, in its place; with a name in its tag it is a
// nested struct. Maps, pointers, interfaces, and slices other than []byte have no dtype and are refused.
//
// # Arrays as elements
//
// T may be a Go array, of numbers or of structs: it stands for the last axes of an array. A file of shape (n, 3) and
// dtype float32 loads as n values of [3]float32, without conversion, and such values are saved with that shape:
//
//	points, shape, err := record.Load[[3]float32]("points.npy") // shape is (n)
//
// This holds for [ToSlice], [ViewOf], [FromSlice] and rows too. In Fortran order the file is read as a whole first.
//
// # Times
//
// A time.Time is a datetime64 in UTC. Writing is an error if the time is not a whole number of the file's steps:
// M8[us] cannot hold 1.5 µs, and M8[ns] only the years 1678 to 2262, which excludes the zero Time. NaT is neither a
// time.Time nor a time.Duration. Use [scalar.Datetime64] for data with NaT: it holds the ticks, IsNaT detects NaT,
// and its method Time converts the other values, given their step.
//
// Put the step of a [scalar.Datetime64] or [scalar.Timedelta64] in its tag: `npy:"time,M8[ns]"` holds nanoseconds
// whatever the step of the file. Files with a coarser step, such as M8[us], are converted as they are read, and a
// time that then overflows 64 bits is a [*ValueError]. Files with a finer step, with a step that is not a whole
// multiple, or without a unit are a [*npy.TypeError], and so is writing with any other step. Without a step in the
// tag the ticks are in the step of the file, which only the file's dtype tells.
//
// A time.Duration counts nanoseconds: every unit up to weeks is converted when it is read, and m8[ns] is written.
// Integer dtypes do not fit a time.Duration unless its tag is `npy:",i8"`, which makes it an integer that counts
// nanoseconds.
//
// # Tags
//
//	`npy:"name"`                the name in the dtype; without it, that of the Go field
//	`npy:"name,U8"`             and the descr, as numpy.dtype takes it: U8, S4, >i4, M8[us], (2,3)f4
//	`npy:",U8"`                 the descr alone
//	`npy:"name,title=Long name"` the title, a second name in NumPy
//	`npy:"-"`                   not a field
//	`npy:"'a,b'"`               a name with commas, in single quotes
//	`npy:"'it''s'"`             two quotes stand for one within quotes
//
// The descr applies when records are written or [DType] is called. It gives facts that the Go type lacks: the length of
// a string, the step of a time, a byte order. Reading uses the dtype of the file, except for the steps of times. Fields
// that are not exported are ignored. The command prints the struct for a file: npy struct FILE.
//
// # How fields find each other
//
// Fields are matched by name, not by position: the file may have other fields, and in another order. A Go field
// matches the field with the same name or title, or else the only field whose name differs from it just in case. If
// none matches, the error lists the fields of the file. Fields of the file that the struct lacks are ignored, unless
// [Loader] sets Strict. When records are written with a dtype of the caller's choice, by [FromSliceAs], every field
// must have a match, in the dtype and in the struct.
//
// # Errors
//
//	*npy.TypeError    types that do not fit, or a tag that cannot be read, before any record is looked at: the dotted
//	                  path of the field, the Go field, both types and what would do
//	*ValueError       a value that does not fit: the number of the record, both fields, both types; it wraps the reason,
//	                  such as scalar.ErrNaT, scalar.ErrRange, scalar.ErrInexact or a *scalar.LengthError
//	*npy.FieldError   a path for Field or LoadField that leads nowhere
//	npy.ErrObjects    arrays with Python objects
//	npy.ErrLimit      a limit of npy.Decoder
//	*format.Error     a file that is none
//
// # Memory and speed
//
// Untrusted files are safe to read: the limits of [npy.Decoder] apply, and memory grows with the data that arrives.
//
// The conversion between a dtype and a struct is compiled once, to a [Plan]. If both have the same layout, a file is
// read straight into the structs. Otherwise fields are moved one after another over blocks that fit the cache, and
// only one block of the file is held. Large arrays are moved by several goroutines. The layout of Go structs is the
// layout of numpy.dtype(align=True). [Save] packs fields as numpy.dtype([...]) does. For files that both NumPy and
// [ViewOf] use without conversion, write with [Saver] and the dtype of [AlignedDType].
package record
