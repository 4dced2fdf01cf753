// Screenshots makes the pictures of the README: it writes example data, runs the command on it and draws the output.
//
//	go run ./doc/screenshots     from the top of the repository; or make screenshots
package main

import (
	"bytes"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/npygo/npy"
	"github.com/npygo/npy/record"
)

// A shot is a command and the name of its picture. Extra output is not drawn: a picture is no terminal. A command that
// draws a picture itself has it written to NAME.svg.
type shot struct {
	name  string
	args  []string
	extra []string
}

var shots = []shot{
	{"show", []string{"show", "quakes.npy"}, []string{"--color", "always"}},
	{"stats", []string{"stats", "--quantiles", "0.25,0.5,0.75", "waves.npy"}, nil},
	{"image", []string{"show", "--image", "waves.npy"}, []string{"--width", "72"}},
	{"plot", []string{"plot", "waves.npy[40]", "waves.npy[60]", "-o", "plot.svg"}, []string{"--size", "640x300"}},
}

func main() {
	log.SetFlags(0)
	if err := run("doc/screenshots"); err != nil {
		log.Fatal("screenshots: ", err)
	}
}

// run builds the command and writes a picture for each shot into a folder.
func run(folder string) error {
	dir, err := os.MkdirTemp("", "screenshots")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "npy.exe")
	if out, err := exec.Command("go", "build", "-o", command, "./cmd/npy").CombinedOutput(); err != nil {
		return fmt.Errorf("building the command: %w\n%s", err, out)
	}
	if err := writeData(dir); err != nil {
		return err
	}
	for _, s := range shots {
		svg, err := s.take(command, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, s.name+".svg"), svg, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// take runs the command in a folder and draws the command line and its output.
func (s shot) take(command, dir string) ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "\x1b[32m$\x1b[0m npy %s\n", strings.Join(s.args, " "))
	c := exec.Command(command, append(s.args[:len(s.args):len(s.args)], s.extra...)...)
	c.Dir, c.Stdout = dir, &out
	var talk strings.Builder
	c.Stderr = &talk
	c.Env = append(os.Environ(), "NO_COLOR=", "COLORTERM=truecolor", "TERM=xterm-256color", "COLUMNS=80")
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, &talk)
	}
	if svg, err := os.ReadFile(filepath.Join(dir, s.name+".svg")); err == nil {
		return svg, nil
	}
	return draw(parse(out.String())), nil
}

// A quake is a record of the example data.
type quake struct {
	Time  time.Time `npy:"time,M8[s]"`
	Lat   float32   `npy:"lat"`
	Lon   float32   `npy:"lon"`
	Depth float32   `npy:"depth"`
	Mag   float64   `npy:"mag"`
}

// writeData writes the example data: two waves that meet, and a few earthquakes.
func writeData(dir string) error {
	const rows, columns = 120, 240
	waves := make([]float64, 0, rows*columns)
	for y := range rows {
		for x := range columns {
			left := math.Hypot(float64(x)-70, float64(2*y)-120)
			right := math.Hypot(float64(x)-170, float64(2*y)-120)
			value := math.Sin(left/7)/(1+left/60) + math.Sin(right/7)/(1+right/60)
			waves = append(waves, math.Round(value*1e6)/1e6) // the same on every processor
		}
	}
	if err := npy.Save(filepath.Join(dir, "waves.npy"), waves, rows, columns); err != nil {
		return err
	}
	at := func(text string) time.Time {
		t, _ := time.Parse(time.RFC3339, text)
		return t
	}
	nan := float32(math.NaN())
	return record.Save(filepath.Join(dir, "quakes.npy"), []quake{
		{at("1960-05-22T19:11:20Z"), -38.143, -73.407, 25, 9.5},
		{at("1964-03-28T03:36:14Z"), 60.908, -147.339, 25, 9.2},
		{at("2004-12-26T00:58:53Z"), 3.295, 95.982, 30, 9.1},
		{at("2011-03-11T05:46:24Z"), 38.297, 142.373, 29, 9.1},
		{at("1952-11-04T16:58:30Z"), 52.623, 159.779, nan, 9.0},
	})
}
