package netcdf

import (
	"bufio"
	"io"
	"math"
	"slices"
)

// Close writes the file. The file of [Create] is moved to its path; after an error there is no new file. Close after Close or
// [Writer.Abort] is an error, which wraps [fs.ErrClosed].
func (w *Writer) Close() error { return w.file.Close(w.write) }

// write writes the header and the elements.
func (w *Writer) write() error {
	defer w.data.Close()
	w.lose(w.groups.Empty()...)
	version := w.version()
	size := int64(len(w.header(version)))
	var fixed, records []*output
	at := size
	for _, v := range w.vars {
		if v.record {
			records = append(records, v)
			continue
		}
		fixed = append(fixed, v)
		v.begin = at
		at += (v.n + 3) &^ 3
	}
	for _, v := range records {
		v.begin = at
		at += (v.n + 3) &^ 3
	}
	out := bufio.NewWriterSize(w.w, 256<<10)
	if _, err := out.Write(w.header(version)); err != nil {
		return err
	}
	buffer := make([]byte, 32<<10)
	for _, v := range fixed {
		// Without ReadFrom, which takes a buffer of its own for each variable.
		if _, err := io.CopyBuffer(struct{ io.Writer }{out}, io.NewSectionReader(&w.data, v.at, v.n), buffer); err != nil {
			return err
		}
		if _, err := out.Write(make([]byte, -v.n&3)); err != nil {
			return err
		}
	}
	if err := w.writeRecords(out, records); err != nil {
		return err
	}
	return out.Flush()
}

// writeRecords writes record variables, a row of each in every record. One alone is not padded.
func (w *Writer) writeRecords(out io.Writer, vars []*output) error {
	readers := make([]io.Reader, len(vars))
	for i, v := range vars {
		all := io.NewSectionReader(&w.data, v.at, v.n*w.records)
		readers[i] = bufio.NewReaderSize(all, max(4<<10, 4<<20/len(vars)))
	}
	for range max(w.records, 0) {
		for i, v := range vars {
			if _, err := io.CopyN(out, readers[i], v.n); err != nil {
				return err
			}
			if len(vars) == 1 {
				continue
			}
			if _, err := out.Write(make([]byte, -v.n&3)); err != nil {
				return err
			}
		}
	}
	return nil
}

// version returns 2, or 5 if types or sizes need it.
func (w *Writer) version() int {
	wide := func(all []attribute) bool {
		return slices.ContainsFunc(all, func(a attribute) bool { return a.typ >= ncUbyte })
	}
	if wide(w.attributes) || w.records >= math.MaxUint32 {
		return 5
	}
	for _, d := range w.dims {
		if d.n > math.MaxInt32-4 {
			return 5
		}
	}
	for _, v := range w.vars {
		if v.typ >= ncUbyte || v.n > math.MaxUint32-4 || wide(v.attributes) {
			return 5
		}
	}
	return 2
}

// header returns the header with the begins that are known.
func (w *Writer) header(version int) []byte {
	h := &head{b: []byte{'C', 'D', 'F', byte(version)}, wide: version == 5}
	h.count(max(w.records, 0))
	h.list(tagDimension, len(w.dims))
	for _, d := range w.dims {
		h.name(d.name)
		h.count(d.n)
	}
	h.attributes(w.attributes)
	h.list(tagVariable, len(w.vars))
	for _, v := range w.vars {
		h.name(v.name)
		h.count(int64(len(v.dims)))
		for _, d := range v.dims {
			h.count(int64(d))
		}
		h.attributes(v.attributes)
		h.uint32(v.typ)
		h.count((v.n + 3) &^ 3)
		wide := &head{wide: true}
		wide.count(v.begin)
		h.b = append(h.b, wide.b...)
	}
	return h.b
}
