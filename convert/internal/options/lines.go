package options

// LineField is the name of the field with the text of each row: convert.LineField.
const LineField = "\x00line"

// Lines has the fields of convert.Lines, which documents them.
type Lines struct {
	Header    string
	Names     []string
	Delimiter byte
	Localized bool
}
