package audit

// judge gives the verdicts after the last opcode. All contents of a passed value were passed as well, even if they were
// added later.
func (t *tracer) judge() {
	passed, asked := t.reach(t.handed), t.reach(t.asked)
	for i := range t.report.Imports {
		if passed[i] || asked[i] {
			t.report.Imports[i].Uses |= Passed
		}
		t.report.Imports[i].Verdict = t.verdict(i, passed[i])
		t.report.Verdict = max(t.report.Verdict, t.report.Imports[i].Verdict)
	}
	if t.err != nil {
		t.report.Verdict = max(t.report.Verdict, Unknown)
	}
}

// reach returns the globals among values, by themselves or inside other values.
func (t *tracer) reach(values []any) []bool {
	far := make([]bool, len(t.report.Imports))
	seen := map[any]bool{}
	enter := func(items []any) {
		for _, v := range items {
			if !isLeaf(v) {
				values = append(values, v)
			}
		}
	}
	for len(values) > 0 {
		last := len(values) - 1
		v := values[last]
		values = values[:last]
		if isLeaf(v) || seen[v] {
			continue
		}
		seen[v] = true
		switch v := v.(type) {
		case *global:
			far[v.index] = true
		case *object:
			enter(v.parts)
		case *list:
			enter(v.items)
		case *tuple:
			enter(v.items)
		case *dict:
			enter(v.items)
		case *set:
			enter(v.items)
		case *frozenSet:
			enter(v.items)
		}
	}
	return far
}

// verdict gives the verdict on one import.
func (t *tracer) verdict(i int, passed bool) Verdict {
	m := &t.report.Imports[i]
	known := knownAs(m.Module, m.Name)
	switch {
	case m.Module == "?" || t.spoiled[i]:
		return RunsCode
	case known != nil && (known.call != nil || !passed):
		return NoCodeKnown
	case m.Uses != 0:
		return RunsCode
	}
	return ImportsOnly
}
