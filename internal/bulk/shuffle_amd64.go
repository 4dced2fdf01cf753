//go:build !purego

package bulk

// shuffleCall is the most groups of 16 elements that are moved in one call, during which the goroutine cannot be
// preempted.
const shuffleCall = 1 << 12

// unshuffleQuick moves bytes p to p+width of the elements from first on, as many as it returns, which is at most count.
// The width is 8, or 2 or 4 for elements of this size. SSE2 is part of every amd64.
func unshuffleQuick(dst, src []byte, size, n, p, first, count, width int) int {
	done := 0
	for count-done >= 16 {
		groups := min((count-done)/16, shuffleCall)
		i := first + done
		// The last bytes that are read and written, by their indices, so that no bound is exceeded.
		_, _ = src[(p+width-1)*n+i+16*groups-1], dst[(i+16*groups-1)*size+p+width-1]
		from, to := &src[p*n+i], &dst[i*size+p]
		switch width {
		case 8:
			unshuffle8SSE2(to, from, size, n, groups)
		case 4:
			unshuffle4SSE2(to, from, n, groups)
		default:
			unshuffle2SSE2(to, from, n, groups)
		}
		done += 16 * groups
	}
	return done
}

// unshuffle8SSE2 makes 8 bytes of each of 16 elements, size bytes apart, of planes that are n bytes apart.
//
//go:noescape
func unshuffle8SSE2(dst, src *byte, size, n, groups int)

// unshuffle4SSE2 makes elements of 4 bytes.
//
//go:noescape
func unshuffle4SSE2(dst, src *byte, n, groups int)

// unshuffle2SSE2 makes elements of 2 bytes.
//
//go:noescape
func unshuffle2SSE2(dst, src *byte, n, groups int)

// shuffleQuick is the reverse of unshuffleQuick.
func shuffleQuick(dst, src []byte, size, n, p, first, count, width int) int {
	done := 0
	for count-done >= 16 {
		groups := min((count-done)/16, shuffleCall)
		i := first + done
		_, _ = dst[(p+width-1)*n+i+16*groups-1], src[(i+16*groups-1)*size+p+width-1] // as in unshuffleQuick
		to, from := &dst[p*n+i], &src[i*size+p]
		switch width {
		case 8:
			shuffle8SSE2(to, from, size, n, groups)
		case 4:
			shuffle4SSE2(to, from, n, groups)
		default:
			shuffle2SSE2(to, from, n, groups)
		}
		done += 16 * groups
	}
	return done
}

// shuffle8SSE2 is the reverse of unshuffle8SSE2.
//
//go:noescape
func shuffle8SSE2(dst, src *byte, size, n, groups int)

// shuffle4SSE2 is the reverse of unshuffle4SSE2.
//
//go:noescape
func shuffle4SSE2(dst, src *byte, n, groups int)

// shuffle2SSE2 is the reverse of unshuffle2SSE2.
//
//go:noescape
func shuffle2SSE2(dst, src *byte, n, groups int)
