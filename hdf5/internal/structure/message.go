package structure

// The types of the messages of object headers.
const (
	DataspaceMessage     = 0x01
	LinkInfoMessage      = 0x02
	DatatypeMessage      = 0x03
	oldFillMessage       = 0x04
	FillMessage          = 0x05
	LinkMessage          = 0x06
	ExternalMessage      = 0x07
	LayoutMessage        = 0x08
	GroupInfoMessage     = 0x0a
	PipelineMessage      = 0x0b
	AttributeMessage     = 0x0c
	sharedTableMessage   = 0x0f
	continuationMessage  = 0x10
	SymbolTableMessage   = 0x11
	AttributeInfoMessage = 0x15
	linkCountMessage     = 0x16
	FileSpaceMessage     = 0x17
)

// MaxRank is the largest number of dimensions in HDF5, H5S_MAX_RANK.
const MaxRank = 32

// MaxMessage is the size of the longest message of an object header: its size has 16 bits and is a multiple of 8.
const MaxMessage = 1<<16 - 8

// A Message is one piece of an object header.
type Message struct {
	Kind   int
	Shared bool   // the data says where the message is
	At     uint64 // the address of the data
	Data   []byte
}
