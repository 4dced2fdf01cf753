package input

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/npygo/npy/cmd/npy/internal/diagnose"
	"github.com/npygo/npy/cmd/npy/internal/urls"
	"github.com/npygo/npy/npz"
	"github.com/npygo/npy/parts"
	"github.com/npygo/npy/remote"
)

// A Placed is an array whose elements are in a file as they are in an .npy file.
type Placed struct {
	parts.Stored
	Member string // of an archive; "" for the array of a file
	Axis   int    // along which it follows others; for parts of a manifest or a stack
	Joined bool   // it is such a part
	ETag   string // of the file, if its server gives one
}

// Places returns where the elements of the arrays in a file are: in the file itself, in an archive that stores its members
// without compression, or in the parts of a manifest.
func (o Opener) Places(ctx context.Context, arg string) ([]Placed, error) {
	t, err := Parse(arg)
	if err != nil {
		return nil, err
	}
	if t, err = o.Open(t); err != nil {
		return nil, err
	}
	defer t.Close()
	switch {
	case t.Index != nil:
		return nil, errors.New("references are to whole arrays; leave the index out")
	case t.Joined() != nil:
		return o.placesOfParts(ctx, t)
	case t.Container != nil:
		return t.placesOfMembers()
	}
	f := o.inFile(t)
	if f == nil {
		return nil, errors.New("it is not an .npy file whose elements are there as they are")
	}
	p := Placed{Stored: parts.Stored{URL: t.Path, Header: f.Header()}}
	if r, ok := t.file.regular.(afar); ok {
		p.ETag = r.ETag()
	}
	return []Placed{p}, nil
}

// placesOfMembers is Places for an archive.
func (t Target) placesOfMembers() ([]Placed, error) {
	z := t.Container.NPZ()
	if z == nil {
		return nil, fmt.Errorf("it is a file of %s; references are written to .npy files and .npz archives", t.Container.Kind.Name)
	}
	s, t, one, err := t.Select()
	if err != nil {
		return nil, err
	}
	var all []Placed
	for name := range t.Container.arrays() {
		if one && name != t.Member || !one && !s.Has(name) {
			continue
		}
		info, err := z.Info(name)
		if err != nil {
			return nil, err
		}
		if info.Entry.Method != npz.Store {
			return nil, fmt.Errorf("member %q is compressed (%s), in a way that readers of Zarr do not know; 'npy rezip --store' writes it without compression", name, info.Entry.Method)
		}
		h := info.Header
		h.DataOffset += info.DataOffset
		all = append(all, Placed{Stored: parts.Stored{URL: t.Path, Header: h}, Member: name})
	}
	if len(all) == 0 {
		return nil, errors.New("it has no arrays")
	}
	return all, nil
}

// placesOfParts is Places for a manifest or a stack of dask. The parts are opened one after another.
func (o Opener) placesOfParts(ctx context.Context, t Target) ([]Placed, error) {
	m := t.Joined().Manifest()
	all := make([]Placed, len(m.Parts))
	for i, p := range m.Parts {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		at := t.file.at(p.Path)
		src, closer, err := o.openPart(at, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", diagnose.FileName(p.Path), diagnose.Explain(err))
		}
		h := src.Header()
		closer.Close()
		if want := m.PartShape(i); !h.DType.Equal(m.DType) || fmt.Sprint(h.Shape) != fmt.Sprint(want) {
			return nil, fmt.Errorf("%s: dtype %s and shape %v, and %s and %v in the manifest", diagnose.FileName(p.Path), h.DType, h.Shape, m.DType, want)
		}
		all[i] = Placed{Stored: parts.Stored{URL: at.Path, Header: h}, Axis: m.Axis, Joined: true}
	}
	return all, nil
}

// Part opens a part of an array for its bytes, and returns the part with its ETag, if its server gives one.
func (o Opener) Part(ctx context.Context, path string) (p parts.Part, f regular, err error) {
	t, err := Parse(path)
	if err != nil {
		return p, nil, err
	}
	p.Path = t.Path
	if f, _, err = o.openPath(t); err != nil {
		return p, nil, err
	}
	if r, ok := f.(afar); ok {
		p.ETag = r.ETag()
	}
	return p, f, nil
}

// CheckSums compares the bytes of the parts of an array with the checksums of its manifest, and calls wrong with the error
// of each part that differs.
func (o Opener) CheckSums(ctx context.Context, t Target, wrong func(error)) error {
	for _, p := range t.Joined().Manifest().Parts {
		if p.CRC32 == "" {
			continue
		}
		f, _, err := o.openPath(t.file.at(p.Path))
		if err == nil {
			var sum string
			sum, err = parts.Checksum(Until(ctx, f))
			f.Close()
			if err == nil && sum != p.CRC32 {
				err = fmt.Errorf("the checksum of its bytes is %s, and %s in the manifest", sum, p.CRC32)
			}
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			wrong(&parts.PartError{Path: p.Path, Err: diagnose.Explain(err)})
		}
	}
	return nil
}

// besideFile returns a path relative to the folder of a file.
func besideFile(file, path string) (string, error) {
	folder, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return "", err
	}
	if path, err = filepath.Abs(path); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(folder, path)
	return filepath.ToSlash(rel), err
}

// relativeURL is the inverse of besideURL. The query of either URL is left out.
func relativeURL(base, to string) (string, error) {
	base, to = remote.Redact(base), remote.Redact(to)
	folder := base[:strings.LastIndexByte(base, '/')+1]
	rel, ok := strings.CutPrefix(to, folder)
	if !ok {
		return "", fmt.Errorf("%s is not below %s", to, folder)
	}
	if urls.IsStore(to) {
		return rel, nil
	}
	name, err := url.PathUnescape(rel)
	if err != nil || strings.Count(name, "/") != strings.Count(rel, "/") {
		return "", fmt.Errorf("the name in %s cannot be part of a path", to)
	}
	return name, nil
}

// CommonFolder returns the longest URL with a slash at its end which all URLs begin with, and "" if that is not one of a host or a
// bucket.
func CommonFolder(all []string) string {
	common := ""
	for i, u := range all {
		u = remote.Redact(u)
		if i == 0 {
			common = u
		}
		n := 0
		for n < min(len(u), len(common)) && u[n] == common[n] {
			n++
		}
		common = common[:n]
	}
	common = common[:strings.LastIndexByte(common, '/')+1]
	if strings.Count(common, "/") < 3 { // scheme://host/
		return ""
	}
	return common
}

// Beside returns the path of a part as a manifest has it: relative to the folder of the manifest, and in it. Both are files of
// this machine, or both at URLs.
func Beside(manifest, part string) (rel string, err error) {
	switch afar := remote.IsURL(part); {
	case afar && !remote.IsURL(manifest):
		return "", errors.New("paths in a manifest are relative to it, so parts at URLs need a manifest beside them: -o s3://bucket/folder/data.npy.json")
	case !afar && remote.IsURL(manifest):
		return "", errors.New("paths in a manifest are relative to it, and this is a file of this machine; 'npy cp' copies it beside the manifest")
	case afar:
		rel, err = relativeURL(manifest, part)
	default:
		rel, err = besideFile(manifest, part)
	}
	if err == nil {
		err = parts.CheckPath(rel)
	}
	if err != nil {
		return "", fmt.Errorf("parts must be in the folder of the manifest, or below: %s", diagnose.Text(err))
	}
	return rel, nil
}
