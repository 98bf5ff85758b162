package systemlogs

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// The actions that are kept as they are, since they name persons by number only: those that begin with ofErasures, and ofDeletions.
const (
	ofErasures  = "data_subject_"
	ofDeletions = "app_users_delete"
)

// longValue is the number of bytes from which a value of a property is looked for anywhere, not below its name only.
const longValue = 12

// erase takes what entries say of erased users out of the log. That something was done, by whom and
// when, stays.
func (s *service) erase(ctx context.Context, ev topic.UsersErased) error {
	var texts []string
	all := slices.Clone(ev.Texts)
	props := map[string][]string{}
	for path, values := range ev.Props {
		props[strings.TrimPrefix(path, "custom.")] = values
		all = append(all, slices.DeleteFunc(slices.Clone(values), func(v string) bool { return len(v) < longValue })...)
	}
	for _, text := range all {
		quoted, err := json.Marshal(text)
		if err != nil {
			return err
		}
		texts = append(texts, string(quoted[1:len(quoted)-1]))
	}
	numbers := make([]string, len(ev.UIDs))
	for i, uid := range ev.UIDs {
		numbers[i] = strconv.FormatUint(uint64(uid), 10)
	}
	col, app := spec().Global(s.docs), ev.App.String()
	for e, err := range col.List(ctx, docs.Query{}) {
		if err != nil {
			return fmt.Errorf("erase users from the audit log: %w", err)
		}
		if e.AppID != app && e.AppID != "" {
			continue
		}
		info, err := json.Marshal(e.Info)
		if err != nil {
			return err
		}
		found := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(string(info), text) }) ||
			e.AppID == app && holds(e.Info, props, nil)
		kept := strings.HasPrefix(e.Action, ofErasures) || e.Action == ofDeletions
		if !found && (e.AppID != app || kept || !names(e.Info, numbers, false)) {
			continue
		}
		_, err = col.Update(ctx, e.ID, func(e *entry) error {
			e.Info = map[string]any{"erased": ev.UIDs}
			return nil
		})
		if err != nil && !docs.IsNotFound(err) {
			return fmt.Errorf("erase users from the audit log: %w", err)
		}
	}
	return nil
}

// holds reports whether a value of a property stands as a whole text below the property's name; wanted are the
// values of the names above.
func holds(v any, props map[string][]string, wanted []string) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if holds(inner, props, slices.Concat(wanted, props[strings.TrimPrefix(key, "custom.")])) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return holds(inner, props, wanted) })
	case string:
		return slices.Contains(wanted, v)
	}
	return false
}

// names reports whether one of the numbers stands under a key that holds numbers of users.
func names(v any, numbers []string, under bool) bool {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			if names(inner, numbers, under || key == "uid" || key == "uids") {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return names(inner, numbers, under) })
	case string:
		return under && slices.Contains(numbers, v)
	case float64:
		return under && slices.Contains(numbers, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return false
}
