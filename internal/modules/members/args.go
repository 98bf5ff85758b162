package members

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
)

// argsReq is a request whose fields are in the one parameter args.
type argsReq struct {
	Args params.Value `param:"args"`
}

// args are the fields of args that were sent; null counts as not sent.
type args map[string]json.RawMessage

// read returns nil when there is no usable args parameter.
func (r argsReq) read() args {
	var a args
	if json.Unmarshal(r.Args.Raw(), &a) != nil {
		return nil
	}
	for name, v := range a {
		if string(v) == "null" {
			delete(a, name)
		}
	}
	return a
}

func badArg(name string) error {
	return fault.Newf(fault.Invalid, "members.invalid_argument", "Invalid %s argument", name)
}

func (a args) text(name string) (*string, error) {
	raw, sent := a[name]
	if !sent {
		return nil, nil // not sent is no fault
	}
	var v string
	if json.Unmarshal(raw, &v) != nil {
		return nil, badArg(name)
	}
	return &v, nil
}

// flag reads a boolean, also from the text of one.
func (a args) flag(name string) (*bool, error) {
	raw, sent := a[name]
	if !sent {
		return nil, nil // not sent is no fault
	}
	var v bool
	switch strings.Trim(string(raw), `"`) {
	case "true", "1":
		v = true
	case "false", "0", "":
	default:
		return nil, badArg(name)
	}
	return &v, nil
}

// list reads an array of texts; an empty text, as forms send it, is an empty list.
func (a args) list(name string) ([]string, error) {
	raw, sent := a[name]
	if !sent {
		return nil, nil
	}
	out := []string{}
	if string(raw) == `""` {
		return out, nil
	}
	if json.Unmarshal(raw, &out) != nil {
		return nil, badArg(name)
	}
	return out, nil
}

func (a args) permission() (*model.Permission, error) {
	raw, sent := a["permission"]
	if !sent {
		return nil, nil // not sent is no fault
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		raw = json.RawMessage(text) // an object sent as text
	}
	var p model.Permission
	if json.Unmarshal(raw, &p) != nil {
		return nil, badArg("permission")
	}
	return &p, nil
}

// change reads the fields of a member. The first that cannot be read is the fault.
func (a args) change() (ch auth.MemberChange, err error) {
	for _, f := range []struct {
		name string
		dst  **string
	}{
		{"full_name", &ch.FullName}, {"username", &ch.Username}, {"password", &ch.Password}, {"email", &ch.Email}, {"lang", &ch.Lang},
	} {
		if *f.dst, err = a.text(f.name); err != nil {
			return ch, err
		}
	}
	if ch.GlobalAdmin, err = a.flag("global_admin"); err != nil {
		return ch, err
	}
	if ch.Locked, err = a.flag("locked"); err != nil {
		return ch, err
	}
	if ch.MustChangePassword, err = a.flag("must_change_password"); err != nil {
		return ch, err
	}
	if ch.Permission, err = a.permission(); err != nil {
		return ch, err
	}
	if ch.AdminOf, err = a.list("admin_of"); err != nil {
		return ch, err
	}
	ch.UserOf, err = a.list("user_of")
	return ch, err
}

// listed renders a fault of create and update as the wire has it: 400 and
// {"result":["text"]}. Faults of the server itself stay as they are.
func listed(err error) error {
	kind := fault.KindOf(err)
	if err == nil || kind == fault.Internal || kind == fault.Unavailable {
		return err
	}
	return &api.StatusError{Status: http.StatusBadRequest, Result: []string{message(err)}, Err: err}
}

func message(err error) string {
	var fe *fault.Error
	if !asFault(err, &fe) {
		return fmt.Sprint(err)
	}
	return fe.Msg
}
