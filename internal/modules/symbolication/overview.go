package symbolication

import (
	"context"
	"slices"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/store/docs"
)

// missingFor is how far back crashes without symbols are looked for.
const missingFor = 90 * 24 * time.Hour

// maxMissing is how many builds without symbols are listed.
const maxMissing = 200

// overview is what symbols an app has, what they take of its quota, and which builds lack some. Sizes are in bytes.
type overview struct {
	Symbols []entry `json:"symbols"` // the latest first
	Missing []lack  `json:"missing"` // those with the most reports first
	Used    int64   `json:"used"`
	Most    int64   `json:"most"`
	// MaxFiles is how many files an upload of JavaScript has, and MaxSymbols how many uploads the app.
	MaxFiles   int `json:"max_files"`
	MaxSymbols int `json:"max_symbols"`
	// Days is how far back crashes count for Missing.
	Days int `json:"days"`
	// ByKey says whether the key of the app is enough for an upload.
	ByKey bool `json:"by_key"`
}

// entry is a symbol with what its files take on disk, packed and unpacked.
type entry struct {
	ID       string   `json:"_id"`
	Platform string   `json:"platform"`
	Builds   []string `json:"builds"`
	Note     string   `json:"note"`
	TS       int64    `json:"ts"` // seconds
	ToolVer  string   `json:"sym_tool_ver"`
	Problem  string   `json:"problem"`
	Size     int64    `json:"size"`
	Files    []upload `json:"files"`
	Several  bool     `json:"several"`
}

// lack is a build that has crashes but no symbols that are read.
type lack struct {
	OS      string `json:"os"`
	Version string `json:"version"`
	Build   string `json:"build"`
	UUID    string `json:"uuid"`
	Reports int64  `json:"reports"`
	Last    int64  `json:"last"` // seconds
}

// overview answers with all symbols of the app and the builds that lack some.
func (s *service) overview(ctx context.Context, c api.Caller, _ api.None) (overview, error) {
	out := overview{
		Symbols: []entry{}, Missing: []lack{}, Most: s.cfg.MaxAppBytes, MaxFiles: s.cfg.MaxFiles, MaxSymbols: maxSymbols,
		Days: int(missingFor / (24 * time.Hour)), ByKey: s.settings.AppBool(c.App, feature, settingByKey),
	}
	var readable []symbol
	for sym, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{Limit: maxSymbols}) {
		if err != nil {
			return out, err
		}
		e := entry{
			ID: sym.ID, Platform: sym.Platform, Builds: sym.Build, Note: sym.Note, TS: sym.TS, ToolVer: sym.ToolVer, Problem: sym.Problem,
			Size: sym.size(), Files: sym.Uploads, Several: sym.Several,
		}
		out.Used += e.Size
		out.Symbols = append(out.Symbols, e)
		if sym.Problem == "" {
			readable = append(readable, sym)
		}
	}
	slices.Reverse(out.Symbols) // keys sort by time
	builds, err := s.crashes.Builds(ctx, c.App.ID, c.Now.Add(-missingFor).UnixMilli())
	for _, b := range builds {
		if len(out.Missing) < maxMissing && !slices.ContainsFunc(readable, func(sym symbol) bool { return sym.has(b) }) {
			out.Missing = append(out.Missing, lack{b.OS, b.Version, b.Build, b.UUID, b.Reports, b.Last / 1000})
		}
	}
	return out, err
}

// has reports whether a symbol is one of those that crashes of a build are symbolicated by.
func (s symbol) has(b kernel.CrashBuild) bool {
	return fits(s, b.OS) && slices.ContainsFunc(s.Build, func(name string) bool {
		return name != "" && (strings.EqualFold(name, b.Version) || strings.EqualFold(name, b.Build) || strings.EqualFold(name, b.UUID))
	})
}
