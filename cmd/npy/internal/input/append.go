package input

import (
	"errors"
	"fmt"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
)

// An Appender makes an array longer, in its file.
type Appender interface {
	Append(a *npy.Array) error
	Header() format.Header // of the array as it is now
	Close() error
}

// A Limited is an Appender whose array cannot have any number of rows. Check says so before the first of several parts is
// appended.
type Limited interface{ Check(rows int) error }

var errPart = errors.New("append makes whole arrays longer; leave the index out")

// OpenAppend opens the array of a target for appending: an .npy file, or an array of an HDF5 file.
func (o Opener) OpenAppend(t Target, sync bool) (Appender, error) {
	if t.Index != nil {
		return nil, errPart
	}
	if t.Member == "" {
		l, err := npy.Encoder{Sync: sync}.OpenAppend(t.Path)
		if err == nil {
			return l, nil
		}
		if !o.isHDF5(t.Path) {
			return nil, o.InPlace(t.Path, err)
		}
	}
	path, err := o.growing(t)
	if err != nil {
		return nil, err
	}
	l, err := hdf5.Encoder{Sync: sync}.OpenAppend(t.Path, path)
	if err != nil {
		return nil, err
	}
	return growing{l}, nil
}

// growing returns the path of the array of an HDF5 file that a target names: the only one if it names none.
func (o Opener) growing(t Target) (path string, err error) {
	if t, err = o.Open(t); err != nil {
		return "", err
	}
	defer t.Close()
	if !t.Container.isHDF5() {
		return "", errors.New("arrays of .npy and HDF5 files can be made longer, and no others; 'npy concat' joins arrays into a new file")
	}
	if t, err = t.Only(); err == nil && t.Index != nil {
		err = errPart
	}
	return t.Member, err
}

// isHDF5 reports whether a file is HDF5.
func (o Opener) isHDF5(path string) bool {
	c, err := o.OpenContainer(path)
	if err != nil {
		return false
	}
	defer c.Close()
	return c.isHDF5()
}

func (c *Container) isHDF5() bool {
	return c.Kind.Name == hdf5.Format(hdf5.Decoder{}, hdf5.Encoder{}).Name
}

// A growing is an array of an HDF5 file.
type growing struct{ *hdf5.Appender }

// Check implements [Limited].
func (g growing) Check(rows int) error {
	if most, limited := g.Limit(); limited && rows > most-g.Shape()[0] {
		return fmt.Errorf("%d rows after %d: the limit of the array is %d", rows, g.Shape()[0], most)
	}
	return nil
}

// Header implements [Appender].
func (g growing) Header() format.Header {
	return format.Header{DType: g.DType(), Shape: g.Shape()}
}
