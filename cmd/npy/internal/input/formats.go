package input

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/limits"
	"github.com/npygo/npy/container"
	"github.com/npygo/npy/container/all"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/hdf5"
	"github.com/npygo/npy/matlab"
	"github.com/npygo/npy/netcdf"
	"github.com/npygo/npy/npz"
	"github.com/ulikunitz/xz/lzma"
)

// Formats returns the formats of files with several arrays that the command reads and writes, with the limits of l. d and e are for
// the arrays of archives.
func Formats(l limits.Limits, d npy.Decoder, e npz.Encoder) container.Formats {
	return formatsOf(l, d, e, true)
}

// formatsOf is Formats where total says that the limits hold for all reads of a file together, and not only for each.
func formatsOf(l limits.Limits, d npy.Decoder, e npz.Encoder, total bool) container.Formats {
	h := hdf5.Decoder{MaxEntries: int(l["MaxEntries"]), MaxRatio: int(l["MaxRatio"]), MaxChunk: l["MaxChunk"], Total: total}
	archive := l.Archive()
	archive.Array, archive.Methods = d, methods
	return all.Decoder{
		NPZ:    archive,
		HDF5:   h,
		NetCDF: netcdf.Decoder{Array: npy.Decoder{ReadOptions: d.ReadOptions}, HDF5: h},
		MATLAB: matlab.Decoder{MaxEntries: int(l["MaxEntries"]), MaxDepth: int(l["MaxDepth"]), HDF5: h},
	}.Several(all.Encoder{NPZ: e})
}

// FormatEndings returns the endings of files with several arrays. With written set, it leaves out formats that cannot be written.
func FormatEndings(written bool) []string {
	var endings []string
	for _, f := range Formats(nil, npy.Decoder{}, npz.Encoder{}) {
		if f.New != nil || !written {
			endings = append(endings, f.Endings...)
		}
	}
	return endings
}

// FormatNames lists the formats of files with several arrays other than archives, for people: HDF5, netCDF and MATLAB. word is
// before the last of them, or "" for a comma. HDF5 is the first because it is the best known; [Formats] has it as the last because the
// others are recognised by more than that they are HDF5.
func FormatNames(word string) string {
	return listFormats(word, func(f container.Format) string { return f.Name })
}

// FormatEndingNames is FormatNames with an ending of each: HDF5 (.h5), netCDF (.nc) and MATLAB (.mat).
func FormatEndingNames(word string) string {
	return listFormats(word, func(f container.Format) string { return f.Name + " (" + f.Endings[0] + ")" })
}

func listFormats(word string, text func(container.Format) string) string {
	several := Formats(nil, npy.Decoder{}, npz.Encoder{})[1:]
	last := len(several) - 1
	texts := []string{text(several[last])}
	for _, f := range several[:last] {
		texts = append(texts, text(f))
	}
	if word == "" {
		return strings.Join(texts, ", ")
	}
	return strings.Join(texts[:last], ", ") + " " + word + " " + texts[last]
}

// scaled returns the values that packed elements stand for.
func (t Target) scaled(src npy.Source) (npy.Source, error) {
	attributes, err := t.Container.Attributes(t.Member)
	if err != nil {
		return nil, err
	}
	return netcdf.Scaled(src, attributes)
}

// streamHead is the number of bytes by which a container is recognised in a stream.
const streamHead = 1024

// urlHead is the number of bytes by which a container at a URL is recognised. They arrive when it is opened.
const urlHead = 64 << 10

// formatOf returns the format of an open file if it has several arrays. It is recognised by its content or, if it is a
// regular file that begins with other data, by its name.
func (o Opener) formatOf(f *file, head []byte, path string) (container.Format, bool) {
	if o.Raw || bytes.HasPrefix(head, []byte(format.Magic)) {
		return container.Format{}, false
	}
	formats := o.formats(f)
	if f.regular == nil {
		head, f.reader = Peek(f.reader, streamHead)
		if path == "-" {
			o.Stdin.Reader = f.reader
		}
		return formats.Of(bytes.NewReader(head), math.MaxInt64)
	}
	var from io.ReaderAt = f.regular
	size := SizeOf(f.regular)
	if _, ok := from.(afar); ok { // more would take requests
		size = min(size, urlHead)
		from = io.NewSectionReader(from, 0, size)
	}
	if found, ok := formats.Of(from, size); ok {
		return found, true
	}
	return formats.ForName(path)
}

// formats are the formats of files with several arrays, with the limits for f.
func (o Opener) formats(f *file) container.Formats {
	return formatsOf(o.Limits, o.array(f), npz.Encoder{}, !o.Lasting)
}

// methods are the decompressors that package npz leaves to its caller.
var methods = map[npz.Method]npz.Decompressor{npz.LZMA: readLZMA}

// readLZMA reads LZMA as ZIP archives store it (APPNOTE 5.8.8). The five bytes of properties are the same as in the
// header of an .lzma file, where the size follows them. The dictionary is never larger than the data, whatever the
// archive asks for.
func readLZMA(r io.Reader, size int64) (io.Reader, error) {
	var head [9]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	if n := binary.LittleEndian.Uint16(head[2:]); n != 5 {
		return nil, fmt.Errorf("LZMA with %d bytes of properties, want 5", n)
	}
	properties := head[4:]
	dictionary := max(int64(binary.LittleEndian.Uint32(properties[1:])), lzma.MinDictCap)
	binary.LittleEndian.PutUint32(properties[1:], uint32(min(dictionary, max(size, lzma.MinDictCap))))
	header := binary.LittleEndian.AppendUint64(properties, uint64(size))
	return lzma.NewReader(io.MultiReader(bytes.NewReader(header), r))
}
