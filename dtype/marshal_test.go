package dtype_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/npygo/npy/dtype"
)

func TestMarshalType(t *testing.T) {
	texts := []string{
		"<f8", ">i4", "|b1", "|S5", "<U3", ">U3", "|V7", "<M8[25s]", "<m8", "|O", "<c32", "<f12", "<f1", "<c4",
		"bfloat16", "float8_e4m3fn", "int4", "uint2", "float4_e2m1fn", "('bfloat16', (2, 3))", "('<i4', (2, 3))",
		"[('x', '<f8'), ('', '|V4'), (('title', 'y'), '>i2', (2,)), ('z', 'bfloat16'), ('w', [('v', 'int4', (2,))])]",
		`[('a"b\\n', '|O')]`, "[]",
	}
	for _, text := range texts {
		want, err := dtype.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(struct{ T dtype.Type }{want})
		if err != nil {
			t.Errorf("json.Marshal(%s): %v", text, err)
			continue
		}
		var got struct{ T dtype.Type }
		if err := json.Unmarshal(data, &got); err != nil || !got.T.Equal(want) {
			t.Errorf("%s becomes %s and %s (%s), %v", text, data, got.T, got.T.Name(), err)
		}
	}
}

func TestMarshalTypeNone(t *testing.T) {
	data, err := json.Marshal(dtype.Type{})
	if string(data) != `""` || err != nil {
		t.Errorf("the zero Type becomes %s, %v", data, err)
	}
	back := dtype.Int8
	if err := json.Unmarshal(data, &back); err != nil || back.IsValid() {
		t.Errorf("%s becomes %s, %v", data, back, err)
	}
	for _, text := range []string{"5", `"nonsense"`, "{}", `["<f8"]`} {
		back := dtype.Int8
		if err := json.Unmarshal([]byte(text), &back); err == nil || back != dtype.Int8 {
			t.Errorf("%s becomes %s, %v, want an error", text, back, err)
		}
	}
	bfloat, err := dtype.Parse("bfloat16")
	if err != nil {
		t.Fatal(err)
	}
	record, err := dtype.Struct(-1, dtype.Field{Name: "x", DType: bfloat.WithByteOrder(dtype.BigEndian)})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := record.MarshalText(); err == nil || !strings.Contains(err.Error(), "WithByteOrder") {
		t.Errorf("big-endian bfloat16 becomes %s, %v, want an error that names WithByteOrder", text, err)
	}
}

func TestMarshalWords(t *testing.T) {
	type words struct {
		Kind  dtype.Kind
		Order dtype.ByteOrder
		Unit  dtype.Unit
		Step  dtype.Step
	}
	all := []words{{}, {Order: dtype.LittleEndian}, {Order: dtype.BigEndian}, {Order: dtype.NoByteOrder}}
	for _, k := range "biufcSUVMmO" {
		all = append(all, words{Kind: dtype.Kind(k)})
	}
	for u := dtype.Year; u <= dtype.Attosecond; u++ {
		all = append(all, words{Unit: u, Step: dtype.Step{Num: int32(u), Unit: u}}, words{Step: dtype.Step{Num: 0, Unit: u}})
	}
	for _, want := range all {
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got words
		if err := json.Unmarshal(data, &got); err != nil || got != want {
			t.Errorf("%+v becomes %s and %+v, %v", want, data, got, err)
		}
	}
	for _, bad := range []any{dtype.Kind('x'), dtype.ByteOrder('='), dtype.Unit(99), dtype.Step{Num: 1, Unit: 99}} {
		if data, err := json.Marshal(bad); err == nil {
			t.Errorf("%#v becomes %s, want an error", bad, data)
		}
	}
	for _, text := range []string{`"x"`, `"="`, `"25"`, `"s25"`, `"99999999999s"`, `"-1s"`, `"2generic"`, "1"} {
		var w words
		for name, to := range map[string]any{"Kind": &w.Kind, "ByteOrder": &w.Order, "Unit": &w.Unit, "Step": &w.Step} {
			if err := json.Unmarshal([]byte(text), to); err == nil {
				t.Errorf("%s becomes a %s, want an error", text, name)
			}
		}
	}
}
