//go:build !purego

package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"
)

// objectsOfPython writes arrays of objects and of texts, and prints the expected tree and text of each.
const objectsOfPython = `
import collections, datetime, json, sys
import numpy as np
loop = [1]
values = [
    {'name': '<b>run</b>', 'scores': [1, 2.5, None, True], 'deep': {'t': (1, (2, 3))}, 7: b'\x00a'},
    'text \u00fc\n<i>two</i>', 10**30, frozenset([5]), collections.OrderedDict([('k', [])]), collections.Counter('aab'),
    np.float32(1.5), np.arange(3), np.array([{'x': 1}, None], dtype=object), bytearray(b'xy'), 1 + 2j, list(range(130)),
    datetime.date(2024, 2, 29), len,
]
a = np.empty(len(values), dtype=object)
a[:] = values
def tree(v):
    name = 'type' if v is len else type(v).__name__
    if isinstance(v, np.generic): name = v.dtype.name
    items = []
    if isinstance(v, dict): items = [(repr(k), x) for k, x in v.items()]
    elif isinstance(v, (list, tuple)) or isinstance(v, np.ndarray) and v.dtype == object: items = [(str(i), x) for i, x in enumerate(v)]
    elif isinstance(v, (set, frozenset)): items = [('', x) for x in v]
    # NumPy 2 writes np.float32(1.5), Python 3.12 writes OrderedDict otherwise, and long lists are cut
    text = v if isinstance(v, str) else None if isinstance(v, (np.generic, list, collections.OrderedDict)) or v is len else repr(v)
    return {'type': name, 'text': text, 'more': max(0, len(items) - 100), 'items': [{'key': k, 'value': tree(x)} for k, x in items[:100]]}
np.save(sys.argv[1], a, allow_pickle=True)
texts = np.array([['a', 'b<c>'], ['\u4e2d\u6587 ' * 300 + 'z', '']])
np.save(sys.argv[2], texts)
json.dump({'trees': [tree(v) for v in values], 'texts': texts.tolist()}, sys.stdout)
`

type objectTree struct {
	Type, Text string
	More       int
	Items      []objectItem
}

type objectItem struct {
	Key   string
	Value objectTree
}

// blank takes the texts away where want has none, which Python says otherwise.
func (o *objectTree) blank(want wantTree) {
	if want.Text == nil {
		o.Text = ""
	}
	for i := range o.Items {
		if i < len(want.Items) {
			o.Items[i].Value.blank(want.Items[i].Value)
		}
	}
}

type wantTree struct {
	Type  string
	Text  *string
	More  int
	Items []struct {
		Key   string
		Value wantTree
	}
}

func (w wantTree) tree() objectTree {
	o := objectTree{Type: w.Type, More: w.More, Items: []objectItem{}}
	if w.Text != nil {
		o.Text = *w.Text
	}
	for _, item := range w.Items {
		o.Items = append(o.Items, objectItem{item.Key, item.Value.tree()})
	}
	return o
}

// Objects are trees with the names of Python, which are opened by keys; texts are shown whole.
func TestTextAndObjects(t *testing.T) {
	python := python(t)
	if python == "" {
		t.Skip("there is no Python with NumPy")
	}
	dir := t.TempDir()
	values, texts := filepath.Join(dir, "values.npy"), filepath.Join(dir, "texts.npy")
	out, err := exec.Command(python, "-c", objectsOfPython, values, texts).Output()
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Trees []wantTree
		Texts [][]string
	}
	if err := json.NewDecoder(bytes.NewReader(out)).Decode(&want); err != nil {
		t.Fatal(err)
	}
	p := open(t, serve(t, values, texts))
	for i, w := range want.Trees {
		p.show(fmt.Sprintf("f=0&e=0&view=text&at=%d", i))
		p.wait(fmt.Sprintf("document.querySelector('#stage h2')?.textContent.endsWith('[%d]')", i))
		got := eval[objectTree](p, `(() => {
			const tree = (node) => {
				const label = node.tagName === 'DETAILS' ? node.querySelector(':scope > summary') : node;
				const list = node.querySelector(':scope > ul');
				const rest = list?.querySelector(':scope > li.note')?.textContent.match(/\d+/);
				return {
					Type: label.querySelector('.type').textContent, Text: label.querySelector('.value').textContent, More: rest ? Number(rest[0]) : 0,
					Items: list ? [...list.querySelectorAll(':scope > li:not(.note)')].map((li) => ({ Key: li.querySelector('.key').textContent, Value: tree(li.lastElementChild) })) : [],
				};
			};
			return tree(document.querySelector('#stage h2').nextElementSibling);
		})()`)
		got.blank(w)
		if !reflect.DeepEqual(got, w.tree()) {
			t.Errorf("object %d: %+v\nwant %+v", i, got, w.tree())
		}
	}
	p.show("f=0&e=0&view=text&at=0")
	p.wait("document.querySelector('#stage h2')?.textContent.endsWith('[0]')")
	visible := func() int {
		return eval[int](p, "[...document.querySelectorAll('#stage .leaf, #stage summary')].filter((x) => x.checkVisibility()).length")
	}
	if n := visible(); n != 5 {
		t.Errorf("%d values are seen at first, want the dict and its 4", n)
	}
	eval[bool](p, "document.querySelectorAll('#stage summary')[1].focus() ?? true")
	p.keys("\r")
	if n := visible(); n != 9 {
		t.Errorf("%d values are seen with the list open, want 9", n)
	}
	for y, row := range want.Texts {
		for x, text := range row {
			p.show(fmt.Sprintf("f=1&e=0&view=text&at=%d,%d", y, x))
			p.wait(fmt.Sprintf("document.querySelector('#stage h2')?.textContent.endsWith('[%d, %d]')", y, x))
			if got := p.text("#stage pre"); got != text {
				t.Errorf("text %d, %d is %q, want %q", y, x, got, text)
			}
		}
	}
	if n := eval[int](p, "document.querySelectorAll('#stage b, #stage i').length"); n != 0 {
		t.Errorf("%d elements came from the file", n)
	}
}
