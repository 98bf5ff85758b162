package crashes

import (
	"context"
	"strings"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/symbols/minidump"
	"quipu/internal/symbols/plcrash"
)

// isDump reports whether a text may be a minidump in base64.
func isDump(text string) bool { return strings.HasPrefix(text, "TURNU") }

// isBinary reports whether a text may be a minidump or a binary report of PLCrashReporter in base64.
func isBinary(text string) bool { return isDump(text) || plcrash.Maybe(text) }

// readBinary makes the error of a report of the binary report of PLCrashReporter that it has in place of it, or as its dump where there is no error. One that cannot be
// read leaves the report as it is.
func (r *report) readBinary() {
	text := r.error
	if strings.TrimSpace(text) == "" {
		for _, m := range r.members {
			if m.key == dumpMember {
				text, _ = scalarText(m.value)
			}
		}
	}
	b, ok := plcrash.Decode(text)
	if !ok {
		return
	}
	read, err := plcrash.Parse(b)
	if err != nil {
		if r.error != "" {
			r.error = "Report of PLCrashReporter that cannot be read"
		}
		return
	}
	r.error = read.Text
	for name, v := range map[string]string{
		"os": read.OS, "os_version": read.OSVersion, "cpu": read.CPU, "app_version": read.Version, "app_build": read.Build, "executable_name": strings.ReplaceAll(read.Program, " ", "_"),
	} {
		if r.texts[name] == "" && v != "" {
			r.texts[name] = v
		}
	}
}

// sentDump returns the minidump of a report that has no stack of its own: SDKs of native code send it as their dump, or in place of the error.
func (r *report) sentDump() []byte {
	if isDump(r.error) {
		dump, ok := minidump.Decode(r.error)
		if ok {
			return dump
		}
	}
	if strings.TrimSpace(r.error) != "" {
		return nil
	}
	for _, m := range r.members {
		if m.key != dumpMember || rawjson.KindOf(m.value) != rawjson.String {
			continue
		}
		text, _ := rawjson.Text(nil, m.value)
		if dump, ok := minidump.Decode(string(text)); ok {
			return dump
		}
	}
	return nil
}

// readDump makes the error of a report of its minidump: the stacks, as far as they can be walked without symbols. A dump that cannot be read
// leaves the report as it is.
func (r *report) readDump() {
	dump := r.sentDump()
	if dump == nil {
		return
	}
	p, err := minidump.Parse(dump)
	if err != nil {
		if isDump(r.error) {
			r.error = "Minidump that cannot be read"
		}
		return
	}
	read, err := p.Read(context.Background(), nil) // it is bounded by the dump, and reads nothing else
	if err != nil {
		return
	}
	r.dump, r.error, r.key = dump, read.Text, read.Key
	for name, v := range map[string]string{"os": p.OS, "os_version": p.Version, "cpu": p.CPU} {
		if r.texts[name] == "" && v != "unknown" && v != "" {
			r.texts[name] = v
		}
	}
}
