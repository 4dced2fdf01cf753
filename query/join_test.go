package query_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/dtype"
	"github.com/npygo/npy/query"
	"github.com/npygo/npy/record"
)

// joinKeysOf reads keys.
func joinKeysOf(t testing.TB, text string) []query.JoinKey {
	t.Helper()
	keys, err := query.ParseJoinKeys(text)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// tableOf returns an array of records from JSON, in which a record is the list of its fields.
func tableOf(t testing.TB, descr, rows string) *npy.Array {
	t.Helper()
	dt := parseType(t, descr)
	decoder := json.NewDecoder(strings.NewReader("[" + rows + "]"))
	decoder.UseNumber()
	var values []any
	if err := decoder.Decode(&values); err != nil {
		t.Fatal(err)
	}
	a := must(npy.New(dt, len(values)))
	for i, v := range values {
		values[i] = named(dt, v)
	}
	if err := a.UnmarshalJSON(must(json.Marshal(values))); err != nil {
		t.Fatal(err)
	}
	return a
}

// named returns a record with the names of its fields.
func named(t dtype.Type, value any) any {
	if !t.IsStruct() {
		return value
	}
	out := map[string]any{}
	for i, f := range t.Fields() {
		out[f.Name] = named(f.DType, value.([]any)[i])
	}
	return out
}

// unnamed returns the JSON of records without the names of their fields.
func unnamed(text string) string {
	text = regexp.MustCompile(`\s|"\w+":`).ReplaceAllString(text, "")
	return strings.NewReplacer("{", "[", "}", "]", `"NaN"`, "NaN").Replace(text)
}

func TestParseJoinKeys(t *testing.T) {
	for text, want := range map[string][]query.JoinKey{
		"id":             {{Left: "id", Right: "id"}},
		"id = event , k": {{Left: "id", Right: "event"}, {Left: "k", Right: "k"}},
		"`a,b`=`=c`,`d`": {{Left: "a,b", Right: "=c"}, {Left: "d", Right: "d"}},
		"size (m, =),k":  {{Left: "size (m, =)", Right: "size (m, =)"}, {Left: "k", Right: "k"}},
		"a),it's=b":      {{Left: "a)", Right: "a)"}, {Left: "it's", Right: "b"}},
		"":               nil, "a,": nil, "=a": nil, "a=": nil, "a=b=c": nil, ",": nil, "`": {{Left: "`", Right: "`"}},
	} {
		keys, err := query.ParseJoinKeys(text)
		if (err != nil) != (want == nil) {
			t.Errorf("%q: %v, %v", text, keys, err)
		}
		for i := range want {
			if i >= len(keys) || keys[i] != want[i] {
				t.Errorf("%q: %v, want %v", text, keys, want)
			}
		}
	}
}

// A join that does not fit in memory has the same rows as one that does, for every number of rows in a part.
func TestJoinLargerThanMemory(t *testing.T) {
	const n = 60_000
	row, err := dtype.Packed(dtype.Field{Name: "k", DType: dtype.Int32}, dtype.Field{Name: "text", DType: dtype.Bytes(300)})
	if err != nil {
		t.Fatal(err)
	}
	make := func(mul, mod int) *npy.Array {
		data := bytes.Repeat([]byte{'-'}, n*row.ItemSize())
		for i := range n {
			k := i * mul % mod
			copy(data[i*row.ItemSize():], []byte{byte(k), byte(k >> 8), byte(k >> 16), 0, byte(i), byte(i >> 8)})
		}
		return must(npy.FromBytes(row.WithByteOrder(dtype.LittleEndian), data, n))
	}
	left, right := make(7919, 50_021), make(104_729, 65_003)
	for _, how := range []string{"inner", "left", "anti", "asof"} {
		j := query.Join{How: how, On: joinKeysOf(t, "k"), Memory: 1 << 30}
		whole := must(j.Open(t.Context(), left, right))
		want := must(whole.ReadAll(t.Context()))
		j.Memory, j.Temp = 1, filepath.Join(t.TempDir(), "out.npy")
		small := must(j.Open(t.Context(), left, right))
		got := must(small.ReadAll(t.Context()))
		if !bytes.Equal(got.Bytes(), want.Bytes()) || want.Len() < 100 {
			t.Errorf("%s: %d and %d rows differ", how, got.Len(), want.Len())
		}
		low := want.Len() / 3
		if part := must(must(small.Select(npy.Span(low, low+100))).ReadAll(t.Context())); !bytes.Equal(part.Bytes(), must(want.Slice(npy.Span(low, low+100))).Bytes()) {
			t.Errorf("%s: a part differs", how)
		}
		if err := errors.Join(whole.Close(), small.Close(), small.Close()); err != nil {
			t.Error(err)
		}
		if _, err := small.ReadAll(t.Context()); err == nil {
			t.Errorf("%s: a closed join was read", how)
		}
		if files, _ := os.ReadDir(filepath.Dir(j.Temp)); len(files) > 0 {
			t.Errorf("%s: %v is left", how, files)
		}
	}
}

// Pairs of many equal keys are counted and not made, and a part of them is read alone.
func TestJoinPairs(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("the pairs are more than an int")
	}
	n := 1_000_000
	ones := arrayOf(t, make([]int8, n))
	j := must(query.Join{On: joinKeysOf(t, "x")}.Open(t.Context(), ones, ones))
	defer j.Close()
	if got := j.Shape()[0]; got != n*n {
		t.Fatalf("%d rows", got)
	}
	part := must(must(j.Select(npy.Span(n*n-5, n*n))).ReadAll(t.Context()))
	if part.Len() != 5 {
		t.Errorf("a part of %d rows", part.Len())
	}
	rows := 0
	for block, err := range j.Blocks(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if rows += block.Len(); block.NBytes() > 4<<20 || rows > 20_000_000 {
			break
		}
	}
	if rows < 20_000_000 {
		t.Errorf("a block has more than 4 MiB after %d rows", rows)
	}
}

func TestJoin(t *testing.T) {
	left := tableOf(t, "[('id', 'i4'), ('v', '?')]", "[1, true], [2, false], [-3, true]")
	for _, test := range []struct {
		join  query.Join
		right *npy.Array
		want  string
	}{
		{query.Join{On: joinKeysOf(t, "id")}, tableOf(t, "[('id', 'u8'), ('v', 'i2')]", "[2, 5], [1, 6], [2, 7]"), `[[1,true,6],[2,false,5],[2,false,7]]`},
		{query.Join{On: joinKeysOf(t, "id"), How: "left"}, tableOf(t, "[('id', 'f4'), ('w', '?'), ('n', [('a', 'i1', 2), ('b', 'M8[s]'), ('c', 'U1')])]", "[2, true, [[3, 4], \"2024-01-01\", \"x\"]]"),
			`[[1,true,NaN,[[NaN,NaN],"NaT",""]],[2,false,1.0,[[3.0,4.0],"2024-01-01T00:00:00","x"]],[-3,true,NaN,[[NaN,NaN],"NaT",""]]]`},
		{query.Join{On: joinKeysOf(t, "id"), How: "left", Fill: "1"}, tableOf(t, "[('id', 'i8'), ('w', '?'), ('n', [('a', 'i1', 2), ('b', 'f4')])]", "[2, false, [[3, 4], 5]]"),
			`[[1,true,true,[[1,1],1.0]],[2,false,false,[[3,4],5.0]],[-3,true,true,[[1,1],1.0]]]`},
		{query.Join{On: joinKeysOf(t, "id"), How: "asof", Direction: "nearest", Tolerance: "3"}, tableOf(t, "[('id', 'i8')]", "[3], [-1], [0]"), `[[1,true,0.0],[2,false,3.0],[-3,true,-1.0]]`},
		{query.Join{On: joinKeysOf(t, "v=id"), How: "semi"}, tableOf(t, "[('id', '?')]", "[true]"), `[[1,true],[-3,true]]`},
		{query.Join{On: joinKeysOf(t, "id=x")}, arrayOf(t, []uint8{2, 1, 1}), `[[1,true],[1,true],[2,false]]`},
		{query.Join{On: joinKeysOf(t, "id=-1")}, arrayOf(t, []int64{7, 1, 8, 2}, 2, 2), `[[1,true,[7,1]],[2,false,[8,2]]]`},
		{query.Join{On: joinKeysOf(t, "id,v")}, must(left.Slice(npy.SpanTo(0))), `[]`},
	} {
		j, err := test.join.Open(t.Context(), left, test.right)
		if err != nil {
			t.Errorf("%+v: %v", test.join, err)
			continue
		}
		if text := unnamed(string(must(must(j.ReadAll(t.Context())).MarshalJSON()))); text != test.want {
			t.Errorf("%+v: %s, want %s", test.join, text, test.want)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestJoinErrors(t *testing.T) {
	left := tableOf(t, "[('id', 'i8'), ('big', 'u8'), ('s', 'U3'), ('t', 'M8[s]'), ('d', 'm8[M]'), ('v', 'V3')]",
		`[9007199254740993, 18446744073709551615, "a", "2024-01-01", 5, "000000"]`)
	for _, test := range []struct {
		join  query.Join
		right *npy.Array
		want  string
	}{
		{query.Join{}, left, "query: a join needs a key"},
		{query.Join{On: joinKeysOf(t, "id"), How: "outer"}, left, `no join "outer"`},
		{query.Join{On: joinKeysOf(t, "id"), Direction: "forward"}, left, "a direction is for asof joins"},
		{query.Join{On: joinKeysOf(t, "id"), How: "asof", Direction: "up"}, left, `no direction "up"`},
		{query.Join{On: joinKeysOf(t, "id,t"), How: "asof"}, left, "an asof join is on one key"},
		{query.Join{On: joinKeysOf(t, "s"), How: "asof"}, left, "an asof join needs numbers or times"},
		{query.Join{On: joinKeysOf(t, "t"), How: "asof", Tolerance: "5"}, left, `tolerance "5": keys of dtype`},
		{query.Join{On: joinKeysOf(t, "id"), How: "asof", Tolerance: "-5"}, left, `want a number of 0 or more`},
		{query.Join{On: joinKeysOf(t, "id=x")}, left, `query: right: `},
		{query.Join{On: joinKeysOf(t, "x=id")}, left, `query: left: `},
		{query.Join{On: joinKeysOf(t, "s=id")}, left, `keys "s" and "id": dtypes`},
		{query.Join{On: joinKeysOf(t, "v=s")}, left, `are not compared`},
		{query.Join{On: joinKeysOf(t, "d=x")}, tableOf(t, "[('x', 'm8[s]')]", "[1]"), `are not compared`},
		{query.Join{On: joinKeysOf(t, "id=x")}, tableOf(t, "[('x', 'f8')]", "[1]"), `query: left: element 0: "id": float64 does not hold 9007199254740993 exactly`},
		{query.Join{On: joinKeysOf(t, "big=x")}, tableOf(t, "[('x', 'i8')]", "[1]"), `"big": `},
		{query.Join{On: joinKeysOf(t, "s"), How: "left"}, left, `query: right: element 0: "id": float64 does not hold`},
		{query.Join{On: joinKeysOf(t, "s"), How: "left", Fill: "x"}, left, `field "id" of dtype`},
		{query.Join{On: joinKeysOf(t, "s"), Suffix: "x"}, tableOf(t, "[('s', 'U1'), ('id', 'i1'), ('idx', 'i1')]", `["a", 1, 2]`), `two fields of the result have the name "idx"`},
	} {
		j, err := test.join.Open(t.Context(), left, test.right)
		if err == nil {
			j.Close()
		}
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.join, err, test.want)
		}
		if check := test.join.Check(); check != nil && check.Error() != err.Error() {
			t.Errorf("%+v: Check: %v, and Open: %v", test.join, check, err)
		}
	}
	objects := must(npy.FromObjects([]any{1, 2}))
	if _, err := (query.Join{On: joinKeysOf(t, "x")}).Open(t.Context(), objects, objects); !errors.Is(err, npy.ErrObjects) {
		t.Errorf("objects: %v", err)
	}
}

// A context that has ended stops Open and the reading of the result.
func TestJoinCancelled(t *testing.T) {
	a := arrayOf(t, make([]int64, 10_000))
	ctx, cancel := context.WithCancel(t.Context())
	join := query.Join{On: joinKeysOf(t, "x"), Progress: func(done, total int64) {
		if done > total || done < 0 {
			t.Errorf("%d of %d bytes", done, total)
		}
	}}
	j := must(join.Open(ctx, a, a))
	defer j.Close()
	cancel()
	if _, err := join.Open(ctx, a, a); !errors.Is(err, context.Canceled) {
		t.Errorf("Open: %v", err)
	}
	if _, err := must(j.Select(npy.SpanTo(10))).ReadAll(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadAll: %v", err)
	}
	for _, err := range j.Blocks(ctx, 0) {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Blocks: %v", err)
		}
		break
	}
}

// The result does not depend on the order in which left is stored, and left may be a source that is read once.
func TestJoinOfSources(t *testing.T) {
	type pair struct {
		K int32   `npy:"k"`
		V float64 `npy:"v"`
	}
	pairs := make([]pair, 3000)
	for i := range pairs {
		pairs[i] = pair{int32(i * 7 % 100), float64(i)}
	}
	left := must(record.FromSlice(pairs))
	join := query.Join{On: joinKeysOf(t, "k")}
	want := must(must(join.Open(t.Context(), left, left)).ReadAll(t.Context()))
	var file bytes.Buffer
	if err := npy.Write(&file, left); err != nil {
		t.Fatal(err)
	}
	got := must(must(join.Open(t.Context(), streamOf(t, file.Bytes()), streamOf(t, file.Bytes()))).ReadAll(t.Context()))
	if !bytes.Equal(got.Bytes(), want.Bytes()) || got.Len() != 3000*30 {
		t.Errorf("%d rows of streams, want %d", got.Len(), want.Len())
	}
	reversed := must(left.Slice(must(npy.ParseIndex("[::-1]"))...))
	got = must(must(join.Open(t.Context(), reversed, left)).ReadAll(t.Context()))
	if got.Len() != want.Len() {
		t.Errorf("%d rows of a view, want %d", got.Len(), want.Len())
	}
}
