package crashes

import (
	"context"
	"time"

	"quipu/internal/kernel"
	"quipu/internal/model"
)

// Kept returns which of books that take so many bytes, read one after another, are kept when the memory is as it is. The last one is being read.
func Kept(memory kernel.Memory, sizes ...int64) []bool {
	s := &books{memory: func() kernel.Memory { return memory }, list: map[model.AppID]*book{}}
	ids := make([]model.AppID, len(sizes))
	for i, size := range sizes {
		ids[i] = model.NewID()
		s.list[ids[i]] = &book{size: size, used: time.Unix(int64(i), 0)}
	}
	s.evict(s.list[ids[len(ids)-1]])
	out := make([]bool, len(sizes))
	for i, id := range ids {
		out[i] = s.list[id] != nil
	}
	return out
}

// MoreFrequent is moreFrequent.
var MoreFrequent = moreFrequent

// Signature is the signature of a report.
func Signature(text, os string, nonfatal bool) string { return signatureOfText(text, os, nonfatal) }

// Drawn is drawn.
var Drawn = drawn

// Searching is what names have to meet that a text finds.
func Searching(text string) func(string) bool { return searching(text) }

// Frames are the frames of an error, with "*" in front of those of the app.
func Frames(text string) (out []string) {
	for _, f := range traceOf(text, "", false).frames {
		own := ""
		if f.own {
			own = "*"
		}
		out = append(out, own+f.function+"|"+f.file)
	}
	return out
}

// Course is the course of an app's counters, read from data.
func Course(ctx context.Context, data kernel.Data, app model.AppID) (map[string]any, error) {
	return (&service{data: data}).course(ctx, app, "", "")
}
