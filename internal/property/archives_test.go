package property_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/npygo/npy"
	"github.com/npygo/npy/format"
	"github.com/npygo/npy/internal/oracle"
	p "github.com/npygo/npy/internal/property"
	"github.com/npygo/npy/npz"
)

// Archives of NumPy, zipfile and other tools are read, and NumPy reads archives written and changed here.
func TestArchivesBesideNumPy(t *testing.T) {
	p.Run(t, p.Area{Name: "archives", Cases: 500, Case: newArchives}, differences)
}

// An archivesCase is an archive that one program makes and the other reads.
type archivesCase struct {
	Op      string          `json:"op"`
	Path    string          `json:"path"`
	Members []archiveMember `json:"members"`
	Front   []byte          `json:"front"`
	Comment []byte          `json:"comment"`
	Tool    []string        `json:"tool"`

	want    []archiveMember // after edits
	encoder npz.Encoder
	did     []string
	err     error
	command bool
}

type archiveMember struct {
	Name   string   `json:"name"`
	A      *p.Array `json:"a"`
	Method string   `json:"method"`
}

var memberNames = []string{"a", "b", "weights", "x y", "layer1/w", "layer1/b", "é", "日本", "x.npy", "arr_0", "\"q\"", "a-b", "😀", "it's", strings.Repeat("long", 50)}

func newArchives(g *p.G, e *p.Env) *p.Case {
	c := &archivesCase{Op: p.Pick(g, "read", "read", "savez", "compressed", "zipfile", "bytes", "tool"), Path: e.Path("a.npz"), Front: []byte{}, Comment: []byte{}, Tool: []string{}}
	names := slices.Clone(memberNames)
	for range g.Int(5) {
		i := g.Int(len(names))
		if c.Op == "tool" && strings.ContainsAny(names[i], "/\"") {
			i = 0
		}
		k := p.Plain | p.Structs
		if c.Op == "bytes" { // without padding, where NumPy leaves the old contents of the memory
			k = p.Plain &^ p.Long
		}
		c.Members = append(c.Members, archiveMember{names[i], g.Array(k, p.Pick(g, 10, 100, 1000, 20_000), p.NaNBits), p.Pick(g, "stored", "deflated", "bzip2", "lzma")})
		names = slices.Delete(names, i, i+1)
	}
	if c.Members == nil {
		c.Members = []archiveMember{}
	}
	c.want = slices.Clone(c.Members)
	c.command = g.Chance(20)
	switch c.Op {
	case "zipfile":
		c.Comment = g.Bytes(p.Pick(g, 0, 0, 10))
		if g.Chance(20) {
			c.Front = []byte(p.Pick(g, "#!/bin/sh\nexit\n", "text", "PK"))
		}
	case "tool":
		c.tool(g)
	case "read":
		c.encoder = npz.Encoder{Store: g.Chance(30), Level: p.Pick(g, 0, 1, 6, 9), Align: p.Pick(g, 0, -1, 64, 4096)}
		c.err = c.write(c.encoder)
		if c.err == nil && g.Chance(60) {
			c.err = c.edit(g, e)
		}
	case "bytes":
		c.err = c.write(npz.Encoder{Store: true, Align: -1})
	}
	return &p.Case{Ask: c, Facts: c, Check: c.check, Files: []string{c.Path, c.Path + "-files"}, Text: c.String}
}

func (c *archivesCase) String() string {
	text := fmt.Sprintf("%s front %q comment %x tool %v encoder %+v did %v", c.Op, c.Front, c.Comment, c.Tool, c.encoder, c.did)
	for _, m := range c.Members {
		text += fmt.Sprintf("; %q %s %s", m.Name, m.Method, m.A)
	}
	return text
}

// tool chooses a program of this machine.
func (c *archivesCase) tool(g *p.G) {
	tools := [][]string{{"zip", "-q"}, {"zip", "-q", "-0"}, {"zip", "-q", "-9"}, {"zip", "-q", "-Z", "bzip2"}, {"7z", "a", "-tzip"}, {"7z", "a", "-tzip", "-mm=BZip2"}, {"7z", "a", "-tzip", "-mx=0"}}
	c.Tool = tools[g.Int(len(tools))]
	if _, err := exec.LookPath(c.Tool[0]); err != nil || len(c.Members) == 0 {
		c.Op = "compressed"
	}
}

// write writes the archive with this module.
func (c *archivesCase) write(e npz.Encoder) error {
	var members []npz.Member
	for _, m := range c.Members {
		members = append(members, npz.Member{Name: m.Name, Array: m.A.Array})
	}
	return e.Save(c.Path, members...)
}

// edit changes the archive in a few ways, with this module or the command.
func (c *archivesCase) edit(g *p.G, e *p.Env) error {
	if c.command {
		return c.editByCommand(g, e)
	}
	return npz.Edit(c.Path, func(ed *npz.Editor) error {
		for range g.Between(1, 4) {
			if err := c.change(g, ed); err != nil {
				return err
			}
		}
		return nil
	})
}

// change makes one change.
func (c *archivesCase) change(g *p.G, ed *npz.Editor) error {
	i := g.Int(len(c.want) + 1)
	name := fmt.Sprintf("new%d", len(c.did))
	array := g.Array(p.Plain, 50, 0)
	if i == len(c.want) {
		c.did = append(c.did, "add "+name)
		c.want = append(c.want, archiveMember{Name: name, A: array})
		return ed.Add(name, array.Array)
	}
	old := c.want[i].Name
	switch g.Int(3) {
	case 0:
		c.did = append(c.did, "rename "+old)
		c.want[i].Name = name
		return ed.Rename(old, name)
	case 1:
		c.did = append(c.did, "replace "+old)
		c.want[i].A = array
		return ed.Replace(old, array.Array)
	}
	c.did = append(c.did, "delete "+old)
	c.want = slices.Delete(c.want, i, i+1)
	return ed.Delete(old)
}

// editByCommand is edit by npy rm, mv, pack --append and rezip.
func (c *archivesCase) editByCommand(g *p.G, e *p.Env) error {
	if g.Chance(30) {
		c.did = append(c.did, "rezip")
		return p.Npy("", "rezip", "-q", p.Pick(g, "--store", "--level=9", "--level=1"), c.Path).Err()
	}
	if i := g.Int(len(c.want) + 1); i < len(c.want) {
		old := c.want[i].Name
		if g.Chance(50) {
			c.did = append(c.did, "rm "+old)
			c.want = slices.Delete(c.want, i, i+1)
			return p.Npy("", "rm", c.Path, old).Err()
		}
		c.did = append(c.did, "mv "+old)
		c.want[i].Name = "moved"
		return p.Npy("", "mv", c.Path, old, "moved").Err()
	}
	file := e.Path("added.npy")
	defer os.Remove(file)
	array := g.Array(p.Plain, 50, 0)
	if err := npy.WriteFile(file, array.Array); err != nil {
		return err
	}
	c.did = append(c.did, "pack --append")
	c.want = append(c.want, archiveMember{Name: "added", A: array})
	return p.Npy("", "pack", "--append", c.Path, "added="+file).Err()
}

func (c *archivesCase) check(r *p.Report, a oracle.Answer) {
	if c.err != nil {
		r.Equal("write", c.err.Error(), "an archive")
		return
	}
	if a.Error != "" {
		r.Equal("Python", "read", a.Error+": "+a.Message)
		return
	}
	if c.Op == "bytes" {
		want := p.Decode[[]byte](a)
		got := must(os.ReadFile(c.Path))
		r.True("bytes of np.savez", bytes.Equal(got, want), differAt(got, want), differAt(want, got))
		return
	}
	listed := p.Decode[[][2]json.RawMessage](a)
	var names []string
	var told []p.Told
	for _, l := range listed {
		var name string
		var t p.Told
		if err := errors.Join(json.Unmarshal(l[0], &name), json.Unmarshal(l[1], &t)); err != nil {
			panic(err)
		}
		names, told = append(names, name), append(told, t)
	}
	if c.Op == "read" {
		c.checkRead(r, names, told)
		return
	}
	c.checkTheirs(r, names, told)
}

// differAt shows the place from which two files differ.
func differAt(a, b []byte) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return fmt.Sprintf("%d bytes, from %d on %x", len(a), i, a[max(i-8, 0):min(i+40, len(a))])
}

// checkRead compares NumPy's contents of our archive with the expected ones.
func (c *archivesCase) checkRead(r *p.Report, names []string, told []p.Told) {
	wanted := []string{}
	for _, m := range c.want {
		wanted = append(wanted, m.Name)
	}
	if !r.Equal("names", fmt.Sprintf("%q", append([]string{}, names...)), fmt.Sprintf("%q", wanted)) {
		return
	}
	for i, m := range c.want {
		got, want := p.TellLike(m.A.Array, told[i])
		r.Equal("NumPy reads", want, got)
	}
	c.checkTheirs(r, names, told) // and we read it ourselves
}

// checkTheirs reads an archive in every way.
func (c *archivesCase) checkTheirs(r *p.Report, names []string, told []p.Told) {
	z, err := npz.Open(c.Path)
	if err != nil {
		r.Equal("npz.Open", err.Error(), "an archive")
		return
	}
	defer z.Close()
	listed := z.Names()
	other := slices.Index(listed, "readme.txt")
	if other >= 0 {
		listed = slices.Delete(listed, other, other+1)
	}
	r.Equal("Names", fmt.Sprintf("%q", append([]string{}, listed...)), fmt.Sprintf("%q", append([]string{}, names...)))
	for i, name := range names {
		lzma := c.Op == "zipfile" && c.Members[i].Method == "lzma"
		c.member(r, z, name, told[i], lzma)
	}
	if other >= 0 {
		_, err := z.Array("readme.txt")
		b, errBytes := z.Bytes("readme.txt")
		r.True("a member that is no array", errors.Is(err, format.ErrMagic) && string(b) == "text", fmt.Sprint(err, b, errBytes), "text")
	}
	seen := 0
	for m, err := range z.All() {
		if i := slices.Index(names, m.Name); i >= 0 && err == nil {
			got, want := p.TellLike(m.Array, told[i])
			r.Equal("All", got, want)
			seen++
		}
	}
	if c.Op != "zipfile" {
		r.Equal("All: members", fmt.Sprint(seen), fmt.Sprint(len(names)))
	}
	if c.command {
		c.byCommand(r, names, told)
	}
}

// member reads one member in every way.
func (c *archivesCase) member(r *p.Report, z *npz.Reader, name string, told p.Told, lzma bool) {
	a, err := z.Array(name)
	if lzma {
		r.True("LZMA", errors.Is(err, errors.ErrUnsupported), fmt.Sprint(err), "errors.ErrUnsupported")
		return
	}
	if err != nil {
		r.Equal("Array", err.Error(), told.String())
		return
	}
	got, want := p.TellLike(a, told)
	r.Equal("Array", got, want)
	info, err := z.Info(name)
	r.Equal("Info", fmt.Sprint(info.Header.DType, info.Header.Shape, err), fmt.Sprint(a.DType(), a.Shape(), nil))
	r.Equal("Has", fmt.Sprint(z.Has(name)), "true")
	file, err := fs.ReadFile(z, name+".npy")
	if fs.ValidPath(name + ".npy") {
		b, errBytes := z.Bytes(name)
		r.True("fs.ReadFile", err == nil && errBytes == nil && bytes.Equal(file, b), fmt.Sprint(err, errBytes), "the same")
	}
}

// byCommand lists and unpacks.
func (c *archivesCase) byCommand(r *p.Report, names []string, told []p.Told) {
	x := p.Npy("", "ls", "--json", c.Path)
	var got []string
	for line := range strings.Lines(x.Stdout) {
		var l struct {
			Name  string
			Error *string
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			r.Equal("npy ls", line, err.Error())
			return
		}
		if l.Name != "readme.txt" {
			got = append(got, strings.TrimSuffix(l.Name, ".npy"))
		}
	}
	sortedGot, sortedNames := slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(names))
	r.Equal("npy ls", fmt.Sprintf("%q", sortedGot), fmt.Sprintf("%q", sortedNames))
	dir := r.Path("unpacked")
	x = p.Npy("", "unpack", "-q", "-C", dir, c.Path)
	if err := x.Err(); err != nil && len(names) > 0 {
		r.Equal("npy unpack", err.Error(), "")
		return
	}
	for i, name := range names {
		a, err := npy.ReadFile(filepath.Join(dir, filepath.FromSlash(name)+".npy"))
		if err != nil {
			r.Equal("npy unpack", err.Error(), name)
			continue
		}
		got, want := p.TellLike(a, told[i])
		r.Equal("npy unpack", got, want)
	}
}
