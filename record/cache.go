package record

import (
	"reflect"
	"sync"

	"github.com/npygo/npy/dtype"
)

// The cache holds plans for the types of recent calls. Files decide on the dtypes, so it is limited in number and in
// the length of what it keeps.
var cache = struct {
	sync.Mutex
	programs map[cacheKey]*program
}{programs: make(map[cacheKey]*program)}

type cacheKey struct {
	goType reflect.Type
	descr  string
	strict bool
}

const (
	cacheMax      = 64
	cacheDescrMax = 4096
)

func cached(t reflect.Type, d dtype.Type, strict bool) (*program, error) {
	key := cacheKey{t, d.String(), strict}
	if len(key.descr) > cacheDescrMax {
		return compile(t, d, strict)
	}
	cache.Lock()
	p := cache.programs[key]
	cache.Unlock()
	if p != nil && p.dtype.Equal(d) { // a descr does not tell bfloat16 from void
		return p, nil
	}
	p, err := compile(t, d, strict)
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
