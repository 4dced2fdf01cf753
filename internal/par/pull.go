package par

import (
	"iter"
	"runtime/debug"
)

// Pull2 is [iter.Pull2] with a guard: seq runs on a goroutine of its own, though never at the same time as the caller.
// A panic of seq is repeated by next or stop, with the same value.
func Pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	return iter.Pull2(func(yield func(K, V) bool) {
		debug.SetPanicOnFault(true)
		seq(yield)
	})
}
