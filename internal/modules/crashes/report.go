package crashes

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
)

// Bounds of what is kept of a report, in bytes unless they say otherwise. Longer values are cut.
const (
	maxReport   = 64 << 10  // reports up to here are kept as they came
	maxError    = 256 << 10 // the stack
	maxLogs     = 256 << 10
	maxImages   = 1 << 20 // the list of binary images
	maxDump     = 8 << 20 // a binary dump as base64
	maxText     = 1024    // any other text, and the property of the row that holds it
	maxMembers  = 200     // members of the report
	maxCustom   = 50      // custom segments that are counted
	maxName     = 128     // of a custom segment
	maxValue    = 256     // of a custom segment, as it is counted
	maxPercent  = 1e6     // of memory, storage and battery
	dumpMember  = "_binary_crash_dump"
	imageMember = "_binary_images"
)

// report is a crash as a client sent it. Texts are as they were sent; numbers and booleans may have come as texts.
type report struct {
	error, name string // name is "" when none was sent
	nonfatal    bool
	texts       map[string]string  // by the name of the property
	numbers     map[string]float64 // by the name of the property
	flags       map[string]bool    // by the name of the property
	custom      []segment
	members     []member // all that was sent, in its order
	dump        []byte   // a minidump that the error was made of; nil = the error is what was sent
	key         string   // what reports of one group have in common; "" = the error
}

// segment is a custom segment with its value as text.
type segment struct{ name, value string }

// member is one of the report's members as JSON.
type member struct {
	key   string
	value []byte
}

// textMembers are the members that are properties of text, by what they are called in reports.
var textMembers = map[string]string{
	"_os": "os", "_os_version": "os_version", "_app_version": "app_version", "_manufacture": "manufacture", "_manufacturer": "manufacture",
	"_device": "device", "_resolution": "resolution", "_cpu": "cpu", "_architecture": "cpu", "_opengl": "opengl", "_orientation": "orientation",
	"_browser": "browser", "_view": "view", "_type": "type", "_app_build": "app_build", "_build_uuid": "build_uuid", "_executable_name": "executable_name",
}

// numberMembers are the members that are numbers.
var numberMembers = map[string]string{
	"_ram_current": "ram_current", "_ram_total": "ram_total", "_disk_current": "disk_current", "_disk_total": "disk_total",
	"_bat_current": "bat_current", "_bat": "bat_current", "_bat_total": "bat_total", "_run": "run",
}

// flagMembers are the members that are switches.
var flagMembers = map[string]string{
	"_root": "root", "_online": "online", "_muted": "muted", "_signal": "signal", "_background": "background",
}

// parse reads a report; false when raw is no JSON object.
func parse(raw []byte) (report, bool) {
	r := report{texts: map[string]string{}, numbers: map[string]float64{}, flags: map[string]bool{}}
	err := rawjson.Members(raw, func(key, v []byte) bool {
		if len(r.members) >= maxMembers {
			return false
		}
		name := string(rawjson.Unescape(nil, key))
		r.members = append(r.members, member{name, v})
		r.member(name, v)
		return true
	})
	if err != nil {
		return report{}, false
	}
	r.readDump()
	r.readBinary()
	r.error = request.Cut(r.error, maxError)
	return r, true
}

func (r *report) member(name string, v []byte) {
	text, scalar := scalarText(v)
	switch {
	case name == "_error":
		r.error = text
	case name == "_name":
		r.name = request.Cut(text, maxText)
	case name == "_nonfatal":
		r.nonfatal = on(text)
	case name == "_custom":
		r.custom = customOf(v)
	case !scalar || text == "":
	case textMembers[name] != "":
		if to := textMembers[name]; r.texts[to] == "" {
			r.texts[to] = request.Cut(text, maxText)
		}
	case numberMembers[name] != "":
		if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && !math.IsInf(n, 0) && !math.IsNaN(n) {
			r.numbers[numberMembers[name]] = n
		}
	case flagMembers[name] != "":
		r.flags[flagMembers[name]] = on(text)
	}
}

// scalarText returns the text of a value; false for what is none: null, an object, a list.
func scalarText(v []byte) (string, bool) {
	switch rawjson.KindOf(v) {
	case rawjson.String:
		text, _ := rawjson.Text(nil, v)
		return string(text), true
	case rawjson.Number:
		if f, ok := rawjson.Float(v); ok {
			return strconv.FormatFloat(f, 'f', -1, 64), true
		}
	case rawjson.Bool:
		return string(v), true
	case rawjson.Invalid, rawjson.Null, rawjson.Array, rawjson.Object:
	}
	return "", false
}

// on reports whether a switch is on.
func on(text string) bool {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "0", "0.0", "false", "no", "null":
		return false
	}
	return true
}

// object returns a JSON object that was sent as such, or as text; nil when it is none.
func object(v []byte) []byte {
	if rawjson.KindOf(v) == rawjson.String {
		text, _ := rawjson.Text(nil, v)
		v = rawjson.Trim(text)
	}
	if rawjson.KindOf(v) != rawjson.Object || !rawjson.Valid(v) {
		return nil
	}
	return v
}

// customOf returns the custom segments that are counted: those with a value that is a text, a number or a boolean.
func customOf(v []byte) (out []segment) {
	v = object(v)
	if v == nil {
		return nil
	}
	_ = rawjson.Members(v, func(key, v []byte) bool { // object checked it
		name := request.Cut(string(rawjson.Unescape(nil, key)), maxName)
		text, ok := scalarText(v)
		if !ok || name == "" || slices.ContainsFunc(out, func(s segment) bool { return s.name == name }) {
			return true
		}
		out = append(out, segment{name, request.Cut(text, maxValue)})
		return len(out) < maxCustom
	})
	return out
}

// percent returns how much of a resource was in use; false when the report does not say.
func (r *report) percent(of string) (float64, bool) {
	current, ok := r.numbers[of+"_current"]
	total, known := r.numbers[of+"_total"]
	if of == "bat" && !known {
		total, known = 100, true // a battery's charge comes in percent
	}
	if !ok || !known || total <= 0 || current < 0 {
		return 0, false
	}
	return min(current*100/total, maxPercent), true
}

// stored is the report as the row keeps it: as it came, or, when that is large, with its members cut.
func (r *report) stored(raw []byte) string {
	if len(raw) <= maxReport {
		return string(raw)
	}
	b := []byte{'{'}
	for _, m := range r.members {
		v := cutMember(m)
		if v == nil {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(rawjson.AppendQuote(b, []byte(m.key)), ':')
		b = append(b, v...)
	}
	return string(append(b, '}'))
}

// cutMember returns a member's value within its bound; nil when it cannot be cut to it.
func cutMember(m member) []byte {
	most := map[string]int{"_error": maxError, "_logs": maxLogs, imageMember: maxImages, dumpMember: maxDump, "_custom": maxReport}[m.key]
	if most == 0 {
		most = maxText
	}
	if len(m.value) <= most {
		return m.value
	}
	if rawjson.KindOf(m.value) != rawjson.String || m.key == dumpMember {
		return nil // half a list or a dump is of no use
	}
	text, _ := rawjson.Text(nil, m.value)
	if m.key == "_error" && len(text) <= maxDump && isBinary(string(text)) {
		return m.value
	}
	return rawjson.AppendQuote(nil, []byte(request.Cut(string(text), most)))
}

// shown are the members of a report that have their own form on the wire; all others are shown under their name without the underscore.
var shown = map[string]bool{"_error": true, "_name": true, "_nonfatal": true, "_custom": true, dumpMember: true, imageMember: true}

// wire writes the report as reads show it, without what stands in the row beside it.
func (r *report) wire() map[string]any {
	out := map[string]any{"nonfatal": r.nonfatal, "error": r.display(r.error)}
	for _, m := range r.members {
		switch {
		case m.key == "_custom":
			if v := object(m.value); v != nil {
				out["custom"] = json.RawMessage(v)
			}
		case m.key == imageMember:
			out["binary_images"] = jsonText(m.value)
		case m.key == dumpMember:
			out["binary_crash_dump"] = true
		case shown[m.key] || textMembers[m.key] != "" || numberMembers[m.key] != "" || flagMembers[m.key] != "":
		default:
			if key := strings.TrimPrefix(m.key, "_"); key != "" && !reservedKey(key) && rawjson.KindOf(m.value) != rawjson.Null {
				out[key] = json.RawMessage(m.value)
			}
		}
	}
	for k, v := range r.texts {
		out[k] = v
	}
	for k, v := range r.numbers {
		out[k] = v
	}
	for k, v := range r.flags {
		out[k] = 0
		if v {
			out[k] = 1
		}
	}
	if r.dump != nil {
		out["binary_crash_dump"] = true
	}
	out["name"] = r.title()
	return out
}

// display is the error of the report as people read it.
func (r *report) display(text string) string {
	if r.dump != nil {
		return text
	}
	return display(text)
}

// reservedKey reports whether a key of a report on the wire is the server's.
func reservedKey(key string) bool {
	return slices.Contains([]string{"id", "_id", "group", "uid", "ts", "error", "nonfatal", "name", "session", "custom", "binary_images", "binary_crash_dump"}, key)
}

// jsonText is JSON as text; what was text already stays it.
func jsonText(v []byte) string {
	if text, ok := scalarText(v); ok {
		return text
	}
	return string(v)
}
