package pickle

import "strconv"

// pathEnds is the number of steps of a path that are shown from each end.
const pathEnds = 8

// path returns the place of the value that was being written, in Python's notation where it has one; {2} is the third
// key of a dict or element of a set.
func (p *pickler) path() string {
	var path []byte
	for i := range p.tasks {
		switch {
		case i < pathEnds || i >= len(p.tasks)-pathEnds:
			path = p.tasks[i].appendPath(path)
		case i == pathEnds:
			path = append(path, "…"...)
		}
	}
	return string(path)
}

// appendPath appends the step from a value to the part that was being written.
func (t *task) appendPath(dst []byte) []byte {
	last := t.at - 1
	switch v := t.value.(type) {
	case *Dict:
		return appendKeyPath(dst, v.pairs, last)
	case *objectPairs:
		return appendKeyPath(dst, v.Pairs, last)
	case *Set, *FrozenSet:
		return appendIndex(dst, '{', last, '}')
	case *Object:
		return append(dst, [...]string{stageClass: ".class", stageArgs: ".args", stageKwargs: ".kwargs", stageState: ".state", stageBuild: ""}[last]...)
	}
	return appendIndex(dst, '[', last, ']')
}

func appendIndex(dst []byte, open byte, i int, end byte) []byte {
	return append(strconv.AppendInt(append(dst, open), int64(i), 10), end)
}

// appendKeyPath appends the step to a value of a dict, by its key, or to the key itself.
func appendKeyPath(dst []byte, pairs []Pair, i int) []byte {
	if i%2 == 0 {
		return appendIndex(dst, '{', i/2, '}')
	}
	key := Printer{MaxDepth: 2, MaxBytes: 40}
	return append(key.Append(append(dst, '['), pairs[i/2].Key), ']')
}
