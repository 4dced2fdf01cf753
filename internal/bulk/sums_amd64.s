//go:build !purego

#include "textflag.h"

// func sumAVX2(s *Sums, xs *float64, n int)
TEXT ·sumAVX2(SB), NOSPLIT, $0-24
	MOVQ    s+0(FP), DI
	MOVQ    xs+8(FP), SI
	MOVQ    n+16(FP), CX
	VMOVUPD (DI), Y0      // hi
	VMOVUPD 32(DI), Y1    // lo
	VMOVUPD 64(DI), Y2    // min
	VMOVUPD 96(DI), Y3    // max
	VMOVDQU 128(DI), Y4   // zeros
	VXORPD  Y9, Y9, Y9

sum:
	VMOVUPD (SI), Y5       // x
	VADDPD  Y5, Y0, Y6     // sum = hi + x
	VSUBPD  Y0, Y6, Y7     // b = sum - hi
	VSUBPD  Y7, Y6, Y8     // sum - b
	VSUBPD  Y8, Y0, Y8     // hi - (sum - b)
	VSUBPD  Y7, Y5, Y7     // x - b
	VADDPD  Y7, Y8, Y8
	VADDPD  Y8, Y1, Y1     // lo += both
	VMOVAPD Y6, Y0
	VMINPD  Y2, Y5, Y2     // x if x < min, else min
	VMAXPD  Y3, Y5, Y3     // x if x > max, else max
	VCMPPD  $0, Y9, Y5, Y7 // all bits, which is -1, where x is 0
	VPSUBQ  Y7, Y4, Y4
	ADDQ    $32, SI
	SUBQ    $4, CX
	JG      sum

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVDQU Y4, 128(DI)
	VZEROUPPER
	RET

// func deviateAVX2(d *Deviations, xs *float64, n int, mean float64)
TEXT ·deviateAVX2(SB), NOSPLIT, $0-32
	MOVQ         d+0(FP), DI
	MOVQ         xs+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSD mean+24(FP), Y2
	VMOVUPD      (DI), Y0        // sum
	VMOVUPD      32(DI), Y1      // square

deviate:
	VMOVUPD (SI), Y3
	VSUBPD  Y2, Y3, Y3 // a = x - mean
	VADDPD  Y3, Y0, Y0
	VMULPD  Y3, Y3, Y3
	VADDPD  Y3, Y1, Y1
	ADDQ    $32, SI
	SUBQ    $4, CX
	JG      deviate

	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VZEROUPPER
	RET
