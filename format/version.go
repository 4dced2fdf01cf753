package format

import "fmt"

// A Version is the version of the file format. The zero Version, when writing, stands for the oldest that can hold
// the header, which is what NumPy writes.
type Version struct{ Major, Minor uint8 }

// The versions of the format. They differ in how the header is measured and encoded.
var (
	V1 = Version{1, 0} // 16-bit length, Latin-1
	V2 = Version{2, 0} // 32-bit length, Latin-1; since NumPy 1.9
	V3 = Version{3, 0} // 32-bit length, UTF-8; since NumPy 1.17
)

// String returns the version as "1.0".
func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// IsKnown reports whether v is one of the three versions that exist.
func (v Version) IsKnown() bool { return v == V1 || v == V2 || v == V3 }

// prefixLen is the number of bytes in front of the header: magic, version and length.
func (v Version) prefixLen() int {
	if v == V1 {
		return len(Magic) + 2 + 2
	}
	return len(Magic) + 2 + 4
}
