package container

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy"
)

// A Loss is something of an entry that a file does not hold.
type Loss struct {
	Path   string // of the entry; "" for the file
	What   string // for people: "the fill value". It is the same for every entry that loses the same thing
	Detail string // particular to the entry, "-1"; may be ""
}

// String returns the loss without the path: "the fill value (-1)".
func (l Loss) String() string {
	if l.Detail == "" {
		return l.What
	}
	return l.What + " (" + l.Detail + ")"
}

// A Feature is something that a file can say of an entry besides its dtype, shape and elements. Features are bits of a
// set.
type Feature uint

// The features of entries.
const (
	Attributes   Feature = 1 << iota // of arrays and groups
	DimNames                         // Dims, and the dimensions of groups
	DimScales                        // Scales, IsScale
	MaxShapes                        // MaxShape
	FillValues                       // Fill
	Checksums                        // Fletcher32
	NullSpaces                       // Null
	EnumNames                        // Meaning.Enum
	ObjectRefs                       // Meaning.Reference
	RegionRefs                       // Meaning.Reference
	Charsets                         // Meaning.Charset
	Links                            // LinkKind
	TextDims                         // TextDim
	EmptyGroups                      // groups without arrays
	FortranOrder                     // FortranOrder
)

// LossesOf returns the losses of an entry in a file of a format that has some features and no others. The members of Attributes
// are for the format to judge: they are a loss only if the format has no attributes at all.
func LossesOf(e Entry, attributes []Attribute, has Feature) []Loss {
	var lost []Loss
	lose := func(f Feature, isThere bool, what, detail string) {
		if isThere && has&f == 0 {
			lost = append(lost, Loss{e.Path, what, detail})
		}
	}
	lose(Attributes, len(attributes) > 0, "attributes", fmt.Sprint(len(attributes)))
	lose(DimNames, slices.ContainsFunc(e.Dims, func(name string) bool { return name != "" }), "the names of the dimensions", strings.Join(e.Dims, ", "))
	lose(MaxShapes, !e.Group && e.MaxShape != nil, "the maximum shape", maxShapeText(e.MaxShape))
	if e.Group {
		lose(Links, e.LinkKind != "", "the link", linkText(e))
		return lost
	}
	lose(FortranOrder, e.FortranOrder && len(e.Shape) > 1, "Fortran order", "the elements are written in C order")
	lose(DimScales, e.IsScale || e.Scales != nil, "the dimension scales", "")
	lose(FillValues, e.Fill != nil, "the fill value", fillText(e.Fill))
	lose(Checksums, e.Fletcher32, "the checksums", "")
	lose(NullSpaces, e.Null, "that there is no shape", "a null dataspace becomes an array without elements")
	lose(EnumNames, e.Meaning.HasEnum(), "the names of an enum", e.Meaning.String())
	lose(ObjectRefs, e.Meaning.Refers(ObjectReference), "the references", "the paths of their objects are written as text")
	lose(RegionRefs, e.Meaning.Refers(RegionReference), "the regions of references", "the paths of their arrays are written as text")
	lose(Charsets, e.Meaning.HasUTF8(), "that bytes are text in UTF-8", "")
	lose(TextDims, e.TextDim != "", "the name of the dimension of characters", e.TextDim)
	lose(Links, e.LinkKind != "", "the link", linkText(e)+"; its array is written")
	return lost
}

// maxShapeText returns a MaxShape for people.
func maxShapeText(most []int) string {
	parts := make([]string, len(most))
	for i, n := range most {
		if parts[i] = fmt.Sprint(n); n == Unlimited {
			parts[i] = "unlimited"
		}
	}
	return strings.Join(parts, ", ")
}

// fillText returns a fill value for people.
func fillText(a *npy.Array) string {
	if a == nil {
		return ""
	}
	text := npy.Printer{Threshold: 10, LineWidth: -1}.Str(a)
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

func linkText(e Entry) string { return string(e.LinkKind) + " link to " + e.Link }

// An Omitter is a Container of a file that holds more than entries and their attributes can say.
type Omitter interface{ Omitted() []Loss }

// Omitted returns what c does not give of its file, such as HDF5's committed datatypes: a copy does not have it.
func Omitted(c Container) []Loss {
	if o, ok := c.(Omitter); ok {
		return o.Omitted()
	}
	return nil
}

// Lose reports losses to Lost, if it is not nil.
func (o WriteOptions) Lose(losses ...Loss) {
	if o.Lost == nil {
		return
	}
	for _, l := range losses {
		o.Lost(l)
	}
}

// A GroupList finds the groups without arrays, which a format without groups loses. Of all others, the paths of the arrays
// keep the names.
type GroupList struct{ groups, arrays []string }

// Add adds a group or an array that is written.
func (g *GroupList) Add(e Entry) {
	switch {
	case !e.Group:
		g.arrays = append(g.arrays, e.Path)
	case e.Path != "" && e.LinkKind == "":
		g.groups = append(g.groups, e.Path)
	}
}

// Empty returns the losses of the groups without arrays.
func (g *GroupList) Empty() []Loss {
	slices.Sort(g.arrays)
	var lost []Loss
	for _, group := range g.groups {
		i, _ := slices.BinarySearch(g.arrays, group+"/")
		if i == len(g.arrays) || !strings.HasPrefix(g.arrays[i], group+"/") {
			lost = append(lost, Loss{group, "the group", "it has no arrays"})
		}
	}
	return lost
}
