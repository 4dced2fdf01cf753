package npyio

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/npygo/npy"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

func init() {
	beam.RegisterType(reflect.TypeFor[shard]())
	beam.RegisterType(reflect.TypeFor[written]())
	register.DoFn3x1[context.Context, shard, func(written), error](&writeFn{})
	register.DoFn3x2[context.Context, int, func(*written) bool, string, error](&finishFn{})
	register.Emitter1[written]()
	register.Iter1[written]()
}

// ManifestName is the name of the manifest in a folder that [Write] writes.
const ManifestName = "data" + parts.Ending

// Options configures [Write].
type Options struct {
	// Shards is the number of files. 0 means one for each 256 MiB of the files that are read.
	Shards int

	// Axes is the order of the axes of the result, as for npy.Array.Transpose. nil keeps the order.
	Axes []int

	// Axis is the axis of the result along which the files follow each other: each has all indices of the other axes, so
	// Axis 1 makes files of columns of files of rows. A negative axis counts from the end.
	Axis int

	// Shuffle puts the rows into a random order that depends on Seed alone: blocks of 1 MiB are permuted, and then the rows within
	// windows of 16 MiB. It is for rows that are read one after another, as in training, and not every order of rows can occur.
	Shuffle bool
	Seed    uint64

	// Memory is the memory for elements in each worker process, in bytes. A process that has more CPUs writes more files at a time, as
	// long as each has 32 MiB. 0 means 64 MiB for each CPU. The minimum is 32 MiB.
	Memory int64
}

const (
	shardBytes = 256 << 20
	mostShards = 100_000
)

// Write writes a Dataset as .npy files into a new folder, or below an s3, gs or az URL, with a manifest that lists them. The
// result is a PCollection of one string, the absolute path of the manifest, which [Open] and package parts open.
//
// Workers get the numbers of files and read the elements by themselves. In a folder the files appear at once with the manifest: before,
// they are in a hidden folder beside it, and what a job that was killed leaves there, the same job cleans up when it is run
// again. In a store the manifest is written last. The bytes depend on the Dataset and the options alone.
func Write(s beam.Scope, d Dataset, dir string, o Options) (beam.PCollection, error) {
	s = s.Scope("npyio.Write")
	job, err := newJob(d, dir, o)
	if err != nil {
		return beam.PCollection{}, err
	}
	var shards, results []beam.PCollection
	if job.Middle.Rows > 0 {
		shards = split(s, job)
	} else {
		shards = job.shards(s)
	}
	for _, some := range shards {
		results = append(results, beam.ParDo(s, &writeFn{job: job}, beam.Reshuffle(s, some)))
	}
	all := beam.GroupByKey(s, beam.AddFixedKey(s, beam.Flatten(s, results...)))
	return beam.ParDo(s, &finishFn{job}, all), nil
}

// A job is what a Write does.
type job struct {
	Data    Dataset
	Dir     string // without a slash at the end
	Stage   string // the folder that is written; Dir in a store
	Options Options
	Middle  grid // of the rows in middle files; no rows if there are none
}

// shards returns the shards, divided among branches.
func (j *job) shards(s beam.Scope) (all []beam.PCollection) {
	for branch := range min(branches, j.Options.Shards) {
		var some []shard
		for i := branch; i < j.Options.Shards; i += branches {
			some = append(some, shard{i})
		}
		all = append(all, beam.CreateList(s, some))
	}
	return all
}

// share returns how many bytes of the Dataset have been dealt with when one of count files is written. Of two stages each
// has half of them.
func (j *job) share(count, number int) int64 {
	all := j.Data.NBytes()
	if j.Middle.Rows > 0 {
		all /= 2
	}
	return shareOf(all, count, number)
}

// shareOf returns a part of all bytes. The parts of all numbers below count add up.
func shareOf(all int64, count, number int) int64 {
	start, end := cut(int(all), count, number)
	return int64(end - start)
}

// newJob returns the job of a Write, with all options set.
func newJob(d Dataset, dir string, o Options) (job, error) {
	ndim := len(d.Shape)
	j := job{Data: d, Dir: strings.TrimRightFunc(dir, isSeparator)}
	switch permuted := slices.Sorted(slices.Values(o.Axes)); {
	case o.Axes != nil && !slices.Equal(permuted, series(ndim)):
		return j, fmt.Errorf("npyio: axes %v, want each of 0 to %d once", o.Axes, ndim-1)
	case o.Axis < -ndim || o.Axis >= ndim:
		return j, fmt.Errorf("npyio: axis %d is out of bounds for an array of %d dimensions", o.Axis, ndim)
	case o.Shards < 0 || o.Shards > mostShards:
		return j, fmt.Errorf("npyio: %d shards, want 1 to %d", o.Shards, mostShards)
	}
	if o.Axes == nil {
		o.Axes = series(ndim)
	}
	o.Axis = (o.Axis + ndim) % ndim
	rows := o.Axes[o.Axis] == 0
	if !rows && (d.Where != "" || o.Shuffle) {
		return j, errors.New("npyio: a filter and a shuffle write files of rows; write them first, and the other axis in a second job")
	}
	if o.Shuffle && o.Axes[0] != 0 {
		return j, errors.New("npyio: a shuffle keeps the order of the axes; transpose in a second job")
	}
	if o.Shards == 0 {
		_, size := d.rowSize()
		o.Shards = max(int(min(int64(size)*int64(d.Shape[0])/shardBytes, mostShards)), 1)
	}
	j.Options = o
	j.Stage, j.Middle = j.Dir, j.middles()
	if remote.IsURL(dir) {
		if exists(j.path(ManifestName)) {
			return j, fmt.Errorf("npyio: %s has files; remove them, or choose another folder", remote.Redact(dir))
		}
		return j, nil
	}
	if entries, err := os.ReadDir(j.Dir); err == nil && len(entries) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return j, fmt.Errorf("npyio: %s has files; remove it, or choose another folder", dir)
	}
	var err error
	if j.Dir, err = absolute(j.Dir); err != nil {
		return j, err
	}
	text, err := json.Marshal(j)
	if err != nil {
		return j, err
	}
	j.Stage = j.stages() + fmt.Sprintf("%x", sha256.Sum256(text))[:12]
	return j, nil
}

// exists reports whether there is a file at a path or a URL. A server that does not tell has none: the workers ask it again.
func exists(path string) bool {
	if !remote.IsURL(path) {
		_, err := os.Stat(path)
		return err == nil
	}
	f, err := remote.Open(context.Background(), path, remote.Options{})
	if err != nil {
		return false
	}
	f.Close()
	return true
}

// series returns 0 to n-1.
func series(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// path returns the path of a file of the job.
func (j *job) path(name string) string {
	if remote.IsURL(j.Stage) {
		return j.Stage + "/" + name
	}
	return filepath.Join(j.Stage, name)
}

// A shard is a file to write. What it holds follows from its number and the job.
type shard struct{ Number int }

func (x shard) name() string { return fmt.Sprintf("part-%05d.npy", x.Number) }

// A written is a file that was written.
type written struct {
	Number, Length int // along Options.Axis
}

// A writeFn writes shards.
type writeFn struct {
	job
	array *opened
}

// Setup opens the array.
func (fn *writeFn) Setup() (err error) {
	fn.array, err = fn.Data.open()
	return err
}

// Teardown closes the files.
func (fn *writeFn) Teardown() error { return fn.array.close() }

// ProcessElement writes a shard. The file gets its name when it is complete.
func (fn *writeFn) ProcessElement(ctx context.Context, x shard, emit func(written)) error {
	write := fn.copy
	if fn.Options.Shuffle {
		write = fn.shuffle
	}
	var shape []int
	complete, err := fn.inStage(func() error {
		return inTurn(ctx, fn.Options.Memory, func(share int64) (err error) {
			shape, err = write(ctx, x, share)
			return err
		})
	})
	var length int
	switch {
	case complete:
		length, err = fn.length(ctx, x)
	case err == nil:
		length = shape[fn.Options.Axes[fn.Options.Axis]]
	}
	if err != nil {
		return err
	}
	emit(written{x.Number, length})
	bytesRead.Inc(ctx, fn.share(fn.Options.Shards, x.Number))
	return nil
}

// copy writes a range of rows, or of another axis. It returns their shape, before the axes are put in order.
func (fn *writeFn) copy(ctx context.Context, x shard, memory int64) ([]int, error) {
	array := fn.array
	if fn.Middle.Rows > 0 {
		var err error
		if array, err = fn.gathered(x).open(); err != nil {
			return nil, err
		}
		defer array.Close()
	}
	src, err := fn.source(ctx, array, x)
	if err != nil {
		return nil, err
	}
	c := npy.Copier{Axes: fn.Options.Axes, Casting: fn.Data.Casting, Memory: memory, Order: npy.COrder}
	if fn.Data.As != "" {
		c.DType = fn.Data.dtype()
	}
	path := fn.path(x.name())
	if !remote.IsURL(path) {
		return src.Shape(), c.WriteFile(ctx, path, src)
	}
	return src.Shape(), put(ctx, path, func(w io.Writer) error { return c.Write(ctx, w, src) })
}

// source returns the elements of a shard where they are: in the files of the Dataset, or in array if its shard was gathered.
func (fn *writeFn) source(ctx context.Context, array *opened, x shard) (npy.Source, error) {
	axis := fn.Options.Axes[fn.Options.Axis]
	switch {
	case array != fn.array:
		return array.Array, nil
	case axis == 0:
		start, end := cut(fn.Data.Shape[0], fn.Options.Shards, x.Number)
		return array.rows(ctx, start, end)
	}
	index, _ := fn.columns(x)
	return array.Select(index...)
}

// put writes a file of a store, which appears as a whole.
func put(ctx context.Context, url string, write func(w io.Writer) error) error {
	w, err := remote.Create(ctx, url, remote.Options{})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := write(w); err != nil {
		return err
	}
	return w.Close()
}

// A finishFn ends a job: it writes the manifest of all shards, and gives the folder its name.
type finishFn struct{ job }

// ProcessElement returns the path of the manifest. It may be called again when it has already succeeded.
func (fn *finishFn) ProcessElement(ctx context.Context, _ int, next func(*written) bool) (string, error) {
	m, err := fn.manifest(next)
	if err != nil {
		return "", err
	}
	text, err := m.Append(nil)
	if err != nil {
		return "", err
	}
	if remote.IsURL(fn.Dir) {
		return fn.path(ManifestName), put(ctx, fn.path(ManifestName), func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	final := filepath.Join(fn.Dir, ManifestName)
	if done, err := os.ReadFile(final); err == nil {
		if string(done) != string(text) {
			return "", fmt.Errorf("npyio: another job has written %s; remove it, or choose another folder", fn.Dir)
		}
		return final, fn.clean(m)
	}
	err = m.WriteFile(fn.path(ManifestName))
	if err == nil {
		err = keepOnly(fn.Stage, m)
	}
	at(moving)
	if err == nil {
		err = os.Rename(fn.Stage, fn.Dir)
	}
	if err != nil {
		return "", err
	}
	return final, fn.clean(m)
}

// manifest returns the manifest of the shards, each of which must have been written.
func (fn *finishFn) manifest(next func(*written) bool) (parts.Manifest, error) {
	lengths := map[int]int{}
	for w := (written{}); next(&w); {
		lengths[w.Number] = w.Length
	}
	o := fn.Options
	m := parts.Manifest{DType: fn.Data.dtype(), Axis: o.Axis}
	for _, axis := range o.Axes {
		m.Shape = append(m.Shape, fn.Data.Shape[axis])
	}
	m.Shape[o.Axis] = 0
	for i := range o.Shards {
		n, ok := lengths[i]
		if !ok {
			return m, fmt.Errorf("npyio: shard %d of %d was not written", i, o.Shards)
		}
		m.Parts = append(m.Parts, parts.Part{Path: shard{i}.name(), Rows: n})
		m.Shape[o.Axis] += n
	}
	return m, nil
}
