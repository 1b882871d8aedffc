package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress draws on the terminal behind stderr; elsewhere it draws nothing.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(s streams) *progress {
	if !s.errTerminal {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(0,
		progressbar.OptionSetWriter(s.err), progressbar.OptionSetWidth(24), progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false))}
}

func (p *progress) update(done, total int, what string) {
	if p.bar == nil {
		return
	}
	p.bar.ChangeMax(total)
	p.bar.Describe(what)
	_ = p.bar.Set(done)
}

func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
