package npyio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/remote"
)

func init() {
	beam.RegisterType(reflect.TypeFor[piece]())
	register.DoFn3x1[context.Context, []byte, func(piece), error](&beginFn{})
	register.DoFn2x2[context.Context, piece, piece, error](&pieceFn{})
	register.DoFn3x2[context.Context, int, func(*piece) bool, string, error](&commitFn{})
	register.Function1x1(branchOf)
	register.Emitter1[piece]()
	register.Iter1[piece]()
}

// WriteFile writes a Dataset into one new .npy file, at a path or an s3, gs or az URL, whose parts workers write side
// by side. The bytes are the same as np.save writes. The result is a PCollection of one string, the path. The file
// appears as a whole at the end; what a killed job leaves beside it is removed when another job has written the file.
func WriteFile(s beam.Scope, d Dataset, path string) (beam.PCollection, error) {
	s = s.Scope("npyio.WriteFile")
	if d.Where != "" {
		return beam.PCollection{}, errors.New("npyio: one file needs the number of its rows, which a filter does not know; Write the rows into a folder first")
	}
	if exists(path) {
		return beam.PCollection{}, fmt.Errorf("npyio: %s: %w; remove it, or choose another name", remote.Redact(path), fs.ErrExist)
	}
	path, err := absolute(path)
	if err != nil {
		return beam.PCollection{}, err
	}
	pieces := beam.ParDo(s, &beginFn{d, path}, beam.Impulse(s))
	var results []beam.PCollection
	for _, some := range beam.Partition(s, branches, branchOf, pieces) {
		results = append(results, beam.ParDo(s, &pieceFn{Data: d}, beam.Reshuffle(s, some)))
	}
	all := beam.GroupByKey(s, beam.AddFixedKey(s, beam.Flatten(s, results...)))
	return beam.ParDo(s, &commitFn{d, path}, all), nil
}

// A piece is a part of an upload.
type piece struct {
	Token  string
	Number int
}

func branchOf(p piece) int { return p.Number % branches }

// absent are the options for a file that must not exist.
var absent = remote.Options{IfAbsent: true}

// header returns the header of the file that has the elements of a Dataset.
func (d Dataset) header() format.Header { return format.Header{DType: d.dtype(), Shape: d.Shape} }

// A beginFn begins the upload and emits its parts.
type beginFn struct {
	Data Dataset
	Path string
}

// ProcessElement begins an upload.
func (fn *beginFn) ProcessElement(ctx context.Context, _ []byte, emit func(piece)) error {
	up, err := remote.Begin(ctx, fn.Path, fn.Data.header(), absent)
	if err != nil {
		return err
	}
	for i := range up.Parts() {
		emit(piece{up.Token(), i})
	}
	return nil
}

// A pieceFn writes parts.
type pieceFn struct {
	Data  Dataset
	array *opened
}

// Setup opens the array.
func (fn *pieceFn) Setup() (err error) {
	fn.array, err = fn.Data.open()
	return err
}

// Teardown closes the files.
func (fn *pieceFn) Teardown() error { return fn.array.close() }

// ProcessElement writes a part and returns it.
func (fn *pieceFn) ProcessElement(ctx context.Context, p piece) (piece, error) {
	up, err := remote.Join(ctx, p.Token, absent)
	if err != nil {
		return p, err
	}
	return p, inTurn(ctx, 0, func(int64) error { return fn.write(ctx, up, p.Number) })
}

// write writes a part.
func (fn *pieceFn) write(ctx context.Context, up *remote.Upload, number int) error {
	part := up.Part(number)
	src, err := fn.array.rows(ctx, part.First, part.End)
	var rows *npy.Array
	if err == nil {
		rows, err = src.ReadAll(ctx)
	}
	if err == nil {
		rows, err = fn.array.cast(rows)
	}
	if err != nil {
		return err
	}
	row := format.Header{DType: rows.DType(), Shape: rows.Shape()[1:]}.NBytes()
	data := rows.Bytes()[part.Bytes.Start-int64(part.First)*row : part.Bytes.End-int64(part.First)*row]
	bytesRead.Inc(ctx, shareOf(fn.Data.NBytes(), up.Parts(), number))
	return up.WritePart(ctx, number, bytes.NewReader(data))
}

// A commitFn makes the parts the file.
type commitFn struct {
	Data Dataset
	Path string
}

// ProcessElement returns the path. It may be called again when it has already succeeded.
func (fn *commitFn) ProcessElement(ctx context.Context, _ int, next func(*piece) bool) (string, error) {
	var p piece
	if !next(&p) {
		return "", errors.New("npyio: no part was written")
	}
	up, err := remote.Join(ctx, p.Token, absent)
	if err != nil {
		return "", err
	}
	if err := up.Commit(ctx); err != nil && !(errors.Is(err, fs.ErrNotExist) && fn.done(ctx)) {
		return "", err
	}
	return fn.Path, fn.clean(ctx)
}

// done reports whether the file is there.
func (fn *commitFn) done(ctx context.Context) bool {
	a, err := openArray(ctx, fn.Path)
	if err != nil {
		return false
	}
	defer a.Close()
	return a.DType().Equal(fn.Data.dtype()) && slices.Equal(a.Shape(), fn.Data.Shape)
}

// clean removes other uploads of the file, which can no longer end.
func (fn *commitFn) clean(ctx context.Context) error {
	if !remote.IsURL(fn.Path) {
		entries, err := os.ReadDir(filepath.Dir(fn.Path))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), filepath.Base(fn.Path)+".upload-") {
				err = errors.Join(err, os.RemoveAll(filepath.Join(filepath.Dir(fn.Path), e.Name())))
			}
		}
		return err
	}
	for u, err := range remote.Uploads(ctx, fn.Path, remote.Options{}) {
		if errors.Is(err, errors.ErrUnsupported) { // the store removes them
			return nil
		}
		if err == nil && u.URL == fn.Path {
			err = u.Abort(ctx)
		}
		if err != nil {
			return fmt.Errorf("npyio: the file was written, but what other jobs left was not removed: %w", err)
		}
	}
	return nil
}
