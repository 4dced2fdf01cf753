package dtype_test

import (
	"slices"
	"strings"
)

// spellings are texts for numpy.dtype, valid and invalid. NumPy's results are in testdata/spellings.json.
var spellings = []struct {
	name  string
	why   string
	texts []string
}{
	{name: "sizes", why: "a kind and a size; most sizes do not exist", texts: words(`
		b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 f16 c8 c16 c32 b2 b4 b8 i3 i5 i16 u3 u16 f1 f3 f10 f12 f32 c2 c4 c24 c64
		i0 u0 f0 c0 b0 O0 M0 m0 M4 m4 M16 g2 e2 d8 q4 q8 l8 p8 l4 P8 h2 B1 g16 F8 d3 ?1 ?4 B4 n8 x4 z1 k8 Z9`)},
	{name: "order", why: "an order character in front; | is native, and dropped where there is no order", texts: words(`
		<i4 >i4 =i4 |i4 <i1 >i1 =i1 |i1 >u1 <b1 >b1 |b1 <f2 >f2 >f8 =f8 |f8 >c8 |c16 <f16 >f16 <c32 >c32 <S5 >S5 |S5 =S5 <U5 >U5
		|U5 =U5 <V8 >V2 |V4 <O >O |O =O <? >? |? <M8 >M8 =M8 |M8 >m8 <M8[s] >M8[s] |M8[s] =M8[s] <m8[ms] >m8[ms]
		<d >d |d =d >l <g >G <e >c <S <U <V >U |V`)},
	{name: "order alone", why: "an order needs a code, and only one order fits", texts: append(words(`
		< > = | << <> <<i4 <>i4 |<i4 ==i4 <int32 >float64 =int8 |bool <object`), "", "< i4", "<  i4")},
	{name: "pickles", why: "objects have pointers of the machine that wrote them", texts: words(`O O1 O2 O4 O8 O16 |O4 |O8 <O8 >O4`)},
	{name: "strings", why: "a size in bytes, or in code points", texts: words(`
		S0 S1 S5 S05 S99 a a0 a5 <a5 U0 U1 U5 V0 V1 V5 S+5 U+3 V+4 S2147483647 S2147483648 S4294967295 S4294967296
		S99999999999 S99999999999999999999999 U536870911 U536870912 U2147483647 V2147483647 V2147483648
		S-1 U-1 V-1 S-5 U-0 S- S+ S-+5 S5S S0x5 S5.0 S1_0 Uabc`)},
	{name: "strtol", why: "C's strtol reads the size: blanks, a sign and zeros may come first, nothing may come after", texts: append(words(`
		i08 i008 i+4 i-4 f08 f+8 b+1 b01 i4x f8f ii iii i4i4 i+ i++4 M08 m+8`),
		"i 4", "f 8", "S 5", "U\t5", "V\n5", "S\v5", "S\f5", "S\r5", "i  8", "i + 4", "i4 ", "i4\t", "i4\n", " i4", "\ti4", "\ni4", "f4 ", " f4",
		" ", "S 5 ", "S ", "S\u00a05")},
	{name: "letters", why: "dtype.char, one letter each; every other letter is no dtype", texts: strings.Split(
		"?bBhHiIlLqQpPnNefdgFDGSUVOMmcaTACEJKRWXYZjkorstuvwxyz015_.*&#^%", "")},
	{name: "names", why: "the scalar types, their aliases, and the names of old NumPy", texts: words(`
		bool bool_ bool8 int8 int16 int32 int64 uint8 uint16 uint32 uint64 int uint int_ intp uintp int0 uint0 long ulong
		longlong ulonglong short ushort byte ubyte intc uintc float16 float32 float64 float128 float96 float float_ half
		single double longdouble longfloat complex64 complex128 complex256 complex192 complex complex_ csingle cdouble
		clongdouble clongfloat longcomplex singlecomplex cfloat str str_ str0 unicode unicode_ bytes bytes_ bytes0 string_
		void void0 object object_ object0 datetime64 timedelta64`)},
	{name: "no names", why: "close to a name, and none", texts: append(words(`
		Int32 INT32 Float64 Bool int128 uint128 int24 float8 float24 float80 complex32 complex512 string string0 unicode0
		record recarray datetime timedelta generic number integer complexfloating floating character flexible str8 int1
		int4 bfloat16 float8_e5m2 float8_e4m3fn float8_e4m3 bcomplex32 intt None True nan numpy.int32 np.int32 i4[2] é μ`),
		"int8 ", " int8", "int 8", "int32[2]")},
	{name: "datetimes", why: "any unit, any count, M8 or the long name", texts: words(`
		M m M8 m8 datetime64 timedelta64 M8[Y] M8[M] M8[W] M8[D] M8[h] M8[m] M8[s] M8[ms] M8[us] M8[ns] M8[ps] M8[fs] M8[as]
		m8[Y] m8[as] M8[generic] m8[generic] M8[2generic] M8[25s] m8[3D] M8[1s] M8[0s] M8[01s] M8[007ns] M8[2147483647s]
		M8[2147483648s] M8[99999999999s] M8[-1s] M8[+1s] M8[1_0s] datetime64[ns] timedelta64[3D] datetime64[μs] M8[μs] M8[µs]
		M8[10μs] m8[B] M8[B] M8[d] M8[S] M8[Ms] M8[ss] M8[mins] M8[MS] M8[y] M8[H] M8[10] M8[1.5s]`)},
	{name: "datetime brackets", why: "one pair, around the unit, at the end", texts: append(words(`
		M8[] m8[] M8[s M8s] M8] M8[ M8[s]] M8[[s] M8[[s]] M8[s]x M8[s]/3 M8s M[s] m[D] M8[s][s] M8(s) datetime64[] datetime64[s
		datetime64s datetime datetime64[s]]`), "M8[ s]", "M8[s ]", "M8 [s]", "M8[10 s]", "M8[s/ 10]", "M8[s/10 ]", "datetime64 [s]", "M8[s] ")},
	{name: "datetime divisors", why: "the step is cut into whole steps of the next finer units, by NumPy's table", texts: words(`
		M8[Y/1] M8[Y/12] M8[Y/2] M8[Y/52] M8[Y/13] M8[Y/365] M8[Y/73] M8[Y/5] M8[Y/7] M8[Y/11] M8[Y/24] M8[M/4] M8[M/30] M8[M/15] M8[M/720]
		M8[M/7] M8[W/7] M8[W/14] M8[W/168] M8[W/10080] M8[W/5] M8[W/11] M8[generic/1] M8[D/24] M8[D/48] M8[D/1440] M8[D/86400] M8[D/7] M8[h/60]
		M8[h/3600] M8[h/7] M8[m/60] M8[m/60000] M8[m/7] M8[s/10] M8[s/1000] M8[s/1000000] M8[s/3] M8[s/64] M8[ms/1000] M8[us/8]
		M8[ns/1000] M8[ns/1000000] M8[ps/1000] M8[ps/1000000] M8[fs/1000] M8[fs/500] M8[fs/10000] M8[fs/1000000] M8[as/2] M8[as/1000] M8[as/1]
		M8[3s/2] M8[7D/24] M8[1/2s] M8[/2] M8[s/] M8[s/x] M8[s/-1] M8[s/1.5] M8[s/2/2] M8[s/+2] M8[s/010] M8[generic/2] M8[2147483647s/1000]
		M8[2147483647Y/12] M8[s/99999999999999] m8[D/24] <m8[h/60] >M8[Y/12]`)},
	{name: "structs", why: "a comma makes fields f0, f1, … of any codes and names", texts: append(words(`
		i4,f8 i4,i4,i4 S5,M8[s],U3 M8[s],i4 <i4,>f8 >i4,f8 |i4,=f8 =i4,<f8 i4, ,i4 i4,,f8 , ,, i4,,i4 float16,int8 float64, bool,object O,O d,d c,c ?,? a,a5 T,i4 i4,x x,i4 S,U M8[25s],m8[D]
		datetime64[ns],timedelta64 i4;f8 i4.f8 <?,i4 O4,O8 f8; i4,int32x >i2,<i4 M8[2s,i4 i4],f8 i4[,f8 [i4,f8 i4[,]f8 V,V S0,i4 M8[s/10],i4`),
		"i4, f8", "i4 ,f8", "i4 , f8", "i4,\tf8", "i4,\nf8", "i4\t,\tf8", "i4,f8 ", " i4,f8", "i4,f8,", "i4,f8, ", "i4,f8,,", "  ,i4", "f8 f8", "f8 f8,i4",
		"f4, ,i4", "i4,f8\n", "f8\u00a0,i4", "i 4,f8", "S 5,i4", "i4,", "i4, ", "int32,")},
	{name: "subarrays", why: "a count or a tuple in front, with the order before or behind it", texts: append(words(`
		2i4 3S3 0i4 1i4 2S3,(2,2)>f4 (2,)i4 (2,3)i4 (2)i4 (1,)i4 (0,)i4 (2,0,3)i1 ()i4 ()i4,i4 -1i4 (-1,)i4 (2,-1)i4 (2,)(3,)i4 (2,)(3)i4
		2<i4 <2i4 >2i4 >2<i4 <2>i4 <2<i4 >2>i4 =2<i4 |2>i4 <(2,)i4 (2,)<i4 >(2,)i4,f8 >2i4,i4 i4,2O O,2i4 2,i4 2,3i4 1,i4 (2,)i4, 1i4, (1)i4 i4,1i4 i4,(1)i4 (2,),
		(2,) (2) 2 5 2, () (,) (,)i4 (2,,3)i4 (2i4 2)i4 ((2,))i4 (2,3 2i4[2] 0x2i4 2.0i4 (2.0,)i4 1_0i4 02i4 (02,)i4 2?  2?,i4
		2S 3S 3V,i4 S,3S 3O 3m8[s] 3M8[s/10] 2U 3a 2a3 2T 3d (2,)S 2V0 2S0 2f16 2x 2int32 2float64,i4 2147483647i1 2147483648i1 65536i4,i4 (65536,32768)i1
		(65536,32767)i1 99999999999999999999i4`),
		"(2, 3)i4", "( 2 , 3 ) i4", "2 i4", "  2i4", " (2,)i4", "(2,) i4", "(2,)i4 ", "3 ,i4", "2 3i4", "(2 3)i4", "2 ,3i4", "(2,)\ti4", "<i4,(2,) >f8", "2 <i4", "< 2i4", "()  i4")},
	{name: "large structs", why: "a struct has at most as many bytes as a C int counts", texts: words(`
		V2147483647,V1 V2147483646,V1 V1073741824,V1073741824 V1073741824,V1073741823 U536870911,i4 U536870911,i1`)},
}

func words(s string) []string { return strings.Fields(s) }

// allSpellings returns every text once.
func allSpellings() []string {
	var texts []string
	for _, group := range spellings {
		texts = append(texts, group.texts...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
