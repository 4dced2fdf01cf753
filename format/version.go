package format

import "fmt"

// A Version is a version of the file format. When writing, the zero Version selects the oldest version that can hold
// the header, as NumPy does.
type Version struct {
	Major, Minor uint8 // the two bytes after the magic string
}

// The versions of the format. They differ in the size of the length and in the encoding of the header.
var (
	V1 = Version{1, 0} // 16-bit length, Latin-1
	V2 = Version{2, 0} // 32-bit length, Latin-1; since NumPy 1.9
	V3 = Version{3, 0} // 32-bit length, UTF-8; since NumPy 1.17
)

// String returns the version as "1.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// IsKnown reports whether v is one of the three versions that exist.
func (v Version) IsKnown() bool { return v == V1 || v == V2 || v == V3 }

// prefixLen returns the number of bytes before the header: magic string, version and length.
func (v Version) prefixLen() int {
	if v == V1 {
		return len(Magic) + 2 + 2
	}
	return len(Magic) + 2 + 4
}
