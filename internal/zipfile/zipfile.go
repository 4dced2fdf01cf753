// Package zipfile reads and writes the structure of ZIP archives (PKWARE's APPNOTE): the directory, the headers of
// members, and the extra fields that NumPy and this module use. It does not interpret the data of members.
package zipfile

// An Entry is the entry of a member in the central directory.
type Entry struct {
	Name    string // in UTF-8, up to the first NUL, as in Python's zipfile
	RawName string // as it is stored in the archive
	Flags   uint16
	// Method is the compression method: one of the constants below, or another method of APPNOTE 4.4.5.
	Method         uint16
	CRC32          uint32 // of the member's uncompressed bytes
	CompressedSize int64
	Size           int64
	HeaderOffset   int64  // the offset of the local header in the file
	Extra          []byte // the extra fields of the central directory
	Comment        string
	InternalAttr   uint16
	ExternalAttr   uint32
	MadeBy         uint16
	NeededVersion  uint16
	Date, Time     uint16 // in MS-DOS form

	// Err is the fault of this member that the directory shows, or nil. It does not concern the other members.
	Err error

	end     int64 // the start of the next member or of the directory
	renamed bool
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
