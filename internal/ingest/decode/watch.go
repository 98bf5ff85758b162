package decode

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// Watcher looks at the requests that apps receive. It is called in the goroutine of the
// request, after the request was answered for.
type Watcher interface {
	// Wants reports whether the requests of an app are looked at. It is asked for every
	// request, so it must be quick.
	Wants(app *model.App) bool
	// Saw is notified of a request. What it is given is the watcher's to keep.
	Saw(s Seen)
}

// Seen is a request, or an item of a bulk request.
type Seen struct {
	App      *model.App
	Received int64 // ms
	IP       netip.Addr
	Method   string
	Header   http.Header // nil = not told
	Bulk     bool
	// Params are the parameters in the order received, as JSON text: values are texts.
	Params string
	// Values are the parameters that Params holds, by name.
	Values map[string]string
	// Status and Body are the answer. Refused says why the request, or the item, was not taken; "" = it was.
	Status  int
	Body    string
	Refused string
}

// Watchers are those who look at requests. They are added while the server is wired.
type Watchers struct{ list []Watcher }

// Add adds a watcher.
func (w *Watchers) Add(one Watcher) { w.list = append(w.list, one) }

// wanted reports whether anybody looks at an app's requests.
func (w *Watchers) wanted(app *model.App) bool {
	return w != nil && app != nil && slices.ContainsFunc(w.list, func(one Watcher) bool { return one.Wants(app) })
}

func (w *Watchers) saw(s Seen) {
	for _, one := range w.list {
		if one.Wants(s.App) {
			one.Saw(s)
		}
	}
}

// maxSeen bounds one parameter as watchers see it, in bytes.
const maxSeen = 32 << 10

// hidden stands for the value of a parameter that is a credential. An app's key
// is none: it is in every copy of the app.
const hidden = "…"

func credential(name string) bool {
	switch strings.ToLower(name) {
	case "api_key", "auth_token", "password", "password_hash", "old_pwd", "new_pwd", "secret", "csrf_token", "authorization", "cookie":
		return true
	}
	return false
}

// seen copies the parameters of a request, without credentials.
func seen(list []request.Param) (text string, values map[string]string) {
	values = map[string]string{}
	var b strings.Builder
	b.WriteByte('{')
	for _, p := range list {
		value := string(p.Value)
		if p.JSON && rawjson.KindOf(p.Value) == rawjson.String {
			var inner string
			if json.Unmarshal(p.Value, &inner) == nil {
				value = inner
			}
		}
		if credential(p.Name) {
			value = hidden
		}
		if len(value) > maxSeen {
			value = strings.ToValidUTF8(value[:maxSeen], "") + "…"
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name := strings.Clone(p.Name)
		writeQuoted(&b, name)
		b.WriteByte(':')
		writeQuoted(&b, value)
		values[name] = value
	}
	b.WriteByte('}')
	return b.String(), values
}

// writeQuoted writes a JSON string with <, > and & as they are.
func writeQuoted(b *strings.Builder, s string) {
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) == nil { // a string always can be
		b.WriteString(strings.TrimSuffix(text.String(), "\n"))
	}
}

// watch tells watchers of a request and its answer.
func (d *Decoder) watch(r *http.Request, app *model.App, params string, values map[string]string, a answer) {
	s := Seen{
		App: app, Received: d.o.Now().UnixMilli(), IP: d.clientAddr(r), Method: r.Method, Header: r.Header.Clone(),
		Params: params, Values: values, Status: a.status, Body: a.body,
	}
	switch a.body {
	case bodySuccess:
	case bodyDuplicate:
		s.Refused = outcome.Duplicate.String()
	default:
		var answer struct {
			Result string `json:"result"`
		}
		if json.Unmarshal([]byte(a.body), &answer) == nil {
			s.Refused = answer.Result
		}
	}
	d.o.Watch.saw(s)
}
