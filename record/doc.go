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
//	m8[ns]            time.Duration     or scalar.Timedelta64
//
// doc/dtypes.md in the repository has the whole list: what each dtype is read into, written from and viewed as.
//
// An embedded struct counts as its fields, in its place. Maps, pointers, interfaces, and slices other than []byte have no
// dtype and are refused.
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
// file has. Fields that are not exported are passed over.
//
// # How fields find each other
//
// By name, not by place: the file may have other fields, and in another order. A Go field takes the field of the very
// same name, or title, or else the only one whose name differs in nothing but case. If there is none the error says what
// there is. Fields of the file that the struct lacks are passed over, unless [Options] say Strict.
//
// # Errors, memory, speed
//
// Types that do not fit are a [*npy.TypeError] with the dotted path of the field, before any record is looked at. Values
// that do not fit are a [*ValueError] with the number of the record: a string that is too long for its field, a NaT or a
// year 300 billion for a time.Time, which has no such values. Arrays with Python objects are refused with
// [npy.ErrObjects]. Files from strangers are safe to read: the limits of [npy.Decoder] hold, and memory follows what is
// there.
//
// The way from a dtype to a struct is worked out once, as a [Plan]. Where both have the same layout records are not even
// copied when a file is read; elsewhere fields are moved one after the other over blocks that stay in the cache. The
// layout of Go structs is that of numpy.dtype(align=True), which [Options] ask [DType] for.
package record
