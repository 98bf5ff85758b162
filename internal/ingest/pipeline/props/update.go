package props

import (
	"errors"
	"strings"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// ErrUpdate says that an update document is not a JSON object.
var ErrUpdate = errors.New("props: update is not a JSON object")

// Update changes a profile by an update document as management calls send it:
// {"custom.flag":"1","name":"Ann"} sets, {"$inc":{"custom.visits":1}} modifies, and
// {"custom":{…}} is read like the custom part of user details. What it names
// beside named and custom properties is ignored. It returns whether anything is
// different now, or ErrUpdate.
func Update(p *model.Profile, doc []byte) (bool, error) {
	details, err := translate(doc)
	if err != nil {
		return false, err
	}
	return Apply(p, request.ParseUserDetails(details)), nil
}

// translate turns an update document into a user_details object.
func translate(doc []byte) ([]byte, error) {
	t := translator{named: []byte{'{'}}
	err := rawjson.Members(doc, func(key, v []byte) bool {
		name := string(rawjson.Unescape(nil, key))
		if strings.HasPrefix(name, "$") {
			_ = rawjson.Members(v, func(path, v []byte) bool { // an operator without an object asks for nothing
				t.path(string(rawjson.Unescape(nil, path)), name, v)
				return true
			})
			return true
		}
		t.path(name, "$set", v)
		return true
	})
	if err != nil {
		return nil, ErrUpdate
	}
	if len(t.custom) > 0 {
		t.named = append(member(t.named, "", "custom"), '{')
		t.named = append(append(t.named, t.custom...), '}')
	}
	return append(t.named, '}'), nil
}

type translator struct{ named, custom []byte }

// path adds one operation on one property; v is nil when it was nested too deep.
func (t *translator) path(path, op string, v []byte) {
	if v == nil {
		return
	}
	if name, ok := strings.CutPrefix(path, "custom."); ok {
		if op == "$set" {
			t.property(name, v)
			return
		}
		mod := append(member([]byte{'{'}, "", op), v...)
		t.property(name, append(mod, '}'))
		return
	}
	switch {
	case path == "custom":
		_ = rawjson.Members(v, func(key, v []byte) bool { // what is no object has no properties
			if v != nil {
				t.property(string(rawjson.Unescape(nil, key)), v)
			}
			return true
		})
	case op == "$unset":
		t.named = append(member(t.named, "", path), "null"...)
	case op == "$set":
		t.named = append(member(t.named, "", path), v...)
	}
}

func (t *translator) property(name string, v []byte) {
	if len(t.custom) > 0 {
		t.custom = append(t.custom, ',')
	}
	t.custom = append(rawjson.AppendQuote(t.custom, []byte(name)), ':')
	t.custom = append(t.custom, v...)
}
