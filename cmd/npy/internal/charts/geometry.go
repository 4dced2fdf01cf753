package charts

import "math"

func (b box) corners() []point {
	return []point{{b.left, b.top}, {b.right, b.top}, {b.right, b.bottom}, {b.left, b.bottom}, {b.left, b.top}}
}

func (b box) contains(p point) bool {
	return p.x >= b.left && p.x <= b.right && p.y >= b.top && p.y <= b.bottom
}

// runs splits points at points without a position.
func runs(points []point) [][]point {
	var all [][]point
	start := 0
	for i := 0; i <= len(points); i++ {
		if i < len(points) && !math.IsNaN(points[i].x+points[i].y) && !math.IsInf(points[i].x+points[i].y, 0) {
			continue
		}
		if i > start {
			all = append(all, points[start:i])
		}
		start = i + 1
	}
	return all
}

// rounding is the distance in pixels up to which points outside of an area are inside.
const rounding = 1e-6

func (b box) grown(by float64) box { return box{b.left - by, b.top - by, b.right + by, b.bottom + by} }

// inside replaces the points outside of an area by points without a position.
func inside(points []point, area box) []point {
	area = area.grown(rounding)
	for i, p := range points {
		if !area.contains(p) {
			points[i] = point{math.NaN(), math.NaN()}
		}
	}
	return points
}

// clipped splits a line at points without a position, and where it leaves an area.
func clipped(points []point, area box) [][]point {
	area = area.grown(rounding)
	var all [][]point
	for _, run := range runs(points) {
		if len(run) == 1 {
			if area.contains(run[0]) {
				all = append(all, run)
			}
			continue
		}
		var part []point
		for i := 1; i < len(run); i++ {
			a, b, ok := area.cut(run[i-1], run[i])
			if !ok {
				continue
			}
			if len(part) == 0 || part[len(part)-1] != a {
				if len(part) > 1 {
					all = append(all, part)
				}
				part = []point{a}
			}
			part = append(part, b)
		}
		if len(part) > 1 {
			all = append(all, part)
		}
	}
	return all
}

// cut returns the part of a segment that is inside, by Liang and Barsky.
func (b box) cut(from, to point) (start, end point, ok bool) {
	dx, dy := to.x-from.x, to.y-from.y
	first, last := 0.0, 1.0
	for _, side := range [4][2]float64{{-dx, from.x - b.left}, {dx, b.right - from.x}, {-dy, from.y - b.top}, {dy, b.bottom - from.y}} {
		switch step, distance := side[0], side[1]; {
		case step == 0 && distance < 0:
			return from, to, false
		case step < 0:
			first = max(first, distance/step)
		case step > 0:
			last = min(last, distance/step)
		}
	}
	if first > last {
		return from, to, false
	}
	start, end = from, to
	if first > 0 {
		start = point{from.x + first*dx, from.y + first*dy}
	}
	if last < 1 {
		end = point{from.x + last*dx, from.y + last*dy}
	}
	return start, end, true
}

// dashes cuts a line into its dashes.
func dashes(points []point, pattern []float64) [][]point {
	if pattern == nil || len(points) == 0 {
		return [][]point{points}
	}
	var all [][]point
	dash := []point{points[0]}
	k, left := 0, pattern[0]
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		for done := 0.0; done < length; {
			step := min(left, length-done)
			done += step
			at := point{a.x + (b.x-a.x)*done/length, a.y + (b.y-a.y)*done/length}
			if k%2 == 0 {
				dash = append(dash, at)
			}
			if left -= step; left > 0 {
				continue
			}
			if k%2 == 0 {
				all = append(all, dash)
			}
			k++
			dash, left = []point{at}, pattern[k%len(pattern)]
		}
	}
	if k%2 == 0 && len(dash) > 1 {
		all = append(all, dash)
	}
	return all
}

// polygon returns the corners of a shape around a point. One corner is above the point, unless the shape is a square.
func polygon(at point, corners int, radius float64) []point {
	turn := -math.Pi / 2
	if corners%2 == 0 {
		turn += math.Pi / float64(corners)
	}
	all := make([]point, corners)
	for i := range all {
		sin, cos := math.Sincos(turn + 2*math.Pi*float64(i)/float64(corners))
		all[i] = point{at.x + radius*cos, at.y + radius*sin}
	}
	return all
}
