package opcode

import "encoding/binary"

// An Operand is the argument of an opcode: a number, or bytes that are valid until more is taken.
type Operand struct {
	N     uint64
	Data  []byte
	Lines [2]string
}

// operand takes the argument of an opcode.
func (in *window) operand(kind argument) (arg Operand, err error) {
	switch kind {
	case argUint8:
		arg.N, err = in.uint(1)
	case argUint16:
		arg.N, err = in.uint(2)
	case argInt32, argUint32:
		arg.N, err = in.uint(4)
	case argUint64, argFloat64:
		arg.N, err = in.uint(8)
	case argLine:
		arg.Data, err = in.line()
	case argLines:
		for i := range arg.Lines {
			if arg.Data, err = in.line(); err != nil {
				break
			}
			arg.Lines[i] = string(arg.Data)
		}
	case argBytes8:
		arg.Data, err = in.counted(1)
	case argBytes32:
		arg.Data, err = in.counted(4)
	case argBytes64:
		arg.Data, err = in.counted(8)
	}
	return arg, err
}

// counted takes a count of the given size, and as many bytes as it says.
func (in *window) counted(size uint64) ([]byte, error) {
	n, err := in.uint(size)
	if err != nil {
		return nil, err
	}
	return in.take(n)
}

// uint takes a little-endian integer.
func (in *window) uint(size uint64) (uint64, error) {
	b, err := in.take(size)
	if err != nil {
		return 0, err
	}
	switch size {
	case 1:
		return uint64(b[0]), nil
	case 2:
		return uint64(binary.LittleEndian.Uint16(b)), nil
	case 4:
		return uint64(binary.LittleEndian.Uint32(b)), nil
	}
	return binary.LittleEndian.Uint64(b), nil
}
