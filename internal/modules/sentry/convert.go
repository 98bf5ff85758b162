package sentry

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/symbols/minidump"
)

// Bounds of what is kept of an event.
const (
	maxLogs        = 128 << 10 // bytes of breadcrumbs
	maxData        = 1 << 10   // bytes of the data of a breadcrumb
	maxAttached    = 20        // files of an event that are named
	maxAttachment  = 16 << 10  // bytes of a file that is kept as text
	maxAttachments = 48 << 10  // of all of them
	maxDump        = 6 << 20   // bytes of a minidump
)

// sender is who sent an envelope.
type sender struct {
	app      *model.App
	now      time.Time
	ip       netip.Addr
	agent    string
	maxEvent int64
}

// requests turns items into requests of SDKs. dropped has a reason for each item that is in none.
func (s *sender) requests(items []item) (out []map[string]any, dropped []outcome.Reason) {
	drop := func(r outcome.Reason) { dropped = append(dropped, r) }
	var crash map[string]any // of the event that attachments belong to
	var bare bool            // it says nothing itself
	var files []item
	for _, it := range items {
		switch it.kind {
		case "event":
			req, inner, empty, ok := s.event(it.data)
			if !ok {
				drop(outcome.Malformed)
				continue
			}
			out = append(out, req)
			if crash == nil {
				crash, bare = inner, empty
			}
		case "transaction":
			if req, ok := s.transaction(it.data); ok {
				out = append(out, req)
			} else {
				drop(outcome.Malformed)
			}
		case "session":
			if req, reason := s.session(it.data); reason == outcome.Accepted {
				out = append(out, req)
			} else {
				drop(reason)
			}
		case "attachment":
			files = append(files, it)
		case "":
			drop(outcome.Malformed)
		default:
			drop(outcome.UnknownCall)
		}
	}
	return out, append(dropped, attach(crash, bare, files)...)
}

// attach adds files to a crash: a minidump, and texts that are small. A crash that is bare has its stacks from the minidump. It returns a reason for
// each file that is not kept.
func attach(crash map[string]any, bare bool, files []item) (dropped []outcome.Reason) {
	type attached struct {
		Name string `json:"name"`
		Type string `json:"type,omitempty"`
		Size int    `json:"size"`
		Text string `json:"text,omitempty"`
	}
	var list []attached
	left := maxAttachments
	for _, f := range files {
		if crash == nil || len(list) >= maxAttached {
			dropped = append(dropped, outcome.UnknownCall)
			continue
		}
		dump := f.attachment == "event.minidump" && len(f.data) <= maxDump && crash["_binary_crash_dump"] == nil
		a := attached{Name: request.Cut(f.name, 200), Type: request.Cut(f.mediaType, 100), Size: len(f.data)}
		switch {
		case dump:
			crash["_binary_crash_dump"] = base64.StdEncoding.EncodeToString(f.data)
			if bare && minidump.Is(f.data) {
				delete(crash, "_error")
				delete(crash, "_name")
			}
		case len(f.data) <= min(maxAttachment, left) && utf8.Valid(f.data) && !strings.ContainsRune(string(f.data), 0):
			a.Text = string(f.data)
			left -= len(f.data)
		default:
			dropped = append(dropped, outcome.UnknownCall) // it is named, and not kept
		}
		list = append(list, a)
	}
	if len(list) > 0 {
		crash["_attachments"] = list
	}
	return dropped
}

// base is a request of the user whom SDKs name, else of the address and the program that it came from. at is in ms, 0 = now.
func (s *sender) base(id, agent string, ip text, at stamp, release string) map[string]any {
	if id == "" {
		sum := sha256.Sum256([]byte("sentry\x00" + s.app.ID.String() + "\x00" + s.ip.String() + "\x00" + agent))
		id = "sentry-" + hex.EncodeToString(sum[:12])
	}
	out := map[string]any{"device_id": id, "sdk_name": "sentry"}
	if at > 0 {
		out["timestamp"] = int64(at)
	}
	from := s.ip
	if said, err := netip.ParseAddr(string(ip)); err == nil { // SDKs of servers say whose address it is
		from = said
	}
	if from.IsValid() {
		out["ip_address"] = from.String()
	}
	if release != "" {
		out["av"] = release
	}
	return out
}

// versionOf is the version in the name of a release: 1.2 of "shop@1.2+345".
func versionOf(release text) (version, build string) {
	_, v, found := strings.Cut(string(release), "@")
	if !found {
		v = string(release)
	}
	version, build, _ = strings.Cut(v, "+")
	return version, build
}

func first(list ...text) string {
	for _, t := range list {
		if t != "" {
			return string(t)
		}
	}
	return ""
}

// event turns an event into a request with a crash; inner is the crash, and bare says that it has neither an exception nor a message.
func (s *sender) event(data []byte) (req, inner map[string]any, bare, ok bool) {
	var e event
	data = rawjson.Trim(data)
	if int64(len(data)) > s.maxEvent || rawjson.KindOf(data) != rawjson.Object || read(data, &e) != nil {
		return nil, nil, false, false
	}
	agent := s.agent
	for i, name := range e.Request.Headers.names {
		if strings.EqualFold(name, "User-Agent") {
			agent = e.Request.Headers.values[i]
		}
	}
	version, build := versionOf(e.Release)
	if version == "" {
		version = string(e.Contexts.App.Version)
	}
	req = s.base(first(e.User.ID, e.User.Email, e.User.Username), agent, e.User.IP, e.Timestamp, version)
	if e.SDK.Name != "" {
		req["sdk_name"], req["sdk_version"] = e.SDK.Name, e.SDK.Version
	}
	details := map[string]any{}
	for name, v := range map[string]text{"name": e.User.Name, "username": e.User.Username, "email": e.User.Email} {
		if v != "" {
			details[name] = v
		}
	}
	if len(details) > 0 {
		req["user_details"] = details
	}
	inner = e.crash(version, first(e.Dist, e.Contexts.App.Build, text(build)))
	if e.Contexts.OS.Name == "" && agent != "" {
		req["metrics"] = map[string]any{"_ua": agent}
	}
	req["crash"] = inner
	bare = len(e.Exception.list) == 0 && e.LogEntry.text == "" && e.Message.text == "" && len(e.threadOf("")) == 0
	return req, inner, bare, true
}

// crash is the report of an event.
func (e *event) crash(version, build string) map[string]any {
	title, trace := e.error()
	c := map[string]any{"_error": trace, "_name": title, "_nonfatal": !e.fatal(), "_app_version": version}
	put := func(name string, v text) {
		if v != "" {
			c[name] = string(v)
		}
	}
	ctx := &e.Contexts
	put("_app_build", text(build))
	put("_os", ctx.OS.Name)
	put("_os_version", ctx.OS.Version)
	put("_device", ctx.Device.Model)
	put("_manufacture", text(first(ctx.Device.Manufacturer, ctx.Device.Brand)))
	put("_architecture", ctx.Device.Arch)
	put("_orientation", ctx.Device.Orientation)
	put("_browser", ctx.Browser.Name)
	put("_view", text(first(e.Transaction, e.Request.URL)))
	put("_event_id", e.EventID)
	put("_type", e.kind())
	for name, of := range map[string][2]number{"ram": {ctx.Device.Memory, ctx.Device.Free}, "disk": {ctx.Device.Storage, ctx.Device.FreeStorage}} {
		if of[0] > 0 && of[1] > 0 && of[1] <= of[0] {
			c["_"+name+"_total"], c["_"+name+"_current"] = math.Round(float64(of[0])/(1<<20)), math.Round(float64(of[0]-of[1])/(1<<20))
		}
	}
	if b := ctx.Device.Battery; b != nil && *b >= 0 && *b <= 100 {
		c["_bat_current"] = float64(*b)
	}
	for name, f := range map[string]flag{"_root": ctx.OS.Rooted, "_online": ctx.Device.Online} {
		if f.is != nil {
			c[name] = *f.is
		}
	}
	if f := ctx.App.Foreground.is; f != nil {
		c["_background"] = !*f
	}
	if run := int64(e.Timestamp-ctx.App.Start) / 1000; ctx.App.Start > 0 && run >= 0 {
		c["_run"] = run
	}
	if logs := e.logs(); logs != "" {
		c["_logs"] = logs
	}
	if images := e.images(); len(images) > 0 {
		c["_binary_images"] = images
	}
	custom := map[string]any{}
	for i, name := range e.Tags.names {
		custom[name] = e.Tags.values[i]
	}
	for name, v := range map[string]text{
		"environment": e.Environment, "level": e.Level, "logger": e.Logger, "release": e.Release, "server_name": e.ServerName, "runtime": ctx.Runtime.Name,
	} {
		if v != "" {
			custom[name] = string(v)
		}
	}
	if len(custom) > 0 {
		c["_custom"] = custom
	}
	return c
}

// kind is the mechanism by which the error was caught.
func (e *event) kind() text {
	if n := len(e.Exception.list); n > 0 {
		return e.Exception.list[n-1].Mechanism.Type
	}
	return ""
}

// fatal reports whether nothing handled the error.
func (e *event) fatal() bool {
	for _, x := range e.Exception.list {
		if x.Mechanism.Handled.is != nil && !*x.Mechanism.Handled.is {
			return true
		}
	}
	return e.Level == "fatal"
}

// logs are the breadcrumbs, a line each, the oldest first. Of too many the last are kept.
func (e *event) logs() string {
	var lines []string
	size := 0
	for _, b := range slices.Backward(e.Breadcrumbs.list) {
		var l strings.Builder
		if b.Timestamp > 0 {
			l.WriteString(time.UnixMilli(int64(b.Timestamp)).UTC().Format("2006-01-02T15:04:05.000Z "))
		}
		if b.Level != "" {
			l.WriteString("[" + string(b.Level) + "] ")
		}
		l.WriteString(first(b.Category, b.Type, "default"))
		if b.Message != "" {
			l.WriteString(": " + string(b.Message))
		}
		if d := rawjson.Trim(b.Data); rawjson.KindOf(d) == rawjson.Object && len(d) > 2 {
			l.WriteString(" " + request.Cut(string(d), maxData))
		}
		line := strings.ReplaceAll(l.String(), "\n", " ")
		if size += len(line) + 1; size > maxLogs {
			break
		}
		lines = append(lines, line)
	}
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	return strings.Join(lines, "\n")
}

// images are those of native code and the scripts with a debug id, as the symbols of crashes know them.
func (e *event) images() (out []map[string]any) {
	for _, img := range e.Debug.Images {
		if img.Type == "sourcemap" && img.CodeFile != "" && img.DebugID != "" {
			out = append(out, map[string]any{"name": string(img.CodeFile), "id": string(img.DebugID), "type": string(img.Type)})
			continue
		}
		start, ok := addressOf(img.Addr)
		if !ok {
			continue
		}
		one := map[string]any{"name": img.name(), "la": "0x" + strconv.FormatUint(start, 16)}
		if id := first(img.DebugID, img.UUID, img.CodeID); id != "" {
			one["id"] = id
		}
		if img.Size > 0 {
			one["end"] = "0x" + strconv.FormatUint(start+uint64(img.Size), 16)
		}
		out = append(out, one)
	}
	return out
}

func (i *image) name() string {
	name := first(i.CodeFile, i.DebugFile, i.Name, "?")
	return strings.ReplaceAll(path.Base(strings.ReplaceAll(name, `\`, "/")), " ", "_")
}

// addressOf reads an address: hexadecimal digits behind 0x, or a number.
func addressOf(t text) (uint64, bool) {
	n, err := strconv.ParseUint(string(t), 0, 64)
	return n, err == nil && n > 0
}

// transaction turns a transaction into a sample of performance.
func (s *sender) transaction(data []byte) (map[string]any, bool) {
	var e event
	data = rawjson.Trim(data)
	if int64(len(data)) > s.maxEvent || rawjson.KindOf(data) != rawjson.Object || read(data, &e) != nil || e.Transaction == "" || e.Start <= 0 || e.Timestamp < e.Start {
		return nil, false
	}
	version, _ := versionOf(e.Release)
	req := s.base(first(e.User.ID, e.User.Email, e.User.Username), s.agent, e.User.IP, e.Timestamp, version)
	req["apm"] = map[string]any{
		"type": "device", "name": e.Transaction, "stz": int64(e.Start), "etz": int64(e.Timestamp), "apm_metrics": map[string]any{"duration": int64(e.Timestamp - e.Start)},
	}
	return req, true
}

// session turns the state of a session into its begin, its end, or both. What comes in between changes nothing here: errors come as events.
func (s *sender) session(data []byte) (map[string]any, outcome.Reason) {
	var u session
	data = rawjson.Trim(data)
	if int64(len(data)) > s.maxEvent || rawjson.KindOf(data) != rawjson.Object || read(data, &u) != nil || u.ID == "" {
		return nil, outcome.Malformed
	}
	begins := u.Init.is != nil && *u.Init.is
	ends := u.Status == "exited" || u.Status == "crashed" || u.Status == "abnormal"
	at := u.Timestamp
	if begins && u.Started > 0 {
		at = u.Started
	}
	version, _ := versionOf(u.Attrs.Release)
	agent := first(u.Attrs.Agent, text(s.agent))
	id := string(u.User)
	req := s.base(id, s.agent, u.Attrs.IP, at, version)
	switch {
	case begins:
		metrics := map[string]any{"_app_version": version}
		if version == "" {
			delete(metrics, "_app_version")
		}
		if agent != "" {
			metrics["_ua"] = agent
		}
		req["begin_session"], req["metrics"] = "1", metrics
	case !ends:
		return nil, outcome.SessionCooldown
	}
	if ends {
		req["end_session"] = "1"
		if u.Duration > 0 {
			req["session_duration"] = int64(math.Round(min(float64(u.Duration), 1e9)))
		}
	}
	return req, outcome.Accepted
}
