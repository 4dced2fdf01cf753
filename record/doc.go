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
// Numbers, bools and the types of package scalar are what they are in package npy, and named types (type Celsius
// float64) are like those they are made of. Go may hold more than the file, int64 for <i4, as for [npy.Load]; it may not
// hold less, for then values could change. A struct that can read a file but holds more cannot be written back with the
// dtype of that file.
//
//	(2,3)<f4          [2][3]float32     one Go array for each dimension
//	a nested struct   a struct
//	U8                string
//	S8, V8            []byte            S8 can be read as string
//	M8[us]            time.Time         or scalar.Datetime64
//	m8[ns]            time.Duration     or scalar.Timedelta64; the dtype of a time.Duration without a tag
//
// doc/dtypes.md in the repository has the whole list: what each dtype is read into, written from and viewed as.
//
// An embedded struct counts as its fields, in its place; with a name in its tag it is a nested struct. Maps, pointers, interfaces, and slices other than []byte have no
// dtype and are refused.
//
// # Times
//
// A time.Time is the moment that the ticks of a datetime64 count, in UTC, and goes into a file if it is a whole number of
// them: M8[us] takes no 1.5 µs, and M8[ns] only the years 1678 to 2262, so not the zero Time. NaT has no time.Time and no
// time.Duration. Where there may be any, take [scalar.Datetime64], which is the ticks themselves: IsNaT tells, and its
// method Time converts what is a time, given its step.
//
// Say the step of a [scalar.Datetime64] or [scalar.Timedelta64] in its tag: `npy:"time,M8[ns]"` holds nanoseconds whatever
// the file counts. Files of a coarser step, M8[us], are converted as they are read, and a time that 64 bits do not hold
// then is a [*ValueError]. Files of a finer step, of a step that is no whole multiple and without a unit are a
// [*npy.TypeError], and so is writing into any other step. Without a tag the ticks are those of the file, and only
// the file says what they count.
//
// Durations count nanoseconds: every unit up to weeks is read into them, and m8[ns] written. Integers are not: the tag
// `npy:",i8"` makes a time.Duration an integer that counts nanoseconds.
//
// # Tags
//
//	`npy:"name"`                the name in the dtype; without it, that of the Go field
//	`npy:"name,U8"`             and the descr, as numpy.dtype takes it: U8, S4, >i4, M8[us], (2,3)f4
//	`npy:",U8"`                 the descr alone
//	`npy:"name,title=Long name"` the title, a second name in NumPy
//	`npy:"-"`                   not a field
//
// Names with commas go in single quotes, `npy:"'a,b'"`. The descr matters when records are written or [DType] is asked:
// it tells what the Go type does not, the length of a string, the step of a time, a byte order. Reading takes what the
// file has, but for the steps of times. Fields that are not exported are passed over.
//
// # How fields find each other
//
// By name, not by place: the file may have other fields, and in another order. A Go field takes the field of the very
// same name, or title, or else the only one whose name differs in nothing but case. If there is none the error says what
// there is. Fields of the file that the struct lacks are passed over, unless [Loader] says Strict.
// When records are written into a dtype of the caller's, by [FromSliceAs], none may be left out on either side.
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
// Files from strangers are safe to read: the limits of [npy.Decoder] hold, and memory follows what is there.
//
// The way from a dtype to a struct is worked out once, as a [Plan]. Where both have the same layout a file is read
// straight into the structs; elsewhere fields are moved one after the other over blocks that stay in the cache, and of
// the file no more than such a block is held. Large arrays are moved by several goroutines. The layout of Go structs is
// that of numpy.dtype(align=True). [Save] packs fields as numpy.dtype([...]) does; for files that both NumPy and [ViewOf]
// use as they are, ask [AlignedDType] for the other, and write with [Saver].
package record
