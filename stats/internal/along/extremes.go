package along

import "github.com/npygo/npy/internal/moments"

// extremes are the smallest and the largest element of each cell. A slice that no wanted result needs is nil.
type extremes[T int64 | float64] struct{ min, max []T }

// grow makes cells whose extremes are the given ones before the first element.
func (e *extremes[T]) grow(n, most int, want Along, low, high T) {
	if want.Min {
		e.min = moments.Extend(e.min, n, most, low)
	}
	if want.Max {
		e.max = moments.Extend(e.max, n, most, high)
	}
}

// add adds the extremes of some elements to a cell.
func (e *extremes[T]) add(i int, low, high T) {
	if e.min != nil {
		e.min[i] = min(e.min[i], low)
	}
	if e.max != nil {
		e.max[i] = max(e.max[i], high)
	}
}

func (e *extremes[T]) merge(o *extremes[T]) {
	for i, x := range o.min {
		e.min[i] = min(e.min[i], x)
	}
	for i, x := range o.max {
		e.max[i] = max(e.max[i], x)
	}
}
