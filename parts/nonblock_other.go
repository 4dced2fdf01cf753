//go:build !unix

package parts

// nonblock has the opening of a pipe end at once; systems without pipes among their files need nothing.
const nonblock = 0
