package npyio

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

func init() {
	beam.RegisterType(reflect.TypeFor[middle]())
	register.DoFn3x1[context.Context, middle, func(middle), error](&splitFn{})
	register.DoFn3x0[[]byte, func(*middle) bool, func(shard)](&releaseFn{})
	register.Function1x1(branchOfShard)
	register.Emitter1[middle]()
	register.Emitter1[shard]()
	register.Iter1[middle]()
}

// Files of columns of files of rows are small pieces of every row. If each file that is written reads its own pieces,
// all read the whole array. From a server, or where there are very many, there are two stages instead. The first reads
// blocks of rows and writes each into a middle file, an archive with a member for each file to come. The second writes
// the files, each from its members. The array is then read twice, whatever the number of files.

// The numbers of files that read an array from a server, and from a disk, as fast as two stages do; and the size of a middle file. Tests
// change them.
var (
	fewFromServer = 3
	fewFromDisk   = 128
	middleBytes   = 16 << 20
)

// shortRun is the size up to which pieces of rows are read with what is between them.
const shortRun = 64 << 10

// middles returns the grid of the middle files. It is the zero grid if each file is written from the Dataset at once. Middle files are
// not written to stores.
func (j *job) middles() grid {
	d, axis := j.Data, j.Options.Axes[j.Options.Axis]
	few := fewFromDisk
	if slices.ContainsFunc(d.Parts, func(p parts.Part) bool { return remote.IsURL(p.Path) }) {
		few = fewFromServer
	}
	if axis == 0 || j.Options.Shards <= few || remote.IsURL(j.Dir) {
		return grid{}
	}
	_, row := d.rowSize()
	piece := format.Header{DType: d.stored(), Shape: d.Shape[axis:]}.NBytes() / int64(j.Options.Shards)
	if row > middleBytes || piece > shortRun {
		return grid{}
	}
	return grid{d.Shape[0], d.rowsOf(middleBytes)}
}

// A middle is a middle file.
type middle struct{ Number int }

func (x middle) name() string { return fmt.Sprintf("middle-%05d.npz", x.Number) }

// split adds the first stage, and returns the shards when it has ended, divided among branches.
func split(s beam.Scope, j job) []beam.PCollection {
	var written []beam.PCollection
	for branch := range min(branches, int(j.Middle.blocks())) {
		var some []middle
		for i := branch; i < int(j.Middle.blocks()); i += branches {
			some = append(some, middle{i})
		}
		written = append(written, beam.ParDo(s, &splitFn{job: j}, beam.Reshuffle(s, beam.CreateList(s, some))))
	}
	shards := beam.ParDo(s, &releaseFn{j.Options.Shards}, beam.Impulse(s), beam.SideInput{Input: beam.Flatten(s, written...)})
	return beam.Partition(s, branches, branchOfShard, shards)
}

func branchOfShard(x shard) int { return x.Number % branches }

// A splitFn writes middle files.
type splitFn struct {
	job
	array *opened
}

// Setup opens the array.
func (fn *splitFn) Setup() (err error) {
	fn.array, err = fn.Data.open()
	return err
}

// Teardown closes the files.
func (fn *splitFn) Teardown() error { return fn.array.close() }

// ProcessElement writes a middle file, which gets its name when it is complete.
func (fn *splitFn) ProcessElement(ctx context.Context, x middle, emit func(middle)) error {
	_, err := fn.inStage(func() error {
		return inTurn(ctx, fn.Options.Memory, func(int64) error {
			start, end := fn.Middle.at(int64(x.Number))
			src, err := fn.array.rows(ctx, start, end)
			var rows *npy.Array
			if err == nil {
				rows, err = src.ReadAll(ctx)
			}
			if err != nil {
				return err
			}
			return fn.write(x, rows)
		})
	})
	if err == nil {
		bytesRead.Inc(ctx, fn.share(int(fn.Middle.blocks()), x.Number))
		emit(x)
	}
	return err
}

// write writes the columns of some rows as members of a middle file.
func (fn *splitFn) write(x middle, rows *npy.Array) error {
	w, err := npz.Create(fn.path(x.name()))
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range fn.Options.Shards {
		index, _ := fn.columns(shard{i})
		part, err := rows.Slice(index...)
		if err == nil {
			err = w.Add(strconv.Itoa(i), part)
		}
		if err != nil {
			return err
		}
	}
	return w.Close()
}

// columns returns the index of a shard that is not of rows, and its length.
func (j *job) columns(x shard) ([]npy.Index, int) {
	axis := j.Options.Axes[j.Options.Axis]
	start, end := cut(j.Data.Shape[axis], j.Options.Shards, x.Number)
	index := make([]npy.Index, axis+1)
	index[axis] = npy.Span(start, end)
	return index, end - start
}

// gathered returns the elements of a shard in the middle files.
func (j *job) gathered(x shard) Dataset {
	d := j.Data
	d.Shape = slices.Clone(d.Shape)
	_, d.Shape[j.Options.Axes[j.Options.Axis]] = j.columns(x)
	d.Parts = nil
	for i := range j.Middle.blocks() {
		start, end := j.Middle.at(i)
		d.Parts = append(d.Parts, parts.Part{Path: j.path(middle{int(i)}.name()) + ":" + strconv.Itoa(x.Number), Rows: end - start})
	}
	return d
}

// A releaseFn emits the shards when the middle files are written.
type releaseFn struct{ Shards int }

// ProcessElement emits all shards.
func (fn *releaseFn) ProcessElement(_ []byte, _ func(*middle) bool, emit func(shard)) {
	for i := range fn.Shards {
		emit(shard{i})
	}
}
