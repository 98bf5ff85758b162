package decode_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/model"
	"quipu/internal/store/journal"
	"quipu/internal/traffic"
)

// null takes everything and keeps nothing.
type null struct{}

func (null) Append(context.Context, ...journal.Entry) (journal.Position, error) {
	return journal.Position{}, nil
}

func (null) Put(context.Context, model.AppID, string, string, []byte) (bool, error) { return true, nil }

// discard is a response that goes nowhere.
type discard struct{ h http.Header }

func (d discard) Header() http.Header             { return d.h }
func (discard) Write(b []byte) (int, error)       { return len(b), nil }
func (discard) WriteString(s string) (int, error) { return len(s), nil }
func (discard) WriteHeader(int)                   {}

// body is a request body that can be read again.
type body struct{ strings.Reader }

func (*body) Close() error { return nil }

func BenchmarkDecode(b *testing.B) {
	const event = `{"key":"checkout","count":1,"sum":19.99,"timestamp":1936515600123,"hour":9,"dow":3,"segmentation":{"plan":"pro","country":"DE","items":3}}`
	const common = "app_key=K&device_id=5b3fd2a1-8b2c-4e0a-9d46-0f5f0a1c2b3d&sdk_name=javascript_native_web&sdk_version=23.12.1&t=1&timestamp=1936515600123&hour=9&dow=3&rr=0&events="
	one := common + url.QueryEscape("["+event+"]")
	ten := common + url.QueryEscape("["+strings.Repeat(event+",", 9)+event+"]")
	g, err := traffic.New(traffic.Config{Seed: 1, AppKey: "K", Start: testNow})
	if err != nil {
		b.Fatal(err)
	}
	items := []byte(`{"app_key":"K","requests":[`)
	for range 200 {
		items, _ = g.Next(items, traffic.Item)
		items = append(items, ',')
	}
	items = append(items[:len(items)-1], `]}`...)
	for _, bb := range []struct{ name, method, data string }{
		{"get/1", "GET", one},
		{"get/10", "GET", ten},
		{"post/1", "POST", one},
		{"post/10", "POST", ten},
		{"bulk/10x1", "BULK", "app_key=K&requests=" + url.QueryEscape("["+strings.Repeat(`{"device_id":"D","timestamp":1936515600123,"events":[`+event+`]},`, 9)+`{"device_id":"D","events":[`+event+`]}]`)},
		{"bulk/json", "BULK", string(items)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			d, err := decode.New(decode.Options{
				Apps: directory{plainApp}, Journal: null{}, Pictures: null{}, Now: func() time.Time { return testNow },
				Outcomes: outcome.NewCounter(func() time.Time { return testNow }), Healthy: func() (time.Duration, bool) { return 0, true }, Memory: nobody{},
				Intake: newIntake(),
			})
			if err != nil {
				b.Fatal(err)
			}
			r := &http.Request{Method: bb.method, URL: &url.URL{Path: "/i"}, Header: http.Header{"User-Agent": {"Mozilla/5.0 (X11; Linux x86_64)"}}, RemoteAddr: "203.0.113.9:4000"}
			src := &body{}
			if bb.method == "GET" {
				r.URL.RawQuery = bb.data
				r.Body = http.NoBody
			} else {
				r.Header["Content-Type"] = []string{formType}
				if bb.data[0] == '{' {
					r.Header["Content-Type"] = []string{"application/json"}
				}
				r.ContentLength = int64(len(bb.data))
				r.Body = io.ReadCloser(src)
			}
			if bb.method == "BULK" {
				r.URL.Path = "/i/bulk"
			}
			w := discard{h: http.Header{}}
			b.SetBytes(int64(len(bb.data)))
			b.ReportAllocs()
			whole := r.Body
			for b.Loop() {
				src.Reset(bb.data)
				r.Body = whole // a large body is wrapped while it is read
				d.ServeHTTP(w, r)
			}
		})
	}
}
