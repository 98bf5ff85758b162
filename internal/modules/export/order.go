package export

import (
	"encoding/json"
	"regexp"
	"strconv"
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

// order begins an order with what all exports have.
func (r asFile) order(as auth.Proxy) order {
	o := order{As: as, Format: r.Type, Filename: safeName(r.Filename)}
	if o.Filename == "" {
		o.Filename = "export"
	}
	return o
}

// projection reads parameters such as {"name":1} or {"custom":0}, of which the first counts that is one; without it everything is selected.
func projection(o *order, values ...params.Value) {
	for _, v := range values {
		var m map[string]any
		if json.Unmarshal(v.Raw(), &m) != nil {
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
func sorting(o *order, v params.Value) {
	var m map[string]float64
	if json.Unmarshal(v.Raw(), &m) != nil || len(m) != 1 {
		return
	}
	for field, direction := range m {
		o.Sort, o.Desc = field, direction < 0
	}
}

// texts reads a parameter that maps fields to texts; what is none maps nothing.
func texts(v params.Value) map[string]string {
	var m map[string]string
	if json.Unmarshal(v.Raw(), &m) != nil {
		return nil
	}
	return m
}

// dbOrder makes the order of an export of a collection.
func (s *service) dbOrder(as auth.Proxy, r dbReq) (order, error) {
	o := r.order(as)
	o.Collection = r.Collection
	if o.Collection == "" {
		return o, api.MissingParam("collection")
	}
	raw, err := filterOf(r.Filter, r.Query)
	if err != nil {
		return o, err
	}
	o.Filter = raw
	projection(&o, r.Projection, r.Project)
	sorting(&o, r.Sort)
	o.Skip = max(whole(r.Skip), 0)
	if limit := whole(r.Limit); limit > 0 {
		o.Limit = min(limit, int64(s.settings.Number("api", "export_limit")))
	}
	o.App = r.AppID
	var index any
	if json.Unmarshal(r.GetIndex.Raw(), &index) == nil {
		o.Index = index != nil && index != false && index != 0.0 && index != ""
	}
	o.Titles = texts(r.Titles)
	o.Mapper = mappingOf(r.Mapper)
	switch r.DB {
	case "", "countly", "countly_drill":
		return o, nil
	}
	return o, errNoCollection
}

// whole reads a whole number; what is none is 0.
func whole(v params.Value) int64 {
	n, _ := strconv.Atoi(strings.TrimSpace(v.String()))
	return int64(n)
}

// filterOf reads the first filter that was sent.
func filterOf(values ...params.Value) (json.RawMessage, error) {
	for _, v := range values {
		if v.String() == "" {
			continue
		}
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

// requestOrder makes the order of an export of an answer.
func (s *service) requestOrder(as auth.Proxy, r requestReq) (order, error) {
	o := r.order(as)
	o.Path = r.Path
	if o.Path == "" {
		return o, api.MissingParam("path")
	}
	if !strings.HasPrefix(o.Path, "/") {
		o.Path = "/" + o.Path
	}
	o.Prop = r.Prop
	data := map[string]json.RawMessage{}
	if json.Unmarshal(r.Data.Raw(), &data) != nil || data == nil {
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
	if _, ok := data["app_id"]; !ok && r.AppID != "" {
		data["app_id"] = textJSON(r.AppID)
	}
	if _, ok := data["method"]; !ok && r.Method != "" && o.Path == "/o" {
		data["method"] = textJSON(r.Method)
	}
	raw, err := json.Marshal(data)
	if err != nil {
		return o, err
	}
	o.Data = raw
	projection(&o, r.Projection)
	o.Titles = texts(r.Titles)
	if o.Mapper = mappingOf(r.Mapper); len(o.Mapper.copies()) > maxCopies {
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
