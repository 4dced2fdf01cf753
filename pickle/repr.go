package pickle

// A Printer prints values.
type Printer struct{ MaxDepth, MaxBytes int }

func (p *Printer) Append(dst []byte, v any) []byte { return append(dst, "key"...) }
