//go:build !purego

package browser

import (
	"image/color"
	"testing"
)

// The helpers see text, pixels and the page's output on the console.
func TestHelpers(t *testing.T) {
	p := open(t, "data:text/html,<h1>an array</h1><canvas width=3 height=2></canvas><script>"+
		"document.querySelector('canvas').getContext('2d').fillRect(1,0,1,1);console.log('seen');"+
		"onkeydown=(e)=>document.title=e.key</script>", "seen")
	if got := p.text("h1"); got != "an array" {
		t.Errorf("text is %q", got)
	}
	im := p.pixels("canvas")
	if im.Rect.Dx() != 3 || im.Rect.Dy() != 2 || im.NRGBAAt(1, 0) != (color.NRGBA{A: 255}) || im.NRGBAAt(0, 0) != (color.NRGBA{}) {
		t.Errorf("pixels are %v", im.Pix)
	}
	p.keys("x")
	p.wait("document.title === 'x'")
}
