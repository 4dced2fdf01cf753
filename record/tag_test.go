package record_test

import (
	"testing"

	"github.com/npygo/npy/record"
)

// In quotes, two quotes stand for one.
func TestQuotesInTags(t *testing.T) {
	type odd struct {
		A int8 `npy:"'it''s, a',title='''t'''"`
		B int8 `npy:"''''"`
		C int8 `npy:"a'b'c"`
		D int8 `npy:"'plain'"`
		E int8 `npy:"'-'"`
	}
	d, err := record.DType[odd]()
	if err != nil {
		t.Fatal(err)
	}
	const want = `[(("'t'", "it's, a"), '|i1'), ("'", '|i1'), ("a'b'c", '|i1'), ('plain', '|i1'), ('-', '|i1')]`
	if d.Descr() != want {
		t.Errorf("the dtype is %s, want %s", d, want)
	}
}
