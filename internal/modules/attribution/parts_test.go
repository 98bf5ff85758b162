package attribution_test

import (
	"net/url"
	"testing"

	"quipu/internal/modules/attribution"
)

// TestTarget adds to addresses without changing what they have.
func TestTarget(t *testing.T) {
	t.Parallel()
	for link, want := range map[string]string{
		"https://a.example/":                          "https://a.example/?cly_id=spring&cly_uid=V&utm_source=x+y",
		"https://a.example/?b=2&a=1#top":              "https://a.example/?b=2&a=1&cly_id=spring&cly_uid=V&utm_source=x+y#top",
		"https://a.example/?x=1;y=2&100%&z":           "https://a.example/?x=1;y=2&100%&z&cly_id=spring&cly_uid=V&utm_source=x+y",
		"https://a.example/?utm_source=own":           "https://a.example/?utm_source=own&cly_id=spring&cly_uid=V",
		"https://play.google.com/store?id=a;b&hl=%zz": "https://play.google.com/store?id=a;b&hl=%zz&referrer=countly_cid%3Dspring%26countly_cuid%3DV",
		"https://play.google.com/store?referrer=own":  "https://play.google.com/store?referrer=own",
		"https://apps.apple.com/app/id1?mt=8":         "https://apps.apple.com/app/id1?mt=8",
	} {
		if got := attribution.Target(link, url.Values{"utm_source": {"x y"}, "cly_id": {"evil"}}); got != want {
			t.Errorf("%s: %s, want %s", link, got, want)
		}
	}
}

// TestFolded adds the rows of a long report up.
func TestFolded(t *testing.T) {
	t.Parallel()
	type answer struct {
		kept        int
		last        string
		conversions float64
	}
	for rows, want := range map[int]answer{
		3: {3, "2", 1}, attribution.MaxRows: {attribution.MaxRows, "999", 1}, attribution.MaxRows + 5: {attribution.MaxRows, "Other", 6},
	} {
		var got answer
		got.kept, got.last, got.conversions = attribution.Folded(rows)
		if got != want {
			t.Errorf("%d rows: %+v, want %+v", rows, got, want)
		}
	}
}

// TestWait looks for the user of a postback at most 100 times a day in the first days, and some hundred times in all.
func TestWait(t *testing.T) {
	t.Parallel()
	looks := 0
	for waited := int64(0); waited < 90*86400; looks++ {
		next := attribution.Wait(waited)
		if next < 60 || next > attribution.Latest {
			t.Fatalf("after %d s it waits %d s", waited, next)
		}
		waited += next
	}
	if looks > 400 {
		t.Errorf("%d looks", looks)
	}
}
