package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A report is the result of a run.
type report struct {
	Machine machine       `json:"machine"`
	Date    time.Time     `json:"date"`
	Size    int64         `json:"size"` // bytes of the large arrays
	Rounds  int           `json:"rounds"`
	Rows    []measurement `json:"rows"`
}

type machine struct {
	CPU   string `json:"cpu"`
	CPUs  int    `json:"cpus"`
	OS    string `json:"os"`
	Go    string `json:"go"`
	NumPy string `json:"numpy"` // "" if there is none
}

// A measurement is the result of one row. Times are of one operation.
type measurement struct {
	Family string            `json:"family"`
	Name   string            `json:"name"`
	Does   string            `json:"does"`
	Bytes  int64             `json:"bytes,omitempty"` // moved by an operation
	Limit  string            `json:"limit,omitempty"` // the operation of the limits
	Times  map[string]timing `json:"times"`           // by contender
	Sizes  map[string]int64  `json:"sizes,omitempty"` // bytes that contenders wrote, if compared
	Ratio  float64           `json:"ratio,omitempty"` // median time of NumPy divided by that of npy
}

// A timing is the samples of one contender, in nanoseconds.
type timing struct {
	Median  time.Duration   `json:"median"`
	Low     time.Duration   `json:"p25"`
	High    time.Duration   `json:"p75"`
	Samples []time.Duration `json:"samples"`
}

func newMeasurement(r *row, samples map[string][]time.Duration) measurement {
	m := measurement{Family: r.family, Name: r.name, Does: r.does, Bytes: r.bytes, Times: map[string]timing{}}
	if r.limit != nil {
		m.Limit = r.limit.name
	}
	for name, s := range samples {
		m.Times[name] = timing{quantile(s, 0.5), quantile(s, 0.25), quantile(s, 0.75), s}
	}
	m.Ratio = float64(m.Times[numpyName].Median) / float64(m.Times[npyName].Median)
	return m
}

// quantile returns the quantile p of the values, interpolated between neighbours.
func quantile(values []time.Duration, p float64) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	at := p * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + time.Duration((at-float64(low))*float64(sorted[high]-sorted[low]))
}

// noisySpread is the distance of the quartiles, as a share of the median, from which on the machine counts as busy.
const noisySpread = 0.2

// noisy reports whether the times of npy or NumPy are spread too far to be reliable.
func (m measurement) noisy() bool {
	for _, name := range []string{npyName, numpyName} {
		if t := m.Times[name]; float64(t.High-t.Low) > noisySpread*float64(t.Median) {
			return true
		}
	}
	return false
}

// noise lists the rows that were measured on a busy machine, or returns "".
func (r report) noise() string {
	var names []string
	for _, m := range r.Rows {
		if m.noisy() {
			names = append(names, m.Name)
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("The machine was noisy, the quartiles of npy or NumPy more than %.0f %% of the median apart, in %d of %d rows: %s.",
		100*noisySpread, len(names), len(r.Rows), strings.Join(names, ", "))
}

// sizeRatio returns npy's size as a share of NumPy's, or 0 if sizes are not compared.
func (m measurement) sizeRatio() float64 {
	if m.Sizes[numpyName] == 0 {
		return 0
	}
	return float64(m.Sizes[npyName]) / float64(m.Sizes[numpyName])
}

// compression summarises the rows that compress: the geometric mean of their ratios, and their total size.
func (r report) compression() string {
	product, n := 1.0, 0
	total := map[string]int64{}
	for _, m := range r.Rows {
		if m.sizeRatio() == 0 {
			continue
		}
		product, n = product*m.Ratio, n+1
		for name, size := range m.Sizes {
			total[name] += size
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Compressing %d data sets npy is %.1f times as fast in the geometric mean, and needs %.1f %% of NumPy's bytes.",
		n, math.Pow(product, 1/float64(n)), 100*float64(total[npyName])/float64(total[numpyName]))
}

func printJSON(w io.Writer, r report) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

// thisMachine describes the machine of the run.
func thisMachine(numpy *worker) machine {
	m := machine{CPU: runtime.GOARCH, CPUs: runtime.NumCPU(), OS: runtime.GOOS, Go: runtime.Version()}
	if numpy != nil {
		m.NumPy = numpy.version
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return m
	}
	for line := range strings.Lines(string(info)) {
		if key, value, _ := strings.Cut(line, ":"); strings.TrimSpace(key) == "model name" {
			m.CPU = strings.TrimSpace(value)
			break
		}
	}
	return m
}

func (m machine) String() string {
	numpy := m.NumPy
	if numpy == "" {
		numpy = "without NumPy"
	}
	return fmt.Sprintf("%s, %d CPUs, %s, %s, %s", m.CPU, m.CPUs, m.OS, m.Go, numpy)
}
