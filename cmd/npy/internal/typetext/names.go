package typetext

import (
	"fmt"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A naming makes identifiers of one language.
type naming struct {
	language  string
	typeName  func(stem string) string
	fieldName func(name string) string
	nested    func(outer, field string) string // the type of a field that is a struct
	reserved  func(name string) bool           // an identifier that means something else
	pattern   func() *regexp.Regexp            // of identifiers
}

// valid reports whether a name can be used as it is.
func (n naming) valid(name string) bool { return n.pattern().MatchString(name) && !n.reserved(name) }

var (
	ascii = pattern(`^[A-Za-z_][A-Za-z0-9_]*$`)
	word  = pattern(`^[\p{L}_][\p{L}\p{Nd}_]*$`)
)

// pattern and set make their results at first use, so that other subcommands start without them.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// set returns a function that reports whether a word is one of several.
func set(words string) func(word string) bool {
	all := sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(words) {
			m[w] = true
		}
		return m
	})
	return func(word string) bool { return all()[word] }
}

var goNames = naming{
	language: "Go", typeName: exported, fieldName: exported, pattern: word,
	nested:   func(outer, field string) string { return outer + field },
	reserved: func(name string) bool { return token.IsKeyword(name) || goTaken(name) },
}

var cNames = naming{
	language: "C", fieldName: lower, pattern: ascii,
	typeName: func(stem string) string { return strings.ToLower(lower(stem)) + "_item" },
	nested:   func(outer, field string) string { return outer + "_" + field },
	reserved: func(name string) bool {
		return cTaken(name) || cLimits().MatchString(name) || strings.HasPrefix(name, "__") || len(name) > 1 && name[0] == '_' && isUpper(name[1])
	},
}

var rustNames = naming{
	language: "Rust", typeName: rustType, fieldName: func(name string) string { return strings.ToLower(lower(name)) }, pattern: ascii,
	nested:   func(outer, field string) string { return outer + rustType(field) },
	reserved: func(name string) bool { return rustTaken(name) || name == "_" },
}

var pythonNames = naming{
	language: "Python", typeName: lower, fieldName: lower, pattern: ascii,
	nested:   func(outer, field string) string { return outer + "_" + field },
	reserved: func(name string) bool { return pythonTaken(name) },
}

// rustType is an exported identifier in ASCII.
func rustType(name string) string { return exported(lower(name)) }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// initialisms are words that Go spells in capitals.
var initialisms = set("api cpu dna gps gpu http id ip json rna sql tcp udp uid uri url utc uuid xml")

// exported returns a name as an identifier of Go that begins with a capital letter: lat_deg is LatDeg, 2x is X2x.
func exported(name string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(valid(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Nd, r) }) {
		if initialisms(strings.ToLower(part)) {
			b.WriteString(strings.ToUpper(part))
			continue
		}
		first, n := utf8.DecodeRuneInString(part)
		b.WriteRune(unicode.ToUpper(first))
		b.WriteString(part[n:])
	}
	s := b.String()
	if first, _ := utf8.DecodeRuneInString(s); !unicode.IsUpper(first) {
		return "X" + s
	}
	return s
}

// lower returns a name as an identifier of ASCII letters: every other letter is the number of its code point. A run of
// other characters is one underscore.
func lower(name string) string {
	var b strings.Builder
	gap := false
	put := func(s string) {
		if gap && b.Len() > 0 {
			b.WriteByte('_')
		}
		gap = false
		b.WriteString(s)
	}
	for _, r := range valid(name) {
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			put(string(r))
		case unicode.IsLetter(r):
			put(fmt.Sprintf("u%04x", r))
		default:
			gap = true
		}
	}
	if s := b.String(); s != "" && !unicode.IsDigit(rune(s[0])) {
		return s
	}
	return "x" + b.String()
}

func valid(name string) string { return strings.ToValidUTF8(name, " ") }

// A unique hands out identifiers that differ from each other.
type unique struct {
	reserved func(string) bool
	next     map[string]int // the number to try next for a name that has been handed out
}

// add returns name, or name with a number or an underscore if it is taken.
func (u *unique) add(name string) string {
	if u.next == nil {
		u.next = map[string]int{}
	}
	if u.reserved(name) {
		name += "_"
	}
	found := name
	for n := u.next[name]; u.next[found] > 0; n++ {
		found = fmt.Sprintf("%s_%d", name, max(n, 2))
		u.next[name] = max(n, 2) + 1
	}
	u.next[found] = max(u.next[found], 1)
	return found
}

// quoted returns text of a file in quotes, all on one line and without characters that do not print. Pairs of single
// quotes are escaped, since gofmt makes typographic quotes of them in comments.
func quoted(s string) string { return pairs.Replace(strconv.Quote(s)) }

var pairs = strings.NewReplacer("''", `\x27\x27`, "``", `\x60\x60`)

// goTaken are names that the code uses, besides keywords.
var goTaken = set("_ main init fmt log npy npz record scalar data shape err a z any bool byte float32 float64 complex64 complex128 int8 int16 int32 int64 " +
	"uint8 uint16 uint32 uint64 string len nil error")

// cTaken are the keywords of C and C++, names that the code uses, and macros of the headers that it includes.
var cTaken = set("alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const constexpr const_cast continue decltype " +
	"default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new " +
	"noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast restrict return short signed sizeof static " +
	"static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void " +
	"volatile wchar_t while xor xor_eq main swap print_text size_t uint8_t uint16_t uint32_t uint64_t int8_t int16_t int32_t int64_t " +
	"ITEMS SHAPE little_endian NULL EOF BUFSIZ FILE FILENAME_MAX FOPEN_MAX L_ctermid L_tmpnam P_tmpdir SEEK_CUR SEEK_END SEEK_SET TMP_MAX linux offsetof stderr stdin stdout unix " +
	"near far interface small errno")

var cLimits = pattern(`^[A-Z0-9_]+_(MIN|MAX|C|WIDTH)$`)

var rustTaken = set("as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return " +
	"Self self static struct super trait true type union unsafe use where while abstract become box do final gen macro override priv try typeof unsized " +
	"virtual yield main load Vec String Option Result Ok Err Some None Box Copy Clone Default Drop Sized Send Sync Fn FnMut FnOnce Iterator Item")

var pythonTaken = set("False None True and as assert async await break class continue def del elif else except finally for from global if import in is " +
	"lambda nonlocal not or pass raise return try while with yield np ml_dtypes data")
