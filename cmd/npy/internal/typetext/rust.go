package typetext

import (
	"fmt"
	"strings"

	"github.com/npygo/npy/dtype"
)

// writeRust writes a program that reads all elements of a file.
func writeRust(w *writer) {
	w.printf("// %s\n", w.about())
	if w.DType.IsStruct() {
		for _, r := range w.records {
			w.printf("#[allow(dead_code)]\n#[derive(Clone, Copy)]\n#[repr(C, packed)]\npub struct %s {\n", r.name)
			for _, m := range r.members {
				w.printf("    pub %s: %s,%s\n", m.name, rustMember(m), rustNote(m))
			}
			w.printf("}\n\n")
			for _, m := range r.members {
				w.printf("const _: () = assert!(std::mem::offset_of!(%s, %s) == %d);\n", r.name, m.name, m.field.Offset)
			}
			w.printf("const _: () = assert!(std::mem::size_of::<%s>() == %d);\n\n", r.name, r.dtype.ItemSize())
		}
	} else {
		w.printf("pub type %s = %s;%s\n\n", w.typeName, rustElem(w.DType), rustNote(member{elem: w.DType}))
	}
	w.printf("pub const SHAPE: [u64; %d] = [%s]; // %s order\n", len(w.Shape), joined(w.Shape, ", "), w.order())
	w.printf("%s", fmt.Sprintf(rustMain, w.typeName, rustString(w.npyPath())))
}

func rustMember(m member) string {
	elem := ""
	if m.record != nil {
		elem = m.record.name
	} else {
		elem = rustElem(m.elem)
	}
	for i := len(m.shape) - 1; i >= 0; i-- {
		elem = fmt.Sprintf("[%s; %d]", elem, m.shape[i])
	}
	return elem
}

// rustTypes are the types of Rust for types of C.
var rustTypes = strings.NewReplacer("uint", "u", "int", "i", "_t", "", "float", "f32", "double", "f64", "char", "u8")

// rustElem returns the type for an element that is no struct, from its C type.
func rustElem(t dtype.Type) string {
	base, dims, _ := cType(t)
	elem := rustTypes.Replace(base)
	if k := t.Kind(); k == dtype.KindComplex && t.ItemSize() > 16 {
		return fmt.Sprintf("[[u8; %d]; 2]", t.ItemSize()/2)
	}
	if dims != "" {
		return "[" + elem + "; " + strings.Trim(dims, "[]") + "]"
	}
	return elem
}

// rustNote describes properties that the type lacks, and the byte order of numbers that begin with the most significant byte.
func rustNote(m member) string {
	var notes []string
	if m.gap {
		notes = append(notes, "padding")
	} else if m.record == nil {
		_, _, note := cType(m.elem)
		if note = strings.TrimPrefix(note, " // "); note != "" {
			notes = append(notes, strings.ReplaceAll(note, "INT64_MIN", "i64::MIN"))
		}
		if _, n := swapped(m.elem); n > 0 && m.elem.ByteOrder() == dtype.BigEndian {
			notes = append(notes, "big-endian")
		}
	}
	if !m.gap && m.field.Name != m.name {
		notes = append(notes, "field "+quoted(m.field.Name))
	}
	if len(notes) == 0 {
		return ""
	}
	return " // " + strings.Join(notes, ", ")
}

// rustString returns s as a string literal of Rust.
func rustString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r < ' ' || r > '~':
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String() + `"`
}

const rustMain = `
/// Reads the elements, which are stored in little-endian order unless a comment says otherwise.
pub fn load(path: &str) -> std::io::Result<Vec<%[1]s>> {
    let invalid = || std::io::Error::new(std::io::ErrorKind::InvalidData, "not an .npy file");
    let bytes = std::fs::read(path)?;
    if bytes.len() < 12 || !bytes.starts_with(b"\x93NUMPY") {
        return Err(invalid());
    }
    let start = match bytes[6] {
        1 => 10 + u16::from_le_bytes([bytes[8], bytes[9]]) as usize,
        _ => 12 + u32::from_le_bytes([bytes[8], bytes[9], bytes[10], bytes[11]]) as usize,
    };
    let size = std::mem::size_of::<%[1]s>().max(1);
    let data = bytes.get(start..).ok_or_else(invalid)?;
    // Every pattern of bytes is a value of the type.
    Ok(data.chunks_exact(size).map(|b| unsafe { std::ptr::read_unaligned(b.as_ptr().cast()) }).collect())
}

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or(%[2]s.to_string());
    println!("items: {}", load(&path)?.len());
    Ok(())
}
`
