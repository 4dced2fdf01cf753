package record

import (
	"reflect"
	"sync"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
)

// The cache holds plans for the types of recent calls. The dtypes come from files and are not trusted, so both the
// number of plans and the size of each are limited.
var cache = struct {
	sync.Mutex
	programs map[cacheKey]*program
}{programs: make(map[cacheKey]*program)}

// A policy is a Loader's settings for differences between a struct and a dtype.
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
	if p != nil && p.dtype.Equal(d) { // equal descrs are not enough: bfloat16's is void
		return p, nil
	}
	p, err := compile(t, d, o)
	if err != nil {
		return nil, err
	}
	cache.Lock()
	defer cache.Unlock()
	if len(cache.programs) >= cacheMax {
		for k := range cache.programs { // a random one: maps have no order
			delete(cache.programs, k)
			break
		}
	}
	cache.programs[key] = p
	return p, nil
}
