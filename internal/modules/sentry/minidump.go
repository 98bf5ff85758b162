package sentry

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/model"
	"quipu/internal/symbols/minidump"
)

// The fields of a form with a minidump.
const (
	dumpField  = "upload_file_minidump"
	eventField = "sentry"
)

// minidump takes a minidump as Crashpad and Breakpad upload it: a form with the dump, other files, and an event, whole or a field for each member.
func (s *service) minidump(c api.Caller, q sent) (accepted, error) {
	r := c.Request()
	app, err := s.app(r.Context(), keyOf(r, q))
	if err != nil {
		return accepted{}, err
	}
	body, h, err := s.heldBody(r.Context(), r)
	if err != nil {
		return accepted{}, s.unreadable(app.Key, err)
	}
	defer h.leave()
	items, err := s.formOf(r.Header.Get("Content-Type"), body, h)
	if err != nil {
		return accepted{}, s.unreadable(app.Key, err)
	}
	id := model.NewID().String() + "00000000" // as long as those that SDKs make
	return s.take(r.Context(), c, app, header{EventID: text(id)}, items)
}

// partCost is what is held for a byte of a part of a form, beside the body: a copy of it, its text in base64, and the request with that.
const partCost = 4

// part reads a part of a form. Its bytes are charged before they are held.
func (s *service) part(p io.Reader, h *held) ([]byte, error) {
	var out []byte
	for {
		if len(out) == cap(out) {
			more := max(cap(out), piece)
			if err := h.hold(partCost * int64(more)); err != nil {
				return nil, s.unread(err)
			}
			out = append(make([]byte, 0, cap(out)+more), out...)
		}
		n, err := p.Read(out[len(out):cap(out)])
		out = out[:len(out)+n]
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, errNoDump
		}
	}
}

// formOf reads a form: the event, the dump, and what else is attached. A body that is a dump is one without a form.
func (s *service) formOf(contentType string, body []byte, h *held) ([]item, error) {
	event := map[string]any{}
	var files []item
	if minidump.Is(body) {
		files = append(files, item{kind: "attachment", name: "minidump.dmp", data: body, attachment: "event.minidump"})
	} else {
		_, params, err := mime.ParseMediaType(contentType)
		if err != nil || params["boundary"] == "" {
			return nil, errNoDump
		}
		in := multipart.NewReader(bytes.NewReader(body), params["boundary"])
		for range maxItems {
			p, err := in.NextPart()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, errNoDump
			}
			data, err := s.part(p, h)
			if err != nil {
				return nil, err
			}
			switch name := p.FormName(); {
			case name == dumpField:
				if !minidump.Is(data) {
					return nil, errNoDump
				}
				files = append(files, item{kind: "attachment", name: p.FileName(), data: data, attachment: "event.minidump"})
			case p.FileName() != "":
				files = append(files, item{kind: "attachment", name: p.FileName(), mediaType: p.Header.Get("Content-Type"), data: data})
			default:
				setField(event, name, data)
			}
		}
	}
	hasDump := false
	for _, f := range files {
		hasDump = hasDump || f.attachment != ""
	}
	if !hasDump {
		return nil, errNoDump
	}
	if event["level"] == nil {
		event["level"] = "fatal"
	}
	whole, err := json.Marshal(event)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "sentry.bad_request", "the event cannot be read")
	}
	return append([]item{{kind: "event", data: whole}}, files...), nil
}

// setField adds a field of a form to an event: the whole of it, or one member as sentry[tags][plan].
func setField(event map[string]any, name string, data []byte) {
	if name == eventField {
		if data = rawjson.Trim(data); rawjson.KindOf(data) == rawjson.Object && rawjson.Valid(data) {
			_ = json.Unmarshal(data, &event) // valid, and an object
		}
		return
	}
	rest, ok := strings.CutPrefix(name, eventField+"[")
	if !ok || len(data) > maxHeader {
		return
	}
	keys := strings.Split(strings.TrimSuffix(rest, "]"), "][")
	if len(keys) > 4 {
		return
	}
	at := event
	for _, k := range keys[:len(keys)-1] {
		next, ok := at[k].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[k] = next
		}
		at = next
	}
	at[keys[len(keys)-1]] = string(data)
}
