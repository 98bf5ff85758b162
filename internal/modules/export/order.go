package export

import (
	"encoding/json"
	"regexp"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/params"
	"quipu/internal/table"
)

// order is an export that was asked for. It is stored as the parameters of a
// task, so it holds no credentials.
type order struct {
	As       auth.Proxy `json:"as"`
	Format   string     `json:"format"`
	Filename string     `json:"filename"`

	// Of documents and rows.
	Collection string          `json:"collection,omitempty"`
	Filter     json.RawMessage `json:"filter,omitempty"`
	Sort       string          `json:"sort,omitempty"`
	Desc       bool            `json:"desc,omitempty"`
	Skip       int64           `json:"skip,omitempty"`
	Limit      int64           `json:"limit,omitempty"`
	Index      bool            `json:"index,omitempty"`
	App        string          `json:"app,omitempty"` // of drill_events, when the filter does not say

	// Of a read.
	Path string          `json:"path,omitempty"`
	Data json.RawMessage `json:"data,omitempty"` // parameters; of a given export, the rows
	Prop string          `json:"prop,omitempty"`

	Fields  []string          `json:"fields,omitempty"` // projection
	Without bool              `json:"without,omitempty"`
	Titles  map[string]string `json:"titles,omitempty"` // columnNames
	Mapper  *mapping          `json:"mapper,omitempty"`
}

func (o *order) format() table.Format {
	f, _ := table.ParseFormat(o.Format)
	return f
}

// fileName returns the name of the file that is sent.
func (o *order) fileName() string { return o.Filename + "." + o.format().Ext() }

var unsafeName = regexp.MustCompile(`[^\pL\pN ._()\[\]+-]+`)

// safeName makes a file name of what was asked for: one that no system and no header
// takes for more than a name.
func safeName(s string) string {
	s = strings.Trim(unsafeName.ReplaceAllString(strings.ToValidUTF8(s, "_"), "_"), " .")
	if runes := []rune(s); len(runes) > 100 {
		s = string(runes[:100])
	}
	return s
}

// common reads the parameters that all exports have.
func common(as auth.Proxy, p *params.Params) order {
	o := order{As: as, Format: p.Text("type"), Filename: safeName(p.Text("filename"))}
	if o.Filename == "" {
		o.Filename = "export"
	}
	return o
}

// projection reads a parameter such as {"name":1} or {"custom":0}; what is none selects everything.
func projection(o *order, p *params.Params, names ...string) {
	for _, name := range names {
		var m map[string]any
		if p.Decode(name, &m) != nil {
			continue
		}
		include, exclude := []string{}, []string{}
		for field, on := range m {
			switch on {
			case 1.0, true, "1", "true":
				include = append(include, field)
			case 0.0, false, "0", "false":
				exclude = append(exclude, field)
			}
		}
		switch {
		case len(include) > 0:
			o.Fields, o.Without = include, false
		case len(exclude) > 0:
			o.Fields, o.Without = exclude, true
		default:
			continue
		}
		return
	}
}

// wants reports whether the projection keeps a path.
func (o *order) wants(path string) bool {
	if path == "_id" || len(o.Fields) == 0 {
		return true
	}
	for _, f := range o.Fields {
		if f == path || strings.HasPrefix(path, f+".") {
			return !o.Without
		}
	}
	return o.Without
}

// sorting reads a sort object such as {"ts":-1}; others are ignored.
func sorting(o *order, p *params.Params) {
	var m map[string]float64
	if p.Decode("sort", &m) != nil || len(m) != 1 {
		return
	}
	for field, direction := range m {
		o.Sort, o.Desc = field, direction < 0
	}
}

// texts reads a parameter that maps fields to texts; what is none maps nothing.
func texts(p *params.Params, name string) map[string]string {
	var m map[string]string
	if p.Decode(name, &m) != nil {
		return nil
	}
	return m
}

// dbOrder reads the parameters of /o/export/db.
func (s *service) dbOrder(as auth.Proxy, p *params.Params) (order, error) {
	o := common(as, p)
	o.Collection = p.Text("collection")
	if o.Collection == "" {
		return o, api.MissingParam("collection")
	}
	raw, err := filterParam(p)
	if err != nil {
		return o, err
	}
	o.Filter = raw
	projection(&o, p, "projection", "project")
	sorting(&o, p)
	o.Skip = max(int64(p.Int("skip", 0)), 0)
	if limit := int64(p.Int("limit", 0)); limit > 0 {
		o.Limit = min(limit, int64(s.settings.Number("api", "export_limit")))
	}
	o.App = p.Text("app_id")
	var index any
	if p.Decode("get_index", &index) == nil {
		o.Index = index != nil && index != false && index != 0.0 && index != ""
	}
	o.Titles = texts(p, "columnNames")
	o.Mapper = mappingParam(p, "formatFields")
	switch p.Text("db") {
	case "", "countly", "countly_drill":
		return o, nil
	}
	return o, errNoCollection
}

// filterParam reads filter, or query.
func filterParam(p *params.Params) (json.RawMessage, error) {
	for _, name := range []string{"filter", "query"} {
		if !p.Has(name) {
			continue
		}
		v, _ := p.Get(name)
		raw := v.Raw()
		if _, err := filter.Parse(raw); err != nil {
			return nil, fault.Newf(fault.Invalid, "export.bad_query", "Failed to parse query. %s", reason(err))
		}
		return raw, nil
	}
	return nil, nil
}

func reason(err error) string {
	if fe, ok := asFault(err); ok {
		return fe.Msg
	}
	return "It is no filter"
}

// requestOrder reads the parameters of /o/export/request and requestQuery.
func (s *service) requestOrder(as auth.Proxy, p *params.Params) (order, error) {
	o := common(as, p)
	o.Path = p.Text("path")
	if o.Path == "" {
		return o, api.MissingParam("path")
	}
	if !strings.HasPrefix(o.Path, "/") {
		o.Path = "/" + o.Path
	}
	o.Prop = p.Text("prop")
	data := map[string]json.RawMessage{}
	if p.Decode("data", &data) != nil || data == nil {
		data = map[string]json.RawMessage{}
	}
	// What stands in the path's query counts like data; data wins.
	path, inPath, _ := strings.Cut(o.Path, "?")
	o.Path = path
	params.EachPair(inPath, func(name, value string) bool {
		if _, ok := data[name]; !ok {
			data[name] = textJSON(value)
		}
		return true
	})
	for _, name := range []string{"api_key", "auth_token"} {
		delete(data, name)
	}
	if _, ok := data["app_id"]; !ok && p.Has("app_id") {
		data["app_id"] = textJSON(p.Text("app_id"))
	}
	if _, ok := data["method"]; !ok && p.Has("method") && o.Path == "/o" {
		data["method"] = textJSON(p.Text("method"))
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return o, err
	}
	o.Data = raw
	projection(&o, p, "projection")
	o.Titles = texts(p, "columnNames")
	if o.Mapper = mappingParam(p, "mapper"); len(o.Mapper.copies()) > maxCopies {
		return o, errManyCopies
	}
	return o, nil
}

func textJSON(s string) json.RawMessage {
	b, err := json.Marshal(s)
	if err != nil { // text always marshals
		return json.RawMessage(`""`)
	}
	return b
}

// parameters makes request parameters of an object.
func parameters(data json.RawMessage) (*params.Params, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	p := &params.Params{}
	for name, raw := range m {
		var text string
		if json.Unmarshal(raw, &text) == nil && raw[0] == '"' {
			p.Set(name, params.Value{Text: text})
		} else {
			p.Set(name, params.Value{JSON: raw})
		}
	}
	return p, nil
}
