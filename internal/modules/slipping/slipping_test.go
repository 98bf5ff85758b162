package slipping_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"quipu/internal/testkit"
)

func TestSlipping(t *testing.T) {
	now := time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)
	s := testkit.New(t, testkit.At(now))
	a := s.CreateApp("a", "UTC")
	rows := func(counts [5]int, shares [5]string) string {
		out := "["
		for i, days := range [5]int{7, 14, 30, 60, 90} {
			if i > 0 {
				out += ","
			}
			out += fmt.Sprintf(`{"period":%d,"count":%d,"percentage":"%s","timeStamp":%d}`, days, counts[i], shares[i], now.AddDate(0, 0, -days).Unix())
		}
		return out + "]"
	}
	check := func(name, want string, pairs ...string) {
		t.Helper()
		if got := s.Admin("/o/slipping", append(pairs, "app_id", a.ID)...); got != want {
			t.Errorf("%s:\n%s, want\n%s", name, got, want)
		}
	}
	check("nobody", rows([5]int{}, [5]string{"0.00", "0.00", "0.00", "0.00", "0.00"}))
	for device, days := range map[string]int{"now": 0, "twenty": 20, "fifty": 50, "year": 365} {
		s.Ingest(a, device, "begin_session", "1", "timestamp", fmt.Sprint(now.AddDate(0, 0, -days).Unix()))
	}
	s.Flush()
	check("all", rows([5]int{3, 3, 2, 1, 1}, [5]string{"75.00", "75.00", "50.00", "25.00", "25.00"}))
	check("some", rows([5]int{2, 2, 1, 1, 1}, [5]string{"66.67", "66.67", "33.33", "33.33", "33.33"}), "query", `{"did":{"$nin":["fifty"]}}`)
	check("unusable query", rows([5]int{3, 3, 2, 1, 1}, [5]string{"75.00", "75.00", "50.00", "25.00", "25.00"}), "query", `{`)
	if r := s.Get("/o/slipping", "api_key", s.Key, "app_id", "123"); r.Status != http.StatusBadRequest {
		t.Errorf("bad app: %d %s", r.Status, r.Body)
	}
	if r := s.Get("/o/slipping", "api_key", "no", "app_id", a.ID); r.Status != http.StatusUnauthorized {
		t.Errorf("bad key: %d %s", r.Status, r.Body)
	}
}
