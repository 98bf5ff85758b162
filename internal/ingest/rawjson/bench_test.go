package rawjson_test

import (
	"testing"
	"time"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/traffic"
)

// BenchmarkValid walks an array of requests as a bulk request holds them.
func BenchmarkValid(b *testing.B) {
	g, err := traffic.New(traffic.Config{Seed: 1, AppKey: "k", Start: time.Date(2031, 5, 14, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		b.Fatal(err)
	}
	text := []byte{'['}
	for range 1000 {
		text, _ = g.Next(text, traffic.Item)
		text = append(text, ',')
	}
	text[len(text)-1] = ']'
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if !rawjson.Valid(text) {
			b.Fatal("not valid")
		}
	}
}
