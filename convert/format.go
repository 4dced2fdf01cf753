package convert

// A Format is the name of an array format.
type Format string

// The formats of this package.
const (
	CSV    Format = "csv"
	TSV    Format = "tsv"
	JSON   Format = "json"
	NDJSON Format = "ndjson"
	TXT    Format = "txt" // numbers separated by spaces, as numpy.savetxt writes them
	PNG    Format = "png"
	MD     Format = "md"  // a Markdown table, write only
	TEX    Format = "tex" // a LaTeX table, write only
)
