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

// ofErasures begins the actions that are kept as they are: they name persons by number only.
const ofErasures = "data_subject_"

// erase takes what entries say of erased users out of the log. That something was done, by whom and
// when, stays.
func (s *service) erase(ctx context.Context, ev topic.UsersErased) error {
	var texts []string
	for _, text := range ev.Texts {
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
		told := slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(string(info), text) })
		if !told && (e.AppID != app || strings.HasPrefix(e.Action, ofErasures) || !names(e.Info, numbers, false)) {
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
