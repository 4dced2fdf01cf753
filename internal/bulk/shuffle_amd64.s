//go:build !purego

#include "textflag.h"

// func unshuffle8SSE2(dst, src *byte, size, n, groups int)
TEXT ·unshuffle8SSE2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ size+16(FP), DX
	MOVQ n+24(FP), R8
	MOVQ groups+32(FP), CX
	LEAQ (R8)(R8*2), R9    // 3n
	LEAQ (DX)(DX*2), R10   // 3 size

loop8:
	LEAQ       (SI)(R8*4), R11
	MOVOU      (SI), X0
	MOVOU      (SI)(R8*1), X1
	MOVOU      (SI)(R8*2), X2
	MOVOU      (SI)(R9*1), X3
	MOVOU      (R11), X4
	MOVOU      (R11)(R8*1), X5
	MOVOU      (R11)(R8*2), X6
	MOVOU      (R11)(R9*1), X7

	// Pairs of bytes: X0 and X8 have bytes 0 and 1, X2 and X9 bytes 2 and 3, and so on.
	MOVO       X0, X8
	PUNPCKLBW  X1, X0
	PUNPCKHBW  X1, X8
	MOVO       X2, X9
	PUNPCKLBW  X3, X2
	PUNPCKHBW  X3, X9
	MOVO       X4, X10
	PUNPCKLBW  X5, X4
	PUNPCKHBW  X5, X10
	MOVO       X6, X11
	PUNPCKLBW  X7, X6
	PUNPCKHBW  X7, X11

	// Halves of elements: X0, X1, X8, X3 have bytes 0 to 3, X4, X5, X10, X7 bytes 4 to 7.
	MOVO       X0, X1
	PUNPCKLWL  X2, X0
	PUNPCKHWL  X2, X1
	MOVO       X8, X3
	PUNPCKLWL  X9, X8
	PUNPCKHWL  X9, X3
	MOVO       X4, X5
	PUNPCKLWL  X6, X4
	PUNPCKHWL  X6, X5
	MOVO       X10, X7
	PUNPCKLWL  X11, X10
	PUNPCKHWL  X11, X7

	MOVO       X0, X12
	PUNPCKLLQ  X4, X0
	PUNPCKHLQ  X4, X12
	MOVLPS     X0, (DI)
	MOVHPS     X0, (DI)(DX*1)
	MOVLPS     X12, (DI)(DX*2)
	MOVHPS     X12, (DI)(R10*1)
	LEAQ       (DI)(DX*4), DI
	MOVO       X1, X12
	PUNPCKLLQ  X5, X1
	PUNPCKHLQ  X5, X12
	MOVLPS     X1, (DI)
	MOVHPS     X1, (DI)(DX*1)
	MOVLPS     X12, (DI)(DX*2)
	MOVHPS     X12, (DI)(R10*1)
	LEAQ       (DI)(DX*4), DI
	MOVO       X8, X12
	PUNPCKLLQ  X10, X8
	PUNPCKHLQ  X10, X12
	MOVLPS     X8, (DI)
	MOVHPS     X8, (DI)(DX*1)
	MOVLPS     X12, (DI)(DX*2)
	MOVHPS     X12, (DI)(R10*1)
	LEAQ       (DI)(DX*4), DI
	MOVO       X3, X12
	PUNPCKLLQ  X7, X3
	PUNPCKHLQ  X7, X12
	MOVLPS     X3, (DI)
	MOVHPS     X3, (DI)(DX*1)
	MOVLPS     X12, (DI)(DX*2)
	MOVHPS     X12, (DI)(R10*1)
	LEAQ       (DI)(DX*4), DI
	ADDQ       $16, SI
	DECQ       CX
	JNZ        loop8
	RET

// func unshuffle4SSE2(dst, src *byte, n, groups int)
TEXT ·unshuffle4SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), R8
	MOVQ groups+24(FP), CX
	LEAQ (R8)(R8*2), R9

loop4:
	MOVOU     (SI), X0
	MOVOU     (SI)(R8*1), X1
	MOVOU     (SI)(R8*2), X2
	MOVOU     (SI)(R9*1), X3
	MOVO      X0, X4
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X4
	MOVO      X2, X5
	PUNPCKLBW X3, X2
	PUNPCKHBW X3, X5
	MOVO      X0, X1
	PUNPCKLWL X2, X0
	PUNPCKHWL X2, X1
	MOVO      X4, X3
	PUNPCKLWL X5, X4
	PUNPCKHWL X5, X3
	MOVOU     X0, 0(DI)
	MOVOU     X1, 16(DI)
	MOVOU     X4, 32(DI)
	MOVOU     X3, 48(DI)
	ADDQ      $16, SI
	ADDQ      $64, DI
	DECQ      CX
	JNZ       loop4
	RET

// func unshuffle2SSE2(dst, src *byte, n, groups int)
TEXT ·unshuffle2SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), R8
	MOVQ groups+24(FP), CX

loop2:
	MOVOU     (SI), X0
	MOVOU     (SI)(R8*1), X1
	MOVO      X0, X2
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X2
	MOVOU     X0, 0(DI)
	MOVOU     X2, 16(DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	DECQ      CX
	JNZ       loop2
	RET

// Each round interleaves the first half of the registers with the second, byte by byte, which rotates the bits of the
// position of a byte. After four rounds the number of the element, four bits, is at the bottom.

// func shuffle8SSE2(dst, src *byte, size, n, groups int)
TEXT ·shuffle8SSE2(SB), NOSPLIT, $0-40
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ size+16(FP), DX
	MOVQ n+24(FP), R8
	MOVQ groups+32(FP), CX
	LEAQ (R8)(R8*2), R9  // 3n
	LEAQ (DX)(DX*2), R10 // 3 size

shuffle8:
	MOVQ      (SI), X0
	MOVHPS    (SI)(DX*1), X0
	MOVQ      (SI)(DX*2), X1
	MOVHPS    (SI)(R10*1), X1
	LEAQ      (SI)(DX*4), SI
	MOVQ      (SI), X2
	MOVHPS    (SI)(DX*1), X2
	MOVQ      (SI)(DX*2), X3
	MOVHPS    (SI)(R10*1), X3
	LEAQ      (SI)(DX*4), SI
	MOVQ      (SI), X4
	MOVHPS    (SI)(DX*1), X4
	MOVQ      (SI)(DX*2), X5
	MOVHPS    (SI)(R10*1), X5
	LEAQ      (SI)(DX*4), SI
	MOVQ      (SI), X6
	MOVHPS    (SI)(DX*1), X6
	MOVQ      (SI)(DX*2), X7
	MOVHPS    (SI)(R10*1), X7
	LEAQ      (SI)(DX*4), SI

	MOVO      X0, X8
	PUNPCKLBW X4, X0
	PUNPCKHBW X4, X8
	MOVO      X1, X9
	PUNPCKLBW X5, X1
	PUNPCKHBW X5, X9
	MOVO      X2, X10
	PUNPCKLBW X6, X2
	PUNPCKHBW X6, X10
	MOVO      X3, X11
	PUNPCKLBW X7, X3
	PUNPCKHBW X7, X11

	MOVO      X0, X12
	PUNPCKLBW X2, X0
	PUNPCKHBW X2, X12
	MOVO      X8, X13
	PUNPCKLBW X10, X8
	PUNPCKHBW X10, X13
	MOVO      X1, X14
	PUNPCKLBW X3, X1
	PUNPCKHBW X3, X14
	MOVO      X9, X15
	PUNPCKLBW X11, X9
	PUNPCKHBW X11, X15

	MOVO      X0, X4
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X4
	MOVO      X12, X5
	PUNPCKLBW X14, X12
	PUNPCKHBW X14, X5
	MOVO      X8, X6
	PUNPCKLBW X9, X8
	PUNPCKHBW X9, X6
	MOVO      X13, X7
	PUNPCKLBW X15, X13
	PUNPCKHBW X15, X7

	MOVO      X0, X2
	PUNPCKLBW X8, X0
	PUNPCKHBW X8, X2
	MOVO      X4, X10
	PUNPCKLBW X6, X4
	PUNPCKHBW X6, X10
	MOVO      X12, X3
	PUNPCKLBW X13, X12
	PUNPCKHBW X13, X3
	MOVO      X5, X11
	PUNPCKLBW X7, X5
	PUNPCKHBW X7, X11

	LEAQ      (DI)(R8*4), R11
	MOVOU     X0, (DI)
	MOVOU     X2, (DI)(R8*1)
	MOVOU     X4, (DI)(R8*2)
	MOVOU     X10, (DI)(R9*1)
	MOVOU     X12, (R11)
	MOVOU     X3, (R11)(R8*1)
	MOVOU     X5, (R11)(R8*2)
	MOVOU     X11, (R11)(R9*1)
	ADDQ      $16, DI
	DECQ      CX
	JNZ       shuffle8
	RET

// func shuffle4SSE2(dst, src *byte, n, groups int)
TEXT ·shuffle4SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), R8
	MOVQ groups+24(FP), CX
	LEAQ (R8)(R8*2), R9

shuffle4:
	MOVOU     0(SI), X0
	MOVOU     16(SI), X1
	MOVOU     32(SI), X2
	MOVOU     48(SI), X3

	MOVO      X0, X4
	PUNPCKLBW X2, X0
	PUNPCKHBW X2, X4
	MOVO      X1, X5
	PUNPCKLBW X3, X1
	PUNPCKHBW X3, X5

	MOVO      X0, X6
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X6
	MOVO      X4, X7
	PUNPCKLBW X5, X4
	PUNPCKHBW X5, X7

	MOVO      X0, X2
	PUNPCKLBW X4, X0
	PUNPCKHBW X4, X2
	MOVO      X6, X3
	PUNPCKLBW X7, X6
	PUNPCKHBW X7, X3

	MOVO      X0, X1
	PUNPCKLBW X6, X0
	PUNPCKHBW X6, X1
	MOVO      X2, X5
	PUNPCKLBW X3, X2
	PUNPCKHBW X3, X5

	MOVOU     X0, (DI)
	MOVOU     X1, (DI)(R8*1)
	MOVOU     X2, (DI)(R8*2)
	MOVOU     X5, (DI)(R9*1)
	ADDQ      $64, SI
	ADDQ      $16, DI
	DECQ      CX
	JNZ       shuffle4
	RET

// func shuffle2SSE2(dst, src *byte, n, groups int)
TEXT ·shuffle2SSE2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), R8
	MOVQ groups+24(FP), CX

shuffle2:
	MOVOU     0(SI), X0
	MOVOU     16(SI), X1

	MOVO      X0, X2
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X2

	MOVO      X0, X3
	PUNPCKLBW X2, X0
	PUNPCKHBW X2, X3

	MOVO      X0, X1
	PUNPCKLBW X3, X0
	PUNPCKHBW X3, X1

	MOVO      X0, X2
	PUNPCKLBW X1, X0
	PUNPCKHBW X1, X2

	MOVOU     X0, (DI)
	MOVOU     X2, (DI)(R8*1)
	ADDQ      $32, SI
	ADDQ      $16, DI
	DECQ      CX
	JNZ       shuffle2
	RET
