//go:build !purego

#include "textflag.h"

// 32 to 1, as bytes.
DATA weights<>+0(SB)/8, $0x191a1b1c1d1e1f20
DATA weights<>+8(SB)/8, $0x1112131415161718
DATA weights<>+16(SB)/8, $0x090a0b0c0d0e0f10
DATA weights<>+24(SB)/8, $0x0102030405060708
GLOBL weights<>(SB), RODATA|NOPTR, $32

// 1, as words.
DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// func adlerAVX2(b *byte, n int, sums *[3]uint64)
TEXT ·adlerAVX2(SB), NOSPLIT, $0-24
	MOVQ    b+0(FP), SI
	MOVQ    n+8(FP), CX
	MOVQ    sums+16(FP), DI
	VPXOR   Y0, Y0, Y0
	VPXOR   Y1, Y1, Y1           // sums of bytes
	VPXOR   Y2, Y2, Y2           // sums of these sums before each group
	VPXOR   Y3, Y3, Y3           // weighted sums
	VMOVDQU weights<>(SB), Y4
	VMOVDQU ones<>(SB), Y5

loop:
	VMOVDQU    (SI), Y6
	VPADDQ     Y1, Y2, Y2
	VPSADBW    Y0, Y6, Y7
	VPADDQ     Y7, Y1, Y1
	VPMADDUBSW Y4, Y6, Y7
	VPMADDWD   Y5, Y7, Y7
	VPADDD     Y7, Y3, Y3
	ADDQ       $32, SI
	SUBQ       $32, CX
	JNZ        loop

	VEXTRACTI128 $1, Y1, X6
	VPADDQ       X6, X1, X1
	VPSRLDQ      $8, X1, X6
	VPADDQ       X6, X1, X1
	VMOVQ        X1, AX
	MOVQ         AX, 0(DI)
	VEXTRACTI128 $1, Y2, X6
	VPADDQ       X6, X2, X2
	VPSRLDQ      $8, X2, X6
	VPADDQ       X6, X2, X2
	VMOVQ        X2, AX
	MOVQ         AX, 8(DI)
	VEXTRACTI128 $1, Y3, X6
	VPADDD       X6, X3, X3
	VPSHUFD      $0x4e, X3, X6
	VPADDD       X6, X3, X3
	VPSHUFD      $0xb1, X3, X6
	VPADDD       X6, X3, X3
	VMOVD        X3, AX
	MOVQ         AX, 16(DI)
	VZEROUPPER
	RET
