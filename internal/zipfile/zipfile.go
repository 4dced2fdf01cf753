// Package zipfile reads and writes the structure of ZIP archives (PKWARE's APPNOTE): the directory, the headers of
// members, the extra fields that NumPy and we use. What the members hold is for others.
package zipfile

// An Entry is a member as the central directory has it.
type Entry struct {
	Name    string // in UTF-8, up to the first NUL, as Python's zipfile has it
	RawName string // as it stands in the archive
	Flags   uint16
	// Method is how the member is compressed: one of the constants below, or another of APPNOTE 4.4.5.
	Method         uint16
	CRC32          uint32 // of the member's bytes, not compressed
	CompressedSize int64
	Size           int64
	HeaderOffset   int64  // where in the file the local header begins
	Extra          []byte // the extra fields of the central directory
	Comment        string
	InternalAttr   uint16
	ExternalAttr   uint32
	MadeBy         uint16
	NeededVersion  uint16
	Date, Time     uint16 // in MS-DOS form

	// Err is what is wrong with this member as far as the directory shows it; nil if nothing is. It does not concern
	// the other members.
	Err error

	end     int64 // where the next member or the directory begins
	renamed bool
}

// Methods of compression.
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
	FlagDescriptor       = 1 << 3 // sizes and CRC stand behind the data
	FlagPatch            = 1 << 5 // the data is a patch for another file
	FlagStrongEncryption = 1 << 6
	FlagUTF8             = 1 << 11 // the name is UTF-8
)

// Kinds of extra fields.
const (
	ExtraZip64  = 0x0001
	ExtraAlign  = 0xd935 // padding, as Android's zipalign writes it
	ExtraPieces = 0x504e // "NP": where the pieces of a member's data begin, see doc/npz-index.md
)
