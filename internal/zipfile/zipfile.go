// Package zipfile reads and writes the structure of ZIP archives (PKWARE's APPNOTE): the directory, the headers of
// members, and the extra fields that NumPy and this module use. It does not interpret the data of members.
package zipfile

// An Entry is the entry of a member in the central directory. An archive may have a million, so rare fields are in a
// struct of their own.
type Entry struct {
	Name           string // in UTF-8, up to the first NUL, as in Python's zipfile
	CompressedSize int64
	Size           int64
	HeaderOffset   int64  // the offset of the local header in the file
	end            int64  // the start of the next member or of the directory
	CRC32          uint32 // of the member's uncompressed bytes
	ExternalAttr   uint32
	Flags          uint16
	// Method is the compression method: one of the constants below, or another method of APPNOTE 4.4.5.
	Method        uint16
	InternalAttr  uint16
	MadeBy        uint16
	NeededVersion uint16
	Date, Time    uint16 // in MS-DOS form
	renamed       bool

	rare *rare // nil for the zero value
}

// A rare has the fields that are empty for most entries. It does not change.
type rare struct {
	rawName *string // nil if it is the name
	extra   []byte
	comment string
	err     error
}

// with returns a copy of r, changed by set.
func (r *rare) with(set func(*rare)) *rare {
	var c rare
	if r != nil {
		c = *r
	}
	set(&c)
	return &c
}

// RawName returns the name as it is stored in the archive.
func (e *Entry) RawName() string {
	if e.rare == nil || e.rare.rawName == nil {
		return e.Name
	}
	return *e.rare.rawName
}

// Extra returns the extra fields of the central directory.
func (e *Entry) Extra() []byte {
	if e.rare == nil {
		return nil
	}
	return e.rare.extra
}

// SetExtra sets the extra fields of the central directory.
func (e *Entry) SetExtra(extra []byte) {
	if e.rare != nil || extra != nil {
		e.rare = e.rare.with(func(r *rare) { r.extra = extra })
	}
}

// Comment returns the comment of the member.
func (e *Entry) Comment() string {
	if e.rare == nil {
		return ""
	}
	return e.rare.comment
}

// Err returns the fault of this member that the directory shows, or nil. It does not concern the other members.
func (e *Entry) Err() error {
	if e.rare == nil {
		return nil
	}
	return e.rare.err
}

// fail sets the fault of the member.
func (e *Entry) fail(err error) {
	if err != nil {
		e.rare = e.rare.with(func(r *rare) { r.err = err })
	}
}

// Compression methods.
const (
	Store   = 0
	Deflate = 8
	Bzip2   = 12
	LZMA    = 14
	Zstd    = 93
)

// Flags of entries.
const (
	FlagEncrypted        = 1 << 0
	FlagDescriptor       = 1 << 3 // sizes and CRC follow the data
	FlagPatch            = 1 << 5 // the data is a patch for another file
	FlagStrongEncryption = 1 << 6
	FlagUTF8             = 1 << 11 // the name is UTF-8
)

// Kinds of extra fields.
const (
	ExtraZip64  = 0x0001
	ExtraAlign  = 0xd935 // padding, in the form of Android's zipalign
	ExtraPieces = 0x504e // "NP": the starts of the pieces of a member's data, see doc/npz-index.md
)
