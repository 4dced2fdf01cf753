package answer

import (
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/netcdf"
)

// A packing says how the elements of an array are packed, or which of them are missing.
type packing struct {
	Note    string `json:"note"`    // "scale_factor 0.01, _FillValue -9999"
	Stored  string `json:"stored"`  // the dtype of the elements in the file
	Applied bool   `json:"applied"` // the elements of the selection are the unpacked ones

	attributes []container.Attribute
	scaled     bool // netcdf.Scaled, the command's --scale, makes the same of the elements
}

// unpack replaces the elements of the selection by the values that they stand for by the attributes of the array, unless the
// question asks for the elements as stored.
func (s *selection) unpack() {
	if s.open.Attributes == nil || s.field != "" {
		return
	}
	var p packing
	var notes []string
	for _, at := range s.open.Attributes(s.e) {
		if !netcdf.IsScaling(at.Name) {
			continue
		}
		p.attributes = append(p.attributes, at)
		if at.Err == nil && at.Value != nil {
			notes = append(notes, at.Name+" "+cut(arrayText(at.Value), 100))
		}
	}
	if len(p.attributes) == 0 {
		return
	}
	src, changed, err := netcdf.Masked(s.src, p.attributes)
	if err == nil && !changed {
		return
	}
	p.Stored, p.Note = dtypeName(s.src.DType()), strings.Join(notes, ", ")
	s.stored, s.packing = s.src, &p
	switch {
	case err != nil:
		p.Note = err.Error()
	case s.raw:
		s.key += " raw"
	default:
		s.src, p.Applied = src, true
	}
}

// codePacking returns the packing for code of the selection, nil for elements as stored.
func (s *selection) codePacking() *packing {
	if s.packing == nil || !s.packing.Applied {
		return nil
	}
	p := *s.packing
	scaled, err := netcdf.Scaled(s.stored, p.attributes)
	masked, _, err2 := netcdf.Masked(s.stored, p.attributes)
	p.scaled = err == nil && err2 == nil && scaled.DType().Equal(masked.DType())
	return &p
}

// python returns the expression of an unpacked array, of the expression of a stored one. It is "" if NumPy takes more than one.
func (p *packing) python(stored string) string {
	var fills []string
	text := "x"
	for _, name := range []string{"scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned"} {
		for _, at := range p.attributes {
			if at.Name != name || at.Value == nil {
				continue
			}
			value := npy.Printer{Precision: -1}.Str(at.Value)
			switch name {
			case "scale_factor":
				text += " * " + strings.Trim(value, "[]")
			case "add_offset":
				text += " + " + strings.Trim(value, "[]")
			case "_Unsigned":
				return ""
			default:
				fills = append(fills, strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("[], \n", r) })...)
			}
		}
	}
	if len(fills) == 0 {
		return "(" + stored + ")" + strings.TrimPrefix(text, "x")
	}
	return "np.where(np.isin(x := " + stored + ", [" + strings.Join(fills, ", ") + "]), np.nan, " + text + ")"
}

// storedSource returns the elements of the selection as they are in the file.
func (s *selection) storedSource() npy.Source {
	if s.stored != nil {
		return s.stored
	}
	return s.src
}
