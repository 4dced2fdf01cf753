package join

import (
	"context"

	"github.com/npygo/npy"
	"github.com/npygo/npy/internal/bulk"
	"github.com/npygo/npy/internal/diag"
	"github.com/npygo/npy/query/internal/order"
	"github.com/npygo/npy/query/internal/sortkey"
	"github.com/npygo/npy/source"
)

// A Key is a value of the left rows that equals, or is near, a value of the right rows. Names are as in [sortkey.Key].
type Key struct{ Left, Right string }

// A SideError is an error of one of the sources.
type SideError struct {
	Right bool
	Err   error
}

func (e *SideError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *SideError) Unwrap() error { return e.Err }

// A Join has the settings of a join. Package query documents them.
type Join struct {
	How       string
	On        []Key
	By        []Key
	Direction string
	Tolerance string
	Suffix    string
	Fill      string
	Memory    int64
	Temp      string
	Progress  func(done, total int64)
}

// The kinds of joins, and the directions of an asof join.
const (
	inner    = "inner"
	leftJoin = "left"
	semi     = "semi"
	anti     = "anti"
	asof     = "asof"

	backward = "backward"
	forward  = "forward"
	nearest  = "nearest"
)

// defaultSuffix follows the names of right fields that are names of left fields.
const defaultSuffix = "_right"

// Check returns an error if the settings contradict each other, and sets defaults.
func (j *Join) Check() error {
	if j.How == "" {
		j.How = inner
	}
	if j.Suffix == "" {
		j.Suffix = defaultSuffix
	}
	isAsof := j.How == asof
	switch j.How {
	case inner, leftJoin, semi, anti, asof:
	default:
		return diag.Errorf("query", "no join %q; want inner, left, semi, anti or asof", j.How)
	}
	switch j.Direction {
	case "":
		j.Direction = backward
	case backward, forward, nearest:
		if !isAsof {
			return diag.Errorf("query", "a direction is for asof joins, not for %s joins", j.How)
		}
	default:
		return diag.Errorf("query", "no direction %q; want backward, forward or nearest", j.Direction)
	}
	switch {
	case len(j.On) == 0:
		return diag.New("query", "a join needs a key")
	case isAsof && len(j.On) > 1:
		return diag.Errorf("query", "an asof join is on one key, and not on %d; keys that must be equal are in By", len(j.On))
	case !isAsof && (len(j.By) > 0 || j.Tolerance != ""):
		return diag.Errorf("query", "By and a tolerance are for asof joins, not for %s joins", j.How)
	}
	return nil
}

// keepsAll reports whether left rows without a match are in the result, with missing values.
func (j *Join) keepsAll() bool { return j.How == leftJoin || j.How == asof }

// hasRight reports whether the result has the fields of the right rows.
func (j *Join) hasRight() bool { return j.How != semi && j.How != anti }

// Open joins two sources. It reads right once, and left once or, if it can be read only once, into memory. The rows of left are read
// again when the result is.
func (j Join) Open(ctx context.Context, left, right npy.Source) (*Result, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	p, err := j.plan(ctx, left, right)
	if err != nil {
		return nil, err
	}
	out := p.result()
	if err := j.run(ctx, p, out); err != nil {
		_ = out.Close()
		return nil, err
	}
	return out, nil
}

// run finds the matches of all rows.
func (j *Join) run(ctx context.Context, p *plan, out *Result) (err error) {
	bytes := func(s *side) int64 { return int64(s.rows) * int64(s.size) }
	total := bytes(&p.left) + bytes(&p.right)
	for _, s := range []*side{&p.left, &p.right} {
		if err := source.CheckBytes(s.src, bytes(s)); err != nil {
			return &SideError{s == &p.right, err}
		}
	}
	m, err := newMatcher(j, p)
	if err != nil {
		return err
	}
	rows, err := p.rightRows()
	if err != nil {
		return err
	}
	if out.right, err = j.sort(ctx, rows, p.keyNames(), j.progress(0, bytes(&p.right), total)); err != nil {
		return &SideError{true, err}
	}
	if err := out.right.Settle(ctx, j.Temp); err != nil {
		return err
	}
	if rows, err = p.leftKeys(); err != nil {
		return err
	}
	left, err := j.sort(ctx, rows, p.keyNames(), j.progress(bytes(&p.right), bytes(&p.left), total))
	if err != nil {
		return &SideError{false, err}
	}
	defer left.Close()
	if err := j.match(ctx, m, left, out); err != nil {
		return err
	}
	if err := out.count(ctx, m.total); err != nil {
		return err
	}
	if j.Progress != nil {
		j.Progress(total, total)
	}
	return nil
}

// match finds the matches of all left rows, and keeps them in their order: in a third of the memory, or sorted in a file.
func (j *Join) match(ctx context.Context, m *matcher, left *order.Sorted, out *Result) (err error) {
	n := out.plan.left.rows
	if int64(n) <= order.Available(j.Memory)/3/matchSize {
		out.inMemory = bulk.MakeFill[match](n)
		return m.walk(ctx, left, out.right, func(row int, x match) error {
			out.inMemory[row] = x
			return nil
		})
	}
	if out.inFile, err = j.sort(ctx, m.source(left, out.right, n), []string{"row"}, nil); err != nil {
		return err
	}
	return out.inFile.Settle(ctx, j.Temp)
}

// sort sorts rows by some of their fields, in a third of the memory.
func (j *Join) sort(ctx context.Context, rows npy.Source, names []string, progress func(done, total int64)) (*order.Sorted, error) {
	s := order.Sort{Memory: order.Part(j.Memory, 3), Temp: j.Temp, Progress: progress}
	for _, name := range names {
		s.By = append(s.By, sortkey.Key{Field: name})
	}
	return s.Open(ctx, plainSource{rows})
}

// A plainSource hides the optional methods of a Source, so that equal rows are not counted.
type plainSource struct{ npy.Source }

// progress returns the progress of a sort of some bytes, after others. A sort counts bytes twice: read and written.
func (j *Join) progress(before, bytes, total int64) func(done, of int64) {
	if j.Progress == nil {
		return nil
	}
	return func(done, of int64) {
		part := min(2*float64(done)/float64(max(of, 1)), 1)
		j.Progress(before+int64(part*float64(bytes)), total)
	}
}
