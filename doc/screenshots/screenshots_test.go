package main

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []cell // of the first line
	}{
		{"plain text", "a\n", []cell{{style{}, 'a'}}},
		{"a colour, and its end", "\x1b[31ma\x1b[0mb", []cell{{style{fore: "#e06c75"}, 'a'}, {style{}, 'b'}}},
		{"bold and bright", "\x1b[1;92mé\x1b[22;39mb", []cell{{style{fore: "#98c379", bold: true}, 'é'}, {style{}, 'b'}}},
		{"24 bits, both", "\x1b[38;2;1;2;3;48;2;255;0;16m▀", []cell{{style{fore: "#010203", back: "#ff0010"}, '▀'}}},
		{"256 colours", "\x1b[38;5;196ma\x1b[48;5;244mb", []cell{{style{fore: "#ff0000"}, 'a'}, {style{fore: "#ff0000", back: "#808080"}, 'b'}}},
		{"empty parameters are 0", "\x1b[31m\x1b[ma", []cell{{style{}, 'a'}}},
		{"what moves the cursor is left out", "\x1b[Ka\x1b[2J", []cell{{style{}, 'a'}}},
		{"cut off", "a\x1b[3", []cell{{style{}, 'a'}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := parse(test.text); len(got) != 1 || !slices.Equal(got[0], test.want) {
				t.Errorf("parse(%q) = %v, want %v", test.text, got, test.want)
			}
		})
	}
}

func TestDraw(t *testing.T) {
	svg := string(draw(parse("a <b> & \x1b[31mred\x1b[0m\n\n\x1b[38;2;1;2;3;48;2;4;5;6m▀▀\x1b[0m\n")))
	for _, want := range []string{
		`width="116" height="79"`, // 11 by 3 characters and the margin
		`<text x="0" y="13" textLength="64">a &lt;b&gt; &amp; </text>`,
		`<text x="64" y="13" textLength="24" fill="#e06c75">red</text>`,
		`<path fill="#040506" d="M0 34h16v17h-16z"/>`,
		`<path fill="#010203" d="M0 34h16v9h-16z"/>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%s", want, svg)
		}
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
	}
}
