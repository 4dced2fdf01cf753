package results

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/npygo/npy"
	"github.com/npygo/npy/cmd/npy/internal/terminal"
	"github.com/npygo/npy/convert"
	"github.com/npygo/npy/stats"
)

// A StatsJSON is the JSON form of a summary; its keys are a promise.
type StatsJSON struct {
	File   string  `json:"file"`
	Member *string `json:"member"`
	Array  int     `json:"array,omitempty"` // from 2, of arrays after the first in a file
	Slice  *string `json:"slice"`
	SameAs string  `json:"same_as,omitempty"` // the array in the same file that is the same bytes
	stats.Report

	// Only present if requested. The values are null if there are more than 20, and an empty list for an array without
	// elements.
	Unique *uniqueJSON `json:"unique,omitempty"`
}

type uniqueJSON struct {
	Values []valueCount `json:"values"`
}

type valueCount struct {
	Value json.RawMessage `json:"value"`
	Count json.RawMessage `json:"count"`
}

// json returns the values with their counts.
func (u *Uniques) json() *uniqueJSON {
	if u.Values == nil {
		return &uniqueJSON{}
	}
	lists := [2][]json.RawMessage{}
	for i, a := range []*npy.Array{u.Values, u.Counts} {
		text, err := json.Marshal(a)
		if err == nil {
			err = json.Unmarshal(text, &lists[i])
		}
		if err != nil { // cannot happen: a list of plain values
			return &uniqueJSON{}
		}
	}
	out := &uniqueJSON{Values: []valueCount{}}
	for i := range lists[0] {
		out.Values = append(out.Values, valueCount{lists[0][i], lists[1][i]})
	}
	return out
}

// PrintJSON prints an object for the array, or for each field.
func (s *Summary) PrintJSON(w io.Writer) error {
	e := terminal.NewJSON(w)
	if s.Along != nil {
		j, err := s.alongJSON()
		if err != nil {
			return err
		}
		return e.Encode(j)
	}
	for _, one := range s.All {
		if err := e.Encode(s.json(one)); err != nil {
			return err
		}
	}
	return nil
}

// An alongJSON is the JSON form of the results along an axis: nested lists of numbers. NaN is the string "NaN", as in
// npy convert.
type alongJSON struct {
	File   string          `json:"file"`
	Member *string         `json:"member"`
	Array  int             `json:"array,omitempty"`
	Slice  *string         `json:"slice"`
	SameAs string          `json:"same_as,omitempty"`
	DType  string          `json:"dtype"`
	Shape  []int           `json:"shape"`
	Axis   int             `json:"axis"`
	Mean   json.RawMessage `json:"mean"`
	Std    json.RawMessage `json:"std"`
	Min    json.RawMessage `json:"min"`
	Max    json.RawMessage `json:"max"`
	Sum    json.RawMessage `json:"sum"`
}

func (s *Summary) alongJSON() (alongJSON, error) {
	j := alongJSON{File: s.Target.Path, Member: s.Target.MemberName(), Array: s.Target.Nth, Slice: s.Target.Slice(), SameAs: s.SameAs, DType: s.DType.Name(), Shape: s.Shape, Axis: s.Along.Number}
	named := s.Along.named()
	for i, to := range []*json.RawMessage{&j.Mean, &j.Std, &j.Min, &j.Max, &j.Sum} {
		if named[i].array == nil {
			*to = json.RawMessage("null")
			continue
		}
		var b bytes.Buffer
		if err := convert.Write(context.Background(), &b, convert.JSON, named[i].array, convert.WriteOptions{Units: true}); err != nil {
			return j, err
		}
		*to = b.Bytes()
	}
	return j, nil
}

func (s *Summary) json(one stats.Stats) StatsJSON {
	j := StatsJSON{File: s.Target.Path, Member: s.Target.MemberName(), Array: s.Target.Nth, Slice: s.Target.Slice(), SameAs: s.SameAs, Report: one.Report(s.DType, s.Shape)}
	j.Quantiles, j.Histogram = s.quantilesOf(one.Field), s.Histogram
	if s.Unique != nil {
		j.Unique = s.Unique.json()
	}
	return j
}
