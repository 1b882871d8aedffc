package faults

import (
	"fmt"
	"net/http"
	"slices"
)

// row is a way in which a list call goes wrong.
type row struct {
	name   string
	answer fault
	// recovers: the scan gets everything all the same.
	recovers bool
	// begun: the first half of the list was read before it went wrong.
	begun bool
	hangs bool
	// endless: the server says that there is more, for ever.
	endless bool
	// paged: only a list goes wrong in this way.
	paged bool
}

// empty is a fault of a call that is no list: an answer without content.
var empty = row{name: "an empty object", answer: always(func(w http.ResponseWriter) { fmt.Fprint(w, "{}") })}

// singleRows are the faults of such calls.
func singleRows() []row {
	return append(slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.paged }), empty)
}

// rows are the faults of the matrix, in the order of the report.
var rows = []row{
	{name: "403", answer: refuse(403, "Forbidden", "forbidden by the test")},
	{name: "404", answer: refuse(404, "NotFound", "not found by the test")},
	{name: "410 at once", answer: refuse(410, "Expired", "expired by the test")},
	{name: "410 with a new token", paged: true, recovers: true, answer: thenPages(func(s *replay, w http.ResponseWriter, r *http.Request, token string) {
		if token == "second" {
			gone(w, "newer")
			return
		}
		s.rest(w, r)
	})},
	{name: "410 without a token, once", paged: true, recovers: true, answer: func(s *replay, w http.ResponseWriter, r *http.Request, n int) bool {
		switch n {
		case 1:
			s.half(w, r, "second")
		case 2:
			gone(w, "")
		default:
			return false // from the start, in one page
		}
		return true
	}},
	{name: "410 for ever", paged: true, begun: true, answer: thenPages(func(_ *replay, w http.ResponseWriter, _ *http.Request, _ string) { gone(w, "") })},
	{name: "429 with Retry-After, once", recovers: true, answer: func(_ *replay, w http.ResponseWriter, _ *http.Request, n int) bool {
		if n == 1 {
			tooMany(w)
		}
		return n == 1
	}},
	{name: "429 with Retry-After, for ever", answer: always(tooMany)},
	{name: "500 conversion webhook", answer: refuse(500, "InternalError",
		`conversion webhook for example.io/v1, Kind=X failed: Post "https://gone.none.svc:443/": service "gone" not found`)},
	{name: "503", answer: refuse(503, "ServiceUnavailable", "unavailable by the test")},
	{name: "503 on the second page", paged: true, begun: true, answer: thenPages(func(_ *replay, w http.ResponseWriter, _ *http.Request, _ string) {
		status(w, 503, "ServiceUnavailable", "unavailable by the test")
	})},
	{name: "hang", hangs: true, answer: func(_ *replay, _ http.ResponseWriter, r *http.Request, _ int) bool {
		<-r.Context().Done()
		return true
	}},
	{name: "reset within the body", answer: always(func(w http.ResponseWriter) {
		fmt.Fprint(w, `{"kind":"List","apiVersion":"v1","items":[{"metadata":`)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	})},
	{name: "wrong content type", answer: always(func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>a proxy's page</html>")
	})},
	{name: "truncated JSON", answer: always(func(w http.ResponseWriter) { fmt.Fprint(w, `{"kind":"List","items":[{"met`) })},
	{name: "invalid JSON", answer: always(func(w http.ResponseWriter) { fmt.Fprint(w, `{"kind": nonsense}`) })},
	{name: "a page that repeats", paged: true, begun: true, endless: true, answer: func(s *replay, w http.ResponseWriter, r *http.Request, _ int) bool {
		s.half(w, r, "same")
		return true
	}},
	{name: "an endless list", paged: true, begun: true, endless: true, answer: func(s *replay, w http.ResponseWriter, r *http.Request, n int) bool {
		if n == 1 {
			s.half(w, r, "page 1")
			return true
		}
		group, resource, _, _ := split(r.URL.Path)
		s.answer(w, r, &replayed{apiVersion: s.lists[group+"/"+resource].apiVersion, kind: s.lists[group+"/"+resource].kind}, "", fmt.Sprint("page ", n))
		return true
	}},
}

func always(answer func(http.ResponseWriter)) fault {
	return func(_ *replay, w http.ResponseWriter, _ *http.Request, _ int) bool {
		answer(w)
		return true
	}
}

func refuse(code int, reason, message string) fault {
	return always(func(w http.ResponseWriter) { status(w, code, reason, message) })
}

// thenPages gives the first half of the list, and lets then answer for the
// token "second" and whatever follows.
func thenPages(then func(s *replay, w http.ResponseWriter, r *http.Request, token string)) fault {
	return func(s *replay, w http.ResponseWriter, r *http.Request, _ int) bool {
		if token := r.URL.Query().Get("continue"); token != "" {
			then(s, w, r, token)
		} else {
			s.half(w, r, "second")
		}
		return true
	}
}

func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "0")
	status(w, 429, "TooManyRequests", "slow down")
}
