package query

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/join"
)

// A Join joins the rows of two arrays of any size, left and right, that have equal keys. The zero Join needs keys. A Join may be used by
// several goroutines.
//
// The result has records without padding: the fields of left, and then the fields of right without the keys. An array without fields has
// the field x, which is an element or a row. The rows come in the order of left, and the matches of a left row in the order of right, as
// in pandas.merge(how='left'). All pairs of equal keys are rows. Neither the number of goroutines nor Memory changes the result.
//
// Keys compare by their values, whatever their sizes and byte orders are: int32 with int64, U5 with U8, datetime64[s] with
// datetime64[ms]. Integers and floats compare as float64, and signed with unsigned integers as int64; a key that this dtype does not hold
// is an error. Other dtypes are not compared with each other. As in [Group], -0 equals 0, NaN equals NaN, and NaT equals NaT, as in
// pandas. Python objects are an error that wraps [npy.ErrObjects].
type Join struct {
	// How is one of these:
	//
	//	inner  the left rows with a match, with each of their matches; also ""
	//	left   all left rows; a row without a match is there once, with missing values
	//	semi   the left rows with a match, once, without the fields of right
	//	anti   the left rows without a match, without the fields of right
	//	asof   all left rows, each with the nearest right row at most, as pandas.merge_asof
	//
	// Missing values are NaN, NaT, an empty text or zero bytes. In a left or an asof join, integers and bools of right become float64,
	// as in [Compute], whether or not a row is without a match. An integer that float64 does not hold is an error. See Fill.
	How string

	// On has the keys that must be equal. An asof join has one, of numbers or times: the right row is the last at or before the left
	// row. The rows need not be sorted, the key of right is a field of the result, and NaN and NaT match nothing.
	On []JoinKey

	// By has the keys that must be equal in an asof join.
	By []JoinKey

	// Direction is backward, forward or nearest, for an asof join: the last row at or before the left row, the first at or after it, or
	// the nearer of both, the earlier if they are as near. "" means backward.
	Direction string

	// Tolerance is the largest distance of the keys of an asof join: a number, or a duration such as "5 s" for times. "" means any.
	Tolerance string

	// Suffix is added to the names of the fields of right that left has as well. "" means "_right".
	Suffix string

	// Fill is the value of numbers and bools in left rows without a match, as a text: "0". They keep their dtypes then.
	Fill string

	// Memory is the target for the process's total memory, in bytes, if the process does nothing else. 0 means 256 MiB. The minimum is
	// 48 MiB. Rows and keys that need more are in temporary files.
	Memory int64

	// Temp is the path next to which temporary files are made. "" means a path in [os.TempDir].
	Temp string

	// Progress is called from time to time by Open, by one goroutine at a time, with the number of bytes read and their total. nil means
	// no calls.
	Progress func(done, total int64)
}

// A JoinKey is a key of both arrays.
type JoinKey struct {
	Left  string // the field or the column of left, as in [Key]
	Right string // the field or the column of right
}

// ParseJoinKeys reads a list of keys such as "id=event_id,station". A key with one name has it in both arrays. Commas and equals signs in
// brackets and quotes are part of a name, as for [ParseKeys], and a name with others is between backquotes.
func ParseJoinKeys(text string) ([]JoinKey, error) {
	var keys []JoinKey
	for _, one := range splitList(text, ',') {
		names := splitList(one, '=')
		for i, name := range names {
			names[i] = unquoted(strings.TrimSpace(name))
		}
		if len(names) > 2 || slices.Contains(names, "") {
			return nil, diag.Errorf("query", "keys %q: want FIELD or LEFT=RIGHT, separated by commas", text)
		}
		keys = append(keys, JoinKey{Left: names[0], Right: names[len(names)-1]})
	}
	return keys, nil
}

// A SideError is an error of one of the two arrays of a [Join].
type SideError struct {
	Right bool  // of right, and not of left
	Err   error // the fault
}

// Error returns one line.
func (e *SideError) Error() string { return "query: " + e.Fault("") }

// Fault returns the message without the name of the package.
func (e *SideError) Fault(_ string) string {
	side := "left"
	if e.Right {
		side = "right"
	}
	return side + ": " + diag.Fault(e.Err, "")
}

// Unwrap returns Err.
func (e *SideError) Unwrap() error { return e.Err }

// Check returns an error if the settings contradict each other. Open calls it.
func (j Join) Check() error {
	inner := j.inner()
	return inner.Check()
}

// Open finds the matches of all rows, and returns the joined rows, which are copied when they are read. It reads the keys of left, and all
// of right, which is not needed afterwards; left is read again with the result. Close the result.
func (j Join) Open(ctx context.Context, left, right npy.Source) (*Joined, error) {
	rows, err := j.inner().Open(ctx, left, right)
	var side *join.SideError
	if errors.As(err, &side) {
		return nil, &SideError{side.Right, side.Err}
	} else if err != nil {
		return nil, err
	}
	return &Joined{rows}, nil
}

// inner returns the settings for the package that joins.
func (j Join) inner() join.Join {
	return join.Join{
		How: j.How, On: joinKeys(j.On), By: joinKeys(j.By), Direction: j.Direction, Tolerance: j.Tolerance,
		Suffix: j.Suffix, Fill: j.Fill, Memory: j.Memory, Temp: j.Temp, Progress: j.Progress,
	}
}

func joinKeys(keys []JoinKey) []join.Key {
	out := make([]join.Key, len(keys))
	for i, k := range keys {
		out[i] = join.Key(k)
	}
	return out
}

// A Joined is the result of a [Join]. It is a [npy.Source], valid as long as left is, and may be used by several goroutines.
type Joined struct{ rows *join.Result }

// Close removes the temporary files, if there are some. The Joined must not be read afterwards.
func (j *Joined) Close() error {
	return j.rows.Close()
}

// DType returns the dtype of the records.
func (j *Joined) DType() dtype.Type {
	return j.rows.DType()
}

// Shape returns the number of rows. The slice is a copy.
func (j *Joined) Shape() []int {
	return j.rows.Shape()
}

// Select returns a part of the array. Reading it reads the same rows of left.
func (j *Joined) Select(index ...npy.Index) (npy.Source, error) {
	return j.rows.Select(index...)
}

// ReadAll returns the joined rows in memory of their own.
func (j *Joined) ReadAll(ctx context.Context) (*npy.Array, error) {
	return j.rows.ReadAll(ctx)
}

// Blocks yields the joined rows in blocks of at most 4 MiB or one row, and reads left once, in sequence.
func (j *Joined) Blocks(ctx context.Context, memory int64) iter.Seq2[*npy.Array, error] {
	return j.rows.Blocks(ctx, memory)
}
