package main

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"strings"
)

// growingTexts are texts and images.
var growingTexts = []growing{
	{"t-rows.csv", 50000, func(n int) string { return strings.Repeat("1.5,2\n", n) }},
	{"t-texts.csv", 20000, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprint("word", i, ",", i, "\n") })
	}},
	{"t-cells.csv", 40000, func(n int) string { return strings.Repeat("1,", n) + "1\n" }},
	{"t-commas.csv", 200000, func(n int) string { return strings.Repeat(",", n) + "\n" }},
	{"t-header.csv", 40000, func(n int) string {
		return repeat(n, func(i int) string { return fmt.Sprintf("c%d,", i) }) + "x\n" + strings.Repeat("1,", n) + "1\n"
	}},
	{"t-two-rows.csv", 40000, func(n int) string { return strings.Repeat("1,", n) + "1\n" + strings.Repeat("a,", n) + "b\n" }},
	{"t-cell.csv", 200000, func(n int) string { return longText(n) + "\n" }},
	{"t-digits.csv", 50000, func(n int) string { return strings.Repeat("7", n) + "\n" }},
	{"t-fraction.csv", 50000, func(n int) string { return "0." + strings.Repeat("7", n) + "\n" }},
	{"t-exponents.csv", 20000, func(n int) string { return strings.Repeat("1e-400\n", n) }},
	{"t-quoted.csv", 50000, func(n int) string { return strings.Repeat("\"a\"\"b\",", n) + "1\n" }},
	{"t-quote.csv", 100000, func(n int) string { return "\"" + strings.Repeat("a\n", n) }},
	{"t-quotes.csv", 100000, func(n int) string { return strings.Repeat("\"\"", n) }},
	{"t-lines.csv", 100000, func(n int) string { return strings.Repeat("\n", n) }},
	{"t-ragged.csv", 300, func(n int) string { return repeat(n, func(i int) string { return strings.Repeat("1,", i) + "1\n" }) }},
	{"t-ragged-down.csv", 300, func(n int) string { return repeat(n, func(i int) string { return strings.Repeat("1,", n-i) + "1\n" }) }},
	{"t-one-long.csv", 2000, func(n int) string { return longText(10*n) + strings.Repeat("\ny", n) }},
	{"t-wide.csv", 400, func(n int) string { return strings.Repeat(strings.Repeat("1,", n)+"1\n", n) }},
	{"t-wide-text.csv", 2000, func(n int) string { return longText(n) + strings.Repeat(",y", n) + "\n" }},
	{"t-nul.csv", 100000, func(n int) string { return strings.Repeat("\x00", n) }},
	{"t-rows.tsv", 50000, func(n int) string { return strings.Repeat("1.5\t2\n", n) }},
	{"t-cells.tsv", 40000, func(n int) string { return strings.Repeat("1\t", n) + "1\n" }},
	{"t-rows.txt", 50000, func(n int) string { return strings.Repeat("1.5 2\n", n) }},
	{"t-cells.txt", 40000, func(n int) string { return strings.Repeat("1 ", n) + "1\n" }},
	{"t-comment.txt", 200000, func(n int) string { return "#" + longText(n) + "\n1\n" }},
	{"t-comments.txt", 100000, func(n int) string { return strings.Repeat("#\n", n) + "1\n" }},
	{"t-spaces.txt", 200000, func(n int) string { return strings.Repeat(" ", n) + "1\n" }},
	{"t-hash.txt", 100000, func(n int) string { return strings.Repeat("1 #\n", n) }},

	// JSON
	{"j-numbers.json", 50000, func(n int) string { return "[" + strings.Repeat("1,", n) + "1]" }},
	{"j-floats.json", 50000, func(n int) string { return "[" + strings.Repeat("1.25,", n) + "1]" }},
	{"j-strings.json", 20000, func(n int) string {
		return "[" + repeat(n, func(i int) string { return fmt.Sprintf("\"s%d\",", i) }) + "\"x\"]"
	}},
	{"j-objects.json", 10000, func(n int) string { return "[" + strings.Repeat(`{"a":1,"b":"x"},`, n) + `{"a":1,"b":"x"}]` }},
	{"j-lists.json", 20000, func(n int) string { return "[" + strings.Repeat("[1],", n) + "[1]]" }},
	{"j-empty.json", 50000, func(n int) string { return "[" + strings.Repeat("[],", n) + "[]]" }},
	{"j-keys.json", 10000, func(n int) string {
		return "{" + repeat(n, func(i int) string { return fmt.Sprintf("\"k%d\":1,", i) }) + "\"x\":1}"
	}},
	{"j-new-keys.json", 2000, func(n int) string {
		return "[" + repeat(n, func(i int) string { return fmt.Sprintf("{\"k%d\":1},", i) }) + "{\"x\":1}]"
	}},
	{"j-key.json", 200000, func(n int) string { return "{\"" + longText(n) + "\":1}" }},
	{"j-same-keys.json", 50000, func(n int) string { return "{" + strings.Repeat("\"a\":1,", n) + "\"a\":1}" }},
	{"j-string.json", 200000, func(n int) string { return "\"" + longText(n) + "\"" }},
	{"j-escapes.json", 50000, func(n int) string { return "\"" + strings.Repeat(`\u00e9`, n) + "\"" }},
	{"j-digits.json", 50000, func(n int) string { return strings.Repeat("7", n) }},
	{"j-deep.json", 100000, func(n int) string { return strings.Repeat("[", n) }},
	{"j-deep-object.json", 100000, func(n int) string { return strings.Repeat("{\"a\":", n) }},
	{"j-spaces.json", 200000, func(n int) string { return strings.Repeat(" ", n) + "1" }},
	{"j-null.json", 50000, func(n int) string { return "[" + strings.Repeat("null,", n) + "null]" }},
	{"j-one-long.json", 2000, func(n int) string { return "[\"" + longText(10*n) + "\"" + strings.Repeat(`,"y"`, n) + "]" }},
	{"j-mixed.json", 20000, func(n int) string { return "[" + strings.Repeat(`1,"a",`, n) + "1]" }},
	{"j-ragged.json", 300, func(n int) string {
		return "[" + repeat(n, func(i int) string { return "[" + strings.Repeat("1,", i) + "1]," }) + "[1]]"
	}},
	{"j-rows.ndjson", 20000, func(n int) string { return strings.Repeat("{\"a\":1,\"b\":\"x\"}\n", n) }},
	{"j-numbers.ndjson", 50000, func(n int) string { return strings.Repeat("1\n", n) }},
	{"j-new-keys.ndjson", 2000, func(n int) string { return repeat(n, func(i int) string { return fmt.Sprintf("{\"k%d\":1}\n", i) }) }},
	{"j-keys.ndjson", 10000, func(n int) string {
		return "{" + repeat(n, func(i int) string { return fmt.Sprintf("\"k%d\":1,", i) }) + "\"x\":1}\n"
	}},
	{"j-line.ndjson", 200000, func(n int) string { return "\"" + longText(n) + "\"\n" }},
	{"j-one-long.ndjson", 2000, func(n int) string { return "\"" + longText(10*n) + "\"" + strings.Repeat("\n\"y\"", n) }},
	{"j-lists.ndjson", 100000, func(n int) string { return "[" + strings.Repeat("1,", n) + "1]\n" }},
	{"j-empty.ndjson", 100000, func(n int) string { return strings.Repeat("\n", n) }},

	// images
	{"p-grey.png", 300, func(n int) string { return pngOf(n, n) }},
	{"p-row.png", 100000, func(n int) string { return pngOf(n, 1) }},
	{"p-column.png", 20000, func(n int) string { return pngOf(1, n) }},
	{"p-chunks.png", 20000, func(n int) string { return chunky(n) }},
}

func pngOf(width, height int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err)
	}
	return b.String()
}

// chunky returns an image with n empty chunks.
func chunky(n int) string {
	s := pngOf(1, 1)
	chunk := "\x00\x00\x00\x00teXt"
	sum := crc32.ChecksumIEEE([]byte("teXt"))
	chunk += string([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
	return s[:33] + strings.Repeat(chunk, n) + s[33:]
}
