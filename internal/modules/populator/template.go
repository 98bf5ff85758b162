package populator

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"quipu/internal/api"
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

// templateReq are the parameters of create and edit.
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
	r, err := api.Bind[templateReq](p)
	if err == nil {
		_, err = r.template()
	}
	return err
}

// template makes what was sent a template, and reports all that is wrong with it.
func (r templateReq) template() (Template, error) {
	var t Template
	var bad []string
	if t.Name = strings.TrimSpace(r.Name.String()); t.Name == "" {
		bad = append(bad, "Missing name")
	} else if len(t.Name) > maxName || strings.ContainsRune(t.Name, 0) || !isText(r.Name) {
		bad = append(bad, "Invalid type for name")
	}
	count, err := strconv.ParseFloat(strings.TrimSpace(r.Count.String()), 64)
	switch {
	case r.Count.String() == "":
		bad = append(bad, "Missing uniqueUserCount")
	case err != nil || count < 1 || count > maxCount || count != math.Trunc(count):
		bad = append(bad, "Invalid type for uniqueUserCount")
	default:
		t.Users = int64(count)
	}
	switch {
	case r.Platforms.String() == "":
		bad = append(bad, "Missing platformType")
	case r.Platforms.Brackets || json.Unmarshal(r.Platforms.Raw(), &t.Platforms) != nil || len(t.Platforms) == 0 || !short(t.Platforms):
		bad = append(bad, "Invalid type for platformType")
	}
	for _, list := range []struct {
		name string
		v    params.Value
		dst  *json.RawMessage
	}{{"users", r.Users, &t.Properties}, {"events", r.Events, &t.Events}, {"views", r.Views, &t.Views}, {"sequences", r.Sequences, &t.Sequences}} {
		var elements []json.RawMessage
		if *list.dst = json.RawMessage("[]"); list.v.String() == "" {
			continue
		}
		if json.Unmarshal(list.v.Raw(), &elements) != nil || elements == nil {
			bad = append(bad, "Invalid type for "+list.name)
			continue
		}
		*list.dst = compact(list.v.Raw())
	}
	t.Behavior = json.RawMessage("{}")
	var behavior map[string]json.RawMessage
	wrongBehavior := false
	if r.Behavior.String() != "" {
		if json.Unmarshal(r.Behavior.Raw(), &behavior) != nil || behavior == nil {
			wrongBehavior = true
		} else {
			t.Behavior = compact(r.Behavior.Raw())
		}
	}
	t.Default = r.Default.String() == "true"
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
