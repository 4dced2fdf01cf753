package parts

import (
	"fmt"
	"hash/crc32"
	"io"
)

// Checksum returns the CRC-32 of gzip and ZIP of all bytes of r, as eight hexadecimal digits.
func Checksum(r io.Reader) (string, error) {
	sum := crc32.NewIEEE()
	if _, err := io.Copy(sum, r); err != nil {
		return "", err
	}
	return fmt.Sprintf("%08x", sum.Sum32()), nil
}

func isChecksum(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(s) == 8
}
