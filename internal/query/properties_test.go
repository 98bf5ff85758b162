package query_test

import (
	"fmt"
	"strings"
	"testing"

	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
)

// TestManyProperties counts users who have thousands of properties of their own, and one that all have.
func TestManyProperties(t *testing.T) {
	t.Parallel()
	for name, long := range map[string]string{"many": "", "long": strings.Repeat("x", 5000)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const users, each = 30, 1000
			var rows []map[string]any
			for i := range users {
				custom := map[string]any{"plan": "pro"}
				for n := range each {
					if long == "" || n < 20 {
						custom[fmt.Sprint("own", i, "-", n, long)] = n
					}
				}
				rows = append(rows, map[string]any{"uid": int64(i), "lac": int64(i), "custom": events.JSONText(custom)})
			}
			engine := eventstest.NewNaive(map[model.AppID]eventstest.Tables{testApp: {plan.Users: rows}})
			list, err := query.NewPeople(engine).Properties(t.Context(), testApp, users, users*each)
			if err != nil || len(list) == 0 || list[0].Name != "plan" {
				t.Fatalf("%d properties, %v", len(list), err)
			}
			bytes := 0
			for _, p := range list {
				bytes += len(p.Name)
			}
			if len(list) > 10_000 || bytes > 1<<20 {
				t.Errorf("%d properties with %d bytes are kept", len(list), bytes)
			}
			if list[0].Users < users-12 {
				t.Errorf("what all %d users have is counted %d times", users, list[0].Users)
			}
		})
	}
}
