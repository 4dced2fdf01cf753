package convert

import (
	"context"
	"io"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/convert/internal/arrays"
	"github.com/npygo/npy/convert/internal/image"
	"github.com/npygo/npy/convert/internal/jsonread"
	"github.com/npygo/npy/convert/internal/options"
	"github.com/npygo/npy/convert/internal/tableread"
	"github.com/npygo/npy/convert/internal/tablewrite"
	"github.com/npygo/npy/convert/internal/values"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/internal/readonly"
)

// Standard returns the converters of this package. To add a format to the package, add a row here.
func Standard() Formats {
	tables := Formats{tableConverter(CSV, ".csv", ','), tableConverter(TSV, ".tsv", '\t')}
	if readonly.Build {
		return tables
	}
	return append(tables,
		jsonConverter(),
		ndjsonConverter(),
		savetxtConverter(),
		pngConverter(),
		markdownConverter(),
		latexConverter(),
	)
}

func pngConverter() Converter {
	return Converter{
		Format: PNG, Title: "PNG image", Endings: []string{".png"}, Binary: true,
		Kept: "bool, uint8 and uint16 of shape (height, width), or with an axis of 2, 3 or 4 channels: grey and alpha, RGB, RGBA",
		Lost: []Loss{
			{"an axis of one channel", func(_ dtype.Type, shape []int) bool { return len(shape) == 3 && shape[2] == 1 }},
			{"the byte order", func(t dtype.Type, _ []int) bool { return !t.IsNative() }},
			{What: "Fortran order"},
			{What: "of an image: its palette, colour profile, texts and animation"},
		},
		Write: writer(image.Write),
		Read:  reader(image.Read),
	}
}

func jsonConverter() Converter {
	return Converter{
		Format: JSON, Title: "JSON", Endings: []string{".json"},
		Kept:  "all values, any number of dimensions, records with the names of their fields, nested ones too",
		Lost:  []Loss{dtypeLoss(jsonDType), emptyShapeLoss(), detailLoss()},
		Write: writer(values.WriteJSON),
		Read:  reader(jsonread.Read),
	}
}

func ndjsonConverter() Converter {
	c := jsonConverter()
	c.Format, c.Title, c.Endings = NDJSON, "NDJSON", []string{".ndjson", ".jsonl"}
	c.Lost = append(c.Lost, Loss{"that there is no axis", func(_ dtype.Type, shape []int) bool { return len(shape) == 0 }})
	c.Write, c.Read = writer(values.WriteNDJSON), reader(jsonread.ReadLines)
	return c
}

func savetxtConverter() Converter {
	return Converter{
		Format: TXT, Title: "text of numpy.savetxt", Endings: []string{".txt"},
		Kept: "numbers as float64 or complex128, two dimensions",
		Lost: []Loss{
			{"the dtype, unless it is given again when reading: numbers are float64 or complex128", func(t dtype.Type, _ []int) bool {
				return !t.Equal(dtype.Float64) && !t.Equal(dtype.Complex128)
			}},
			{"the names of fields", func(t dtype.Type, _ []int) bool { return t.IsStruct() }},
			tableShapeLoss(), emptyShapeLoss(), detailLoss(),
		},
		Write: writer(tablewrite.WriteSavetxt),
		Read:  reader(tableread.Reader(' ', true)),
	}
}

func tableConverter(f Format, ending string, delim byte) Converter {
	c := Converter{
		Format: f, Title: strings.ToUpper(string(f)), Endings: []string{ending},
		Kept:  "all values, two dimensions, records of one with the names of their fields",
		Lost:  []Loss{dtypeLoss(cellDType), tableShapeLoss(), emptyShapeLoss(), detailLoss()},
		Write: writer(tablewrite.Writer(delim)),
	}
	if !readonly.Build {
		c.Read = reader(tableread.Reader(readDelimiter(delim), false))
	}
	return c
}

// readDelimiter returns the delimiter for reading tables that are written with delim. Files that are called .csv have
// many.
func readDelimiter(delim byte) byte {
	if delim == ',' {
		return 0
	}
	return delim
}

func markdownConverter() Converter {
	return Converter{Format: MD, Title: "Markdown", Endings: []string{".md"}, Kept: prettyKept, Lost: onlyWritten(), Write: writer(tablewrite.WriteMarkdown)}
}

func latexConverter() Converter {
	return Converter{Format: TEX, Title: "LaTeX", Endings: []string{".tex"}, Kept: prettyKept, Lost: onlyWritten(), Write: writer(tablewrite.WriteLatex)}
}

// writer returns the Write function of a converter.
func writer(write func(context.Context, io.Writer, npy.Source, options.Write) error) func(context.Context, io.Writer, npy.Source, WriteOptions) error {
	return func(ctx context.Context, w io.Writer, src npy.Source, o WriteOptions) error {
		return write(ctx, w, src, o.inner())
	}
}

// reader returns the Read function of a converter.
func reader(read func(context.Context, arrays.Sink, io.Reader, options.Read) (options.Report, error)) func(context.Context, Sink, io.Reader, ReadOptions) (Report, error) {
	return func(ctx context.Context, to Sink, r io.Reader, o ReadOptions) (Report, error) {
		report, err := read(ctx, to, r, o.inner())
		return reported(report), exported(err)
	}
}

// ForFile returns the format for the extension of a file name, in either case: [Formats.ForFile] of [Standard].
func ForFile(name string) (Format, bool) { return Standard().ForFile(name) }

// Endings returns the extensions that [ForFile] accepts, with their dots.
func Endings() []string { return Standard().Endings() }
