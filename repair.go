package npy

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"

	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/bounded"
	"github.com/npygo/npy/internal/diag"
)

// A Repairer makes whole files of damaged ones. The zero Repairer keeps at most the rows that the header promises.
type Repairer struct {
	// Encoder has the settings of the file written.
	Encoder Encoder

	// Longer takes trailing data as more rows of the array, as far as the rows are whole: a writer that was killed
	// before it could change the header leaves such rows. Another array after the array is never taken for rows.
	Longer bool

	// MaxHeader limits the header of the damaged file, as in [Decoder].
	MaxHeader int
}

// A Repair reports the damage of a file and its repair. A row is selected by one index of the first axis, or of the
// last in Fortran order.
type Repair struct {
	Old, New format.Header // as the file has it, and of the array that was saved
	Lost     int           // rows that the header promises and the file lacks
	Found    int           // rows of the file that the header does not have
	Cut      int64         // bytes of a row that is not whole
	Trailing int64         // bytes of trailing data that were left out
	Respelt  bool          // the header had another form than NumPy gives it
}

// Whole reports whether there was nothing to repair.
func (r Repair) Whole() bool {
	return r.Lost == 0 && r.Found == 0 && r.Cut == 0 && r.Trailing == 0 && !r.Respelt
}

// RepairFile writes a file with the whole rows that a damaged file still holds, under the header that NumPy would
// give it. The damaged file is not changed. An error reports that there is nothing to save, because the header cannot
// be read for example; there is no new file then. Python objects have no places of their own in a file, so nothing
// can be saved of them: [ErrObjects].
func RepairFile(from, to string) (Repair, error) { return Repairer{}.RepairFile(from, to) }

// RepairFile is the function of the same name with the settings of p.
func (p Repairer) RepairFile(from, to string) (Repair, error) {
	f, err := os.Open(from)
	if err != nil {
		return Repair{}, err
	}
	defer f.Close()
	r, err := p.examine(f)
	if err != nil {
		return r, &fs.PathError{Op: "repair", Path: from, Err: err}
	}
	return r, p.write(to, f, r)
}

// examine finds the rows to save.
func (p Repairer) examine(f *os.File) (Repair, error) {
	info, err := f.Stat()
	if err != nil {
		return Repair{}, err
	}
	if !info.Mode().IsRegular() {
		return Repair{}, errors.New("a pipe or device cannot be repaired; save it to a file first")
	}
	h, err := format.Decoder{MaxHeader: p.MaxHeader}.ReadHeader(f)
	if err != nil {
		return Repair{}, err
	}
	if err := noObjects(h.DType, "; its elements have no places of their own"); err != nil {
		return Repair{}, err
	}
	p.Longer = p.Longer && !arrayFollows(f, h)
	r, err := p.Fit(h, info.Size()-h.DataOffset)
	if err != nil {
		return r, err
	}
	r.Respelt, err = respelt(f, r)
	return r, err
}

// Fit returns the repair of an array with the header h of which have bytes of elements are there: for arrays that
// are not in a file of their own. The error reports that there is nothing to save.
func (p Repairer) Fit(h format.Header, have int64) (Repair, error) {
	if err := check(h); err != nil {
		return Repair{}, err
	}
	r := Repair{Old: h, New: h}
	r.New.Version, r.New.Shape = p.Encoder.Version, slices.Clone(h.Shape)
	return r, r.fit(have, p.Longer)
}

// fit sets the number of rows for have bytes of elements.
func (r *Repair) fit(have int64, longer bool) error {
	want, row, axis := r.Old.NBytes(), r.rowBytes(), r.axis()
	if want == have {
		return nil
	}
	if row == 0 {
		r.Trailing = have - want
		if have < want {
			return fmt.Errorf("the only element ends after %d of %d bytes, so there is nothing to save: %w", have, want, io.ErrUnexpectedEOF)
		}
		return nil
	}
	if !longer {
		have, r.Trailing = min(have, want), max(have-want, 0)
	}
	if have/row > math.MaxInt {
		return bounded.Over("", 0, 0, "%d rows are more than a shape can say here", have/row)
	}
	rows := int(have / row)
	r.New.Shape[axis] = rows
	r.Lost, r.Found = max(r.Old.Shape[axis]-rows, 0), max(rows-r.Old.Shape[axis], 0)
	r.Cut = have % row
	return nil
}

// axis returns the slowest axis, along which a file can be cut. It is -1 if there is none.
func (r *Repair) axis() int {
	if r.Old.FortranOrder {
		return len(r.Old.Shape) - 1
	}
	return min(0, len(r.Old.Shape)-1)
}

// rowBytes returns the length of a row in bytes, also for an array without rows. It is 0 if rows have no bytes, or
// there is no axis.
func (r *Repair) rowBytes() int64 {
	axis := r.axis()
	if axis < 0 {
		return 0
	}
	one := r.Old
	one.Shape = slices.Clone(one.Shape)
	one.Shape[axis] = 1
	if one.Validate() != nil {
		return 0 // longer than any file
	}
	return one.NBytes()
}

// arrayFollows reports whether another array follows the array of h.
func arrayFollows(f io.ReaderAt, h format.Header) bool {
	var head [len(format.Magic)]byte
	n, _ := f.ReadAt(head[:], h.DataOffset+h.NBytes())
	return string(head[:n]) == format.Magic
}

// respelt reports whether the header differs from NumPy's.
func respelt(f io.ReaderAt, r Repair) (bool, error) {
	same := r.Old
	want, err := same.Append(nil)
	if err != nil {
		return true, nil // too long for its version; write chooses another
	}
	have := make([]byte, r.Old.DataOffset)
	if _, err := f.ReadAt(have, 0); err != nil {
		return false, err
	}
	return string(have) != string(want), nil
}

func (p Repairer) write(path string, f *os.File, r Repair) error {
	if old, err := os.Stat(path); err == nil {
		if from, err := f.Stat(); err == nil && os.SameFile(old, from) {
			return diag.Errorf("npy", "%s is the damaged file itself; give another name for the repaired one", path)
		}
	}
	head, err := r.New.Append(nil)
	if err != nil {
		return err
	}
	return writeParts(path, head, io.NewSectionReader(f, r.Old.DataOffset, r.New.NBytes()), p.Encoder.Sync)
}
