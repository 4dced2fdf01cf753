package zipfile

import "unicode/utf8"

// cp437 holds the upper half of code page 437, the original one of the PC, which encodes names that are not UTF-8.
var cp437 = []rune("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0")

// fromCP437 converts a name to UTF-8.
func fromCP437(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return string(appendCP437([]byte(s[:i]), s[i:]))
		}
	}
	return s
}

func appendCP437(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			b = append(b, s[i])
		} else {
			b = utf8.AppendRune(b, cp437[s[i]-utf8.RuneSelf])
		}
	}
	return b
}
