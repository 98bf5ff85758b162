package appusers

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/query"
)

// change is a property of a user that took another value. Times are ms.
type change struct {
	TS int64 `json:"ts"`
	// Exact is false where no request made the change: TS is then when the app's last request before arrived.
	Exact bool   `json:"exact"`
	Prop  string `json:"property"` // as filters call it: av, custom.plan
	From  any    `json:"from"`     // null = there was none
	To    any    `json:"to"`
}

// initial is what was known of a user in the oldest state that is kept.
type initial struct {
	TS    int64          `json:"ts"`
	Props map[string]any `json:"properties"`
}

// historyDoc is what a history has beside the profile.
type historyDoc struct {
	Values  map[string]any `json:"history"`
	Changes []change       `json:"changes"`
	Total   int            `json:"total"` // changes that match
	Initial *initial       `json:"initial,omitempty"`
	States  int64          `json:"states"`
	Partial bool           `json:"partial,omitempty"` // there are older states than were read
}

// history answers with a profile, the values that its properties had in a period, and each change of them, the latest first.
func (s *service) history(ctx context.Context, c api.Caller, r detailsReq, p *model.Profile) (any, error) {
	when := s.period(c, r)
	states, total, err := s.tables.StatesOfUser(ctx, c.App.ID, p.UID)
	if err != nil {
		return nil, err
	}
	docs, err := s.documents(ctx, c, []*model.Profile{p})
	if err != nil {
		return nil, err
	}
	h := historyOf(states, when.Start, end(when), strings.ToLower(strings.TrimSpace(r.Search)))
	h.States, h.Partial = total, int64(len(states)) < total
	from, n := r.Part(defaultPage, maxPage)
	h.Total = len(h.Changes)
	h.Changes = h.Changes[min(from, h.Total):min(from+n, h.Total)]
	out := docs[0]
	out["history"], out["changes"], out["total"], out["states"] = h.Values, h.Changes, h.Total, h.States
	if h.Initial != nil {
		out["initial"] = h.Initial
	}
	if h.Partial {
		out["partial"] = true
	}
	return out, nil
}

// historyOf compares each state with the one before. Changes and values are those of states that hold in the window.
func historyOf(states []query.UserState, from, to int64, search string) historyDoc {
	h := historyDoc{Values: map[string]any{}, Changes: []change{}}
	for i, st := range states {
		props := shortened(st.Props)
		holds := st.TS <= to && (i == len(states)-1 || states[i+1].TS >= from)
		if holds {
			note(h.Values, props)
		}
		if i == 0 {
			h.Initial = &initial{TS: st.TS, Props: props}
			continue
		}
		if st.TS < from || st.TS > to {
			continue
		}
		before := shortened(states[i-1].Props)
		for _, key := range slices.Sorted(maps.Keys(union(before, props))) {
			if reflect.DeepEqual(before[key], props[key]) || !strings.Contains(strings.ToLower(key), search) {
				continue
			}
			h.Changes = append(h.Changes, change{TS: st.TS, Exact: st.Request, Prop: key, From: before[key], To: props[key]})
		}
	}
	slices.Reverse(h.Changes)
	slices.SortStableFunc(h.Changes, func(a, b change) int { return cmp.Compare(b.TS, a.TS) })
	return h
}

func union(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// shortened are the properties of a state by the keys that filters have for them.
func shortened(props map[string]any) map[string]any {
	out := make(map[string]any, len(props))
	for key, v := range props {
		out[strings.TrimPrefix(key, "up.")] = v
	}
	return out
}

// note takes down the values of a state. Platforms have their versions below them, as the wire has it.
func note(values, props map[string]any) {
	for key, v := range props {
		if key == "pv" && props["p"] != nil {
			continue
		}
		at, platform := values, key == "p"
		if group, name, ok := strings.Cut(key, "."); ok {
			at, key = below(values, group), name
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		of := below(at, key)
		for _, v := range list {
			text := written(v)
			if !platform {
				of[text] = true
				continue
			}
			versions := below(of, text)
			if pv, ok := props["pv"].(string); ok {
				versions[version(pv)] = true
			}
		}
	}
}

// below is the object under a key, made if there is none.
func below(m map[string]any, key string) map[string]any {
	inner, ok := m[key].(map[string]any)
	if !ok {
		inner = map[string]any{}
		m[key] = inner
	}
	return inner
}

// written is a value as a key.
func written(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// version is the version of a platform as people write it: 17.2 for i17:2.
func version(pv string) string {
	return strings.ReplaceAll(strings.TrimLeft(pv, "abcdefghijklmnopqrstuvwxyz"), ":", ".")
}
