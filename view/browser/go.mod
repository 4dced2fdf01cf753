module github.com/npygo/npy/view/browser

go 1.25.0

require github.com/chromedp/chromedp v0.22.1

require (
	github.com/chromedp/cdproto v0.159.0 // indirect
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
)

// Always the code beside it.
replace github.com/npygo/npy => ../../
