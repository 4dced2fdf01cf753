//go:build !purego

#include "textflag.h"

// func features() uint32
TEXT ·features(SB), NOSPLIT, $0-4
	MOVL $1, AX
	XORL CX, CX
	CPUID
	MOVL CX, ret+0(FP)
	RET

// func widenF16C(dst *float32, src *uint16, n int) int
TEXT ·widenF16C(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

widen:
	LEAQ      16(AX), DX
	CMPQ      DX, CX
	JGT       widened
	VCVTPH2PS (SI)(AX*2), Y0
	VCVTPH2PS 16(SI)(AX*2), Y1
	VCMPPS    $3, Y1, Y0, Y2     // unordered: one of both is a NaN
	VMOVMSKPS Y2, BX
	TESTL     BX, BX
	JNZ       widened
	VMOVUPS   Y0, (DI)(AX*4)
	VMOVUPS   Y1, 32(DI)(AX*4)
	MOVQ      DX, AX
	JMP       widen

widened:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

// func narrowF16C(dst *uint16, src *float32, n int) int
TEXT ·narrowF16C(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

narrow:
	LEAQ      16(AX), DX
	CMPQ      DX, CX
	JGT       narrowed
	VMOVUPS   (SI)(AX*4), Y0
	VMOVUPS   32(SI)(AX*4), Y1
	VCMPPS    $3, Y1, Y0, Y2     // unordered: one of both is a NaN
	VMOVMSKPS Y2, BX
	TESTL     BX, BX
	JNZ       narrowed
	VCVTPS2PH $0, Y0, X0         // to nearest, ties to even
	VCVTPS2PH $0, Y1, X1
	VMOVUPS   X0, (DI)(AX*2)
	VMOVUPS   X1, 16(DI)(AX*2)
	MOVQ      DX, AX
	JMP       narrow

narrowed:
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
