package typetext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/npygo/npy/dtype"
)

// maxPrinted is the most values that a C program prints.
const maxPrinted = 16

// writeC writes a program that reads the elements one after the other, and prints their number and the first one.
func writeC(w *writer) {
	p := &cPrinter{}
	if w.DType.ItemSize() > 0 {
		p.value("item", w.DType, nil, w.records)
	}
	w.printf("// %s\n", w.about())
	if w.Member != "" {
		w.printf("// The program reads the member as a file: 'npy convert' writes it.\n")
	}
	w.printf("#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n\n")
	w.cTypes()
	w.printf("#define ITEMS UINT64_C(%d)\n", w.size())
	if len(w.Shape) > 0 {
		w.printf("#define SHAPE {%s} // %s order\n", joined(w.Shape, ", "), w.order())
	}
	if w.DType.ItemSize() == 0 {
		w.printf("\nint main(void) {\n\tprintf(\"items: %d, each of 0 bytes\\n\");\n\treturn 0;\n}\n", w.size())
		return
	}
	w.cOrder()
	if p.text {
		w.printf("%s", cPrintText)
	}
	w.printf("%s", fmt.Sprintf(cMain, quotedC(w.npyPath()), w.typeName, w.cNative(), p.out))
}

// npyPath is the path of an .npy file.
func (w *writer) npyPath() string {
	if w.Member == "" {
		return w.Path
	}
	return w.stem() + ".npy"
}

// cTypes writes the types and asserts their layout.
func (w *writer) cTypes() {
	if !w.DType.IsStruct() {
		base, dims, note := cType(w.DType)
		if w.DType.ItemSize() > 0 {
			w.printf("typedef %s %s%s;%s\n\n_Static_assert(sizeof(%[2]s) == %[5]d, \"item size\");\n\n", base, w.typeName, dims, note, w.DType.ItemSize())
		}
		return
	}
	w.printf("#pragma pack(push, 1)\n")
	for _, r := range w.records {
		if r.dtype.ItemSize() == 0 {
			continue
		}
		w.printf("typedef struct {\n")
		for _, m := range r.members {
			w.cMember(m)
		}
		w.printf("} %s;\n\n", r.name)
	}
	w.printf("#pragma pack(pop)\n\n")
	for _, r := range w.records {
		if r.dtype.ItemSize() == 0 {
			continue
		}
		for _, m := range r.members {
			if m.field.DType.ItemSize() > 0 {
				w.printf("_Static_assert(offsetof(%s, %s) == %d, \"offset\");\n", r.name, m.name, m.field.Offset)
			}
		}
		w.printf("_Static_assert(sizeof(%s) == %d, \"item size\");\n\n", r.name, r.dtype.ItemSize())
	}
}

// cMember writes one member. C has no members of 0 bytes.
func (w *writer) cMember(m member) {
	base, dims, note := "", "", ""
	if m.record != nil {
		base = m.record.name
	} else {
		base, dims, note = cType(m.elem)
	}
	name := ""
	if m.gap {
		note = " // padding"
	} else if m.name != m.field.Name {
		name = " field " + quoted(m.field.Name)
		if note == "" {
			note = " //"
		} else {
			name = "," + name
		}
	}
	if m.field.DType.ItemSize() == 0 {
		w.printf("\t// field %s has 0 bytes\n", quoted(m.field.Name))
		return
	}
	w.printf("\t%s %s%s%s;%s%s\n", base, m.name, cDims(m.shape), dims, note, name)
}

func cDims(shape []int) string {
	var b strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&b, "[%d]", n)
	}
	return b.String()
}

// cType returns the C type for an element that is no struct, its dimensions, and a comment on properties that the type lacks.
func cType(t dtype.Type) (base, dims, note string) {
	size := t.ItemSize()
	switch k := t.Kind(); {
	case k == dtype.KindBool:
		return "uint8_t", "", " // bool"
	case k == dtype.KindInt:
		return fmt.Sprintf("int%d_t", 8*size), "", ""
	case k == dtype.KindUint:
		return fmt.Sprintf("uint%d_t", 8*size), "", ""
	case k == dtype.KindFloat && size == 4:
		return "float", "", ""
	case k == dtype.KindFloat && size == 8:
		return "double", "", ""
	case k == dtype.KindFloat && size == 2:
		return "uint16_t", "", " // bits of a float16"
	case k == dtype.KindFloat && size > 8:
		return "uint8_t", cDims([]int{size}), " // long double, " + orderName(t)
	case k == dtype.KindComplex && size == 8:
		return "float", "[2]", " // complex64: real, imaginary"
	case k == dtype.KindComplex && size == 16:
		return "double", "[2]", " // complex128: real, imaginary"
	case k == dtype.KindComplex && size == 4:
		return "uint16_t", "[2]", " // complex32: bits of two float16"
	case k == dtype.KindComplex:
		return "uint8_t", cDims([]int{2, size / 2}), " // complex of two long doubles, " + orderName(t)
	case k == dtype.KindDatetime:
		return "int64_t", "", " // datetime64[" + t.Step().String() + "], NaT is INT64_MIN"
	case k == dtype.KindTimedelta:
		return "int64_t", "", " // timedelta64[" + t.Step().String() + "], NaT is INT64_MIN"
	case k == dtype.KindStr:
		return "uint32_t", cDims([]int{t.Chars()}), " // str: code points, padded with 0"
	case k == dtype.KindBytes:
		return "char", cDims([]int{size}), " // bytes, padded with 0; the last need not be 0"
	case mlDType(t) != "" && size == 2:
		return "uint16_t", "", " // bits of a " + t.Name()
	case size == 1 && (mlDType(t) != "" || k == dtype.KindFloat):
		return "uint8_t", "", " // bits of a " + t.Name()
	}
	return "uint8_t", cDims([]int{size}), " // void"
}

func orderName(t dtype.Type) string {
	if t.ByteOrder() == dtype.BigEndian {
		return "big-endian"
	}
	return "little-endian"
}

// swapped returns the size and number of the parts of t whose bytes are in the order of the machine; 0 if it has none.
func swapped(t dtype.Type) (size, count int) {
	base, dims, _ := cType(t)
	if base == "uint8_t" || base == "int8_t" || base == "char" {
		return 0, 0
	}
	size = t.ItemSize()
	switch {
	case t.Kind() == dtype.KindStr:
		return 4, t.Chars()
	case dims != "":
		return size / 2, 2
	}
	return size, 1
}

// A swap is a part of an element with a byte order.
type swap struct {
	big  bool
	code string
}

// swaps returns the code that reverses the bytes of a field at p + offset.
func swaps(offset int, elem dtype.Type, shape []int, inner *record) []swap {
	n := 1
	for _, d := range shape {
		n *= d
	}
	if n == 0 || elem.ItemSize() == 0 {
		return nil
	}
	if inner != nil {
		if len(inner.swaps()) == 0 {
			return nil
		}
		return []swap{{code: fmt.Sprintf("for (size_t i = 0; i < %d; i++) {\n\t\t%s_native(p + %d + i * %d);\n\t}", n, inner.name, offset, elem.ItemSize())}}
	}
	size, count := swapped(elem)
	if count == 0 {
		return nil
	}
	return []swap{{elem.ByteOrder() == dtype.BigEndian, fmt.Sprintf("swap(p + %d, %d, %d);", offset, size, n*count)}}
}

func (r *record) swaps() (all []swap) {
	for _, m := range r.members {
		if !m.gap {
			all = append(all, swaps(m.field.Offset, m.elem, m.shape, m.record)...)
		}
	}
	return all
}

// cNative returns the call that gives the item the byte order of the machine, "" if it has none.
func (w *writer) cNative() string {
	if len(w.allSwaps()) == 0 {
		return ""
	}
	return "\t\t" + w.typeName + "_native((unsigned char *)&item);\n"
}

func (w *writer) allSwaps() []swap {
	if w.DType.IsStruct() {
		return w.records[len(w.records)-1].swaps()
	}
	return swaps(0, w.DType, nil, nil)
}

// cOrder writes the functions that turn elements into the byte order of the machine.
func (w *writer) cOrder() {
	if len(w.allSwaps()) == 0 {
		return
	}
	w.printf("%s", cSwap)
	if !w.DType.IsStruct() {
		w.cOrderOf(w.typeName, w.allSwaps())
	}
	for _, r := range w.records {
		if s := r.swaps(); len(s) > 0 && r.dtype.ItemSize() > 0 {
			w.cOrderOf(r.name, s)
		}
	}
}

func (w *writer) cOrderOf(name string, all []swap) {
	w.printf("\n// %s_native gives the numbers of an element the byte order of this machine.\nstatic void %[1]s_native(unsigned char *p) {\n", name)
	for _, s := range all {
		if strings.HasPrefix(s.code, "for") {
			w.printf("\t%s\n", s.code)
		}
	}
	for _, big := range []bool{false, true} {
		is := func(s swap) bool { return s.big == big && strings.HasPrefix(s.code, "swap") }
		if !slices.ContainsFunc(all, is) {
			continue
		}
		not := ""
		if !big {
			not = "!"
		}
		w.printf("\tif (%slittle_endian()) {\n", not)
		for _, s := range all {
			if is(s) {
				w.printf("\t\t%s\n", s.code)
			}
		}
		w.printf("\t}\n")
	}
	w.printf("}\n")
}

// A cPrinter writes the code that prints the values of an element, of arrays the first.
type cPrinter struct {
	out  string
	n    int
	text bool // the code calls print_text
}

func (p *cPrinter) printf(format string, args ...any) { p.out += fmt.Sprintf(format, args...) }

// value prints the item that a C expression stands for, after the expression.
func (p *cPrinter) value(expr string, t dtype.Type, shape []int, records []*record) {
	if p.n >= maxPrinted || slices.Contains(shape, 0) || t.ItemSize() == 0 {
		return
	}
	expr += strings.Repeat("[0]", len(shape))
	if t.IsStruct() {
		for _, m := range records[len(records)-1].members {
			if !m.gap {
				p.value(expr+"."+m.name, m.elem, m.shape, []*record{m.record})
			}
		}
		return
	}
	label := quotedC(expr)
	base, dims, _ := cType(t)
	p.n++
	switch {
	case t.Kind() == dtype.KindStr || t.Kind() == dtype.KindBytes:
		width := t.ItemSize() / t.Chars()
		p.text = true
		p.printf("\t\tprint_text(%s, (const unsigned char *)&%s, %d, %d);\n", label, expr, t.Chars(), width)
	case base == "uint8_t" && dims != "":
		p.n-- // no number
	case dims != "" && (base == "float" || base == "double"):
		p.printf("\t\tprintf(\"%%s = %%.17g %%.17g\\n\", %s, (double)%s[0], (double)%[2]s[1]);\n", label, expr)
	case dims != "":
		p.printf("\t\tprintf(\"%%s = 0x%%04x 0x%%04x\\n\", %s, (unsigned)%s[0], (unsigned)%[2]s[1]);\n", label, expr)
	case base == "float" || base == "double":
		p.printf("\t\tprintf(\"%%s = %%.17g\\n\", %s, (double)%s);\n", label, expr)
	case base == "uint64_t" || base == "uint32_t" || base == "uint16_t" || base == "uint8_t":
		p.printf("\t\tprintf(\"%%s = %%llu\\n\", %s, (unsigned long long)%s);\n", label, expr)
	default:
		p.printf("\t\tprintf(\"%%s = %%lld\\n\", %s, (long long)%s);\n", label, expr)
	}
}

// quotedC returns s as a string of C, in ASCII. Octal escapes end after three digits.
func quotedC(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?': // ??/ is a trigraph
			b.WriteString("\\" + string(c))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

const cSwap = `
static int little_endian(void) {
	const uint16_t one = 1;
	return *(const unsigned char *)&one;
}

// swap reverses the bytes of count numbers of size bytes.
static void swap(unsigned char *p, size_t size, size_t count) {
	for (; count > 0; count--, p += size) {
		for (size_t i = 0; i < size / 2; i++) {
			unsigned char c = p[i];
			p[i] = p[size - 1 - i];
			p[size - 1 - i] = c;
		}
	}
}
`

const cPrintText = `
// print_text prints n characters of width bytes, those outside of ASCII as their numbers.
static void print_text(const char *name, const unsigned char *p, size_t n, size_t width) {
	printf("%s = \"", name);
	for (size_t i = 0; i < n; i++) {
		uint32_t c = p[i];
		if (width == 4) {
			memcpy(&c, p + 4 * i, 4);
		}
		if (c == 0) {
			break;
		}
		printf(c >= ' ' && c <= '~' ? "%c" : "\\u{%x}", c);
	}
	printf("\"\n");
}
`

const cMain = `
int main(int argc, char **argv) {
	const char *path = argc > 1 ? argv[1] : %s;
	FILE *f = fopen(path, "rb");
	if (f == NULL) {
		perror(path);
		return 1;
	}
	unsigned char head[12] = {0};
	if (fread(head, 1, 10, f) != 10 || memcmp(head, "\x93NUMPY", 6) != 0) {
		fprintf(stderr, "%%s: not an .npy file\n", path);
		return 1;
	}
	uint32_t length = head[8] | (uint32_t)head[9] << 8;
	if (head[6] > 1) { // versions 2.0 and 3.0
		if (fread(head + 10, 1, 2, f) != 2) {
			fprintf(stderr, "%%s: the header is cut\n", path);
			return 1;
		}
		length |= (uint32_t)head[10] << 16 | (uint32_t)head[11] << 24;
	}
	for (; length > 0 && getc(f) != EOF; length--) {
	}
	%s item;
	uint64_t n = 0;
	while (n != ITEMS && fread(&item, sizeof item, 1, f) == 1) {
%s		if (n++ > 0) {
			continue;
		}
%s	}
	fclose(f);
	printf("items: %%llu\n", (unsigned long long)n);
	return n == ITEMS ? 0 : 1;
}
`
