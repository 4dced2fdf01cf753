package matlab

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/npygo/npy/container"
	"github.com/npygo/npy/dtype"
)

// features are the features of a MAT-file. Text is decoded, so that its character set is kept.
const features = container.FortranOrder | container.Charsets

// losses returns the losses of an entry in a MAT-file. has are the features of its version, and cells says that numbers
// are the members of cells.
func losses(e container.Entry, attributes []container.Attribute, has container.Feature, cells bool) []container.Loss {
	lost := container.LossesOf(e, attributes, has)
	if k := e.DType.Kind(); !e.Group && (k == dtype.KindDatetime || k == dtype.KindTimedelta) {
		lost = append(lost, container.Loss{Path: e.Path, What: "that times are no numbers", Detail: "integers are written in place of " + e.DType.Name()})
	}
	name := path.Base(e.Path)
	if _, err := strconv.ParseUint(name, 10, 32); e.Path != "" && validName(name) != name && !(cells && err == nil && strings.Contains(e.Path, "/")) {
		lost = append(lost, container.Loss{Path: e.Path, What: "the name", Detail: fmt.Sprintf("%q becomes %s", name, validName(name))})
	}
	return lost
}
