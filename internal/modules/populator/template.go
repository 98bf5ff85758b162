package populator

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// Template says what an imagined app has and what its users do. docs/reference/populator.md
// describes its lists.
type Template struct {
	ID           string          `json:"_id"`
	App          model.AppID     `json:"app_id"` // zero: comes along with the server
	Name         string          `json:"name"`
	Users        int64           `json:"uniqueUserCount"`
	Platforms    []string        `json:"platformType"`
	Default      bool            `json:"isDefault"`
	LastEditedBy string          `json:"lastEditedBy"`
	Properties   json.RawMessage `json:"users"`
	Events       json.RawMessage `json:"events"`
	Views        json.RawMessage `json:"views"`
	Sequences    json.RawMessage `json:"sequences"`
	Behavior     json.RawMessage `json:"behavior"`
	GeneratedOn  int64           `json:"generatedOn"` // ms
}

// Key returns the id.
func (t Template) Key() string { return t.ID }

// Bounds of templates.
const (
	maxTemplates = 200       // of an app
	maxTemplate  = 256 << 10 // bytes of all lists
	maxName      = 256       // bytes
	maxCount     = 10_000_000
	maxPlatforms = 20
)

// Validate bounds what people may write.
func (t Template) Validate() error {
	if len(t.Properties)+len(t.Events)+len(t.Views)+len(t.Sequences)+len(t.Behavior) > maxTemplate {
		return fault.New(fault.TooLarge, "populator.too_large", "The template is too large")
	}
	if t.Name == "" || len(t.Name) > maxName {
		return fault.New(fault.Invalid, "populator.bad_template", "Invalid params: name")
	}
	return nil
}

// templateSpec declares the collection of people's own templates.
func templateSpec() docs.Spec[Template] {
	return docs.Spec[Template]{Name: "populator.templates", Version: 1, Search: []docs.Field{".name"}, Indexes: []docs.Index[Template]{
		{Name: "name", Path: ".name", Unique: true},
	}}
}

// templateReq are the parameters of create and edit, which readTemplate reads.
type templateReq struct {
	Name      params.Value `param:"name"`
	Count     params.Value `param:"uniqueUserCount"`
	Platforms params.Value `param:"platformType"`
	Users     params.Value `param:"users"`
	Events    params.Value `param:"events"`
	Views     params.Value `param:"views"`
	Sequences params.Value `param:"sequences"`
	Behavior  params.Value `param:"behavior"`
	Default   params.Value `param:"isDefault"`
}

// checkTemplate is the check that comes before the credentials.
func checkTemplate(p *params.Params) error {
	_, err := readTemplate(p)
	return err
}

// readTemplate reads the parameters of create and edit, and reports all that is wrong with them.
func readTemplate(p *params.Params) (Template, error) {
	var t Template
	var bad []string
	name, _ := p.Get("name")
	if t.Name = strings.TrimSpace(name.String()); t.Name == "" {
		bad = append(bad, "Missing name")
	} else if len(t.Name) > maxName || strings.ContainsRune(t.Name, 0) || !isText(name) {
		bad = append(bad, "Invalid type for name")
	}
	count, err := strconv.ParseFloat(strings.TrimSpace(p.Text("uniqueUserCount")), 64)
	switch {
	case !p.Has("uniqueUserCount"):
		bad = append(bad, "Missing uniqueUserCount")
	case err != nil || count < 1 || count > maxCount || count != math.Trunc(count):
		bad = append(bad, "Invalid type for uniqueUserCount")
	default:
		t.Users = int64(count)
	}
	platforms, sent := p.Get("platformType")
	switch {
	case !sent || platforms.String() == "":
		bad = append(bad, "Missing platformType")
	case platforms.Brackets || json.Unmarshal(platforms.Raw(), &t.Platforms) != nil || len(t.Platforms) == 0 || !short(t.Platforms):
		bad = append(bad, "Invalid type for platformType")
	}
	for _, list := range []struct {
		name string
		dst  *json.RawMessage
	}{{"users", &t.Properties}, {"events", &t.Events}, {"views", &t.Views}, {"sequences", &t.Sequences}} {
		var elements []json.RawMessage
		v, sent := p.Get(list.name)
		if *list.dst = json.RawMessage("[]"); !sent || v.String() == "" {
			continue
		}
		if json.Unmarshal(v.Raw(), &elements) != nil || elements == nil {
			bad = append(bad, "Invalid type for "+list.name)
			continue
		}
		*list.dst = compact(v.Raw())
	}
	t.Behavior = json.RawMessage("{}")
	var behavior map[string]json.RawMessage
	wrongBehavior := false
	if v, sent := p.Get("behavior"); sent && v.String() != "" {
		if json.Unmarshal(v.Raw(), &behavior) != nil || behavior == nil {
			wrongBehavior = true
		} else {
			t.Behavior = compact(v.Raw())
		}
	}
	t.Default = p.Text("isDefault") == "true"
	switch {
	case len(bad) > 0:
		return t, fault.New(fault.Invalid, "populator.bad_template", "Invalid params: "+strings.Join(bad, ", "))
	case wrongBehavior:
		return t, fault.New(fault.Invalid, "populator.bad_behavior", "Invalid type for behavior!")
	}
	return t, nil
}

// isText reports whether a parameter is text, be it in JSON.
func isText(v params.Value) bool {
	var s string
	return v.IsText() || !v.Brackets && json.Unmarshal(v.JSON, &s) == nil
}

func short(list []string) bool {
	if len(list) > maxPlatforms {
		return false
	}
	for _, s := range list {
		if s == "" || len(s) > 64 {
			return false
		}
	}
	return true
}

// compact rewrites valid JSON, with text that a store takes.
func compact(raw []byte) json.RawMessage {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return json.RawMessage("null")
	}
	out, err := json.Marshal(v)
	if err != nil { // what was read can be written
		return json.RawMessage("null")
	}
	return out
}
