package scalar

import (
	"math/big"
	"strings"
)

func pow2(n int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(n)) }

// exactDecimal writes r/s, s a power of two, without rounding.
func exactDecimal(r, s *big.Int) string {
	n := s.BitLen() - 1
	d := new(big.Int).Mul(r, new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(n)), nil))
	text := d.String() // times 10**-n
	if n >= len(text) {
		text = strings.Repeat("0", n-len(text)+1) + text
	}
	return text[:len(text)-n] + "." + text[len(text)-n:]
}
