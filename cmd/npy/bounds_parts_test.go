package main

import (
	"fmt"
	"strings"
)

// growingParts are manifests of many parts. The part p.npy is a small array beside each input.
var growingParts = []growing{
	{"m-parts.npy.json", 2000, func(n int) string { return manifestOf(n, func(int) string { return "p.npy" }) }},
	{"m-missing.npy.json", 2000, func(n int) string { return manifestOf(n, func(i int) string { return fmt.Sprintf("q%d.npy", i) }) }},
	{"m-path.npy.json", 20000, func(n int) string { return manifestOf(1, func(int) string { return longText(n) }) }},
	{"m-deep.npy.json", 20000, func(n int) string {
		return manifestOf(1, func(int) string { return strings.Repeat("d/", n) + "p.npy" })
	}},
	{"m-shape.npy.json", 20000, func(n int) string {
		return strings.Replace(manifestOf(1, func(int) string { return "p.npy" }), "[2]", "["+strings.Repeat("1,", n)+"2]", 1)
	}},
	{"m-claim.npy.json", 2000, func(n int) string {
		return strings.ReplaceAll(manifestOf(n, func(int) string { return "p.npy" }), `"rows":2`, `"rows":1000000000`)
	}},
}

func manifestOf(n int, path func(i int) string) string {
	part := func(i int) string { return fmt.Sprintf(`{"path":%q,"rows":2},`, path(i)) }
	return fmt.Sprintf(`{"format":"npy parts","version":1,"dtype":"<f8","shape":[%d],"axis":0,"parts":[%s]}`, 2*n, strings.TrimSuffix(repeat(n, part), ","))
}
