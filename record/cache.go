package record

import (
	"reflect"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// The cache holds plans for the types of recent calls. Files decide on the dtypes, so it is limited in number and in
// the length of what it keeps.
var cache = struct {
	sync.Mutex
	programs map[cacheKey]*program
}{programs: make(map[cacheKey]*program)}

// A policy is what a Loader says about how a struct and a dtype may differ.
type policy struct {
	strict  bool
	casting npy.Casting
}

type cacheKey struct {
	goType reflect.Type
	descr  string
	policy policy
}

const (
	cacheMax      = 64
	cacheDescrMax = 4096
)

func cached(t reflect.Type, d dtype.Type, o policy) (*program, error) {
	key := cacheKey{t, d.String(), o}
	if len(key.descr) > cacheDescrMax {
		return compile(t, d, o)
	}
	cache.Lock()
	p := cache.programs[key]
	cache.Unlock()
	if p != nil && p.dtype.Equal(d) { // a descr does not tell bfloat16 from void
		return p, nil
	}
	p, err := compile(t, d, o)
	if err != nil {
		return nil, err
	}
	cache.Lock()
	defer cache.Unlock()
	if len(cache.programs) >= cacheMax {
		for k := range cache.programs { // any one: the order of a map is random
			delete(cache.programs, k)
			break
		}
	}
	cache.programs[key] = p
	return p, nil
}
