package stored_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/model"
	profiles "quipu/internal/store/profile/stored"
)

// density is a dimension that no code names.
const density model.Dim = 8

var update = flag.Bool("update", false, "rewrite golden files")

func fullProfile() *model.Profile {
	return &model.Profile{
		ID: model.NewProfileID("key", "device"), UID: 7, DID: "device", Dims: model.Dims{model.Country: "CH", model.City: "Zürich", model.Device: "Pixel 9", model.DeviceType: "mobile", model.Manufacturer: "Google", model.OS: "Android", model.OSVersion: "a16:0", model.AppVersion: "3:4:1", model.Resolution: "1080x2424", model.Carrier: "Swisscom", density: "XXHDPI", model.Language: "de", model.Source: "com.android.vending", model.Browser: "Chrome", model.BrowserVersion: "140", model.SDK: "[java-native-android]_25.4.0", model.Region: "ZH"}, Loc: &[2]float64{47.5, 8.5}, NoLocation: true,
		FirstSession: 1_700_000_000, LastSession: 1_700_000_100, FirstActivity: 1_700_000_001, LastActivity: 1_700_000_101,
		FirstSync: 1_700_000_002, LastSync: 1_700_000_102, Sessions: 2, LastDuration: 12.5, TotalDuration: 100,
		Open:    model.SessionState{ID: 99, Start: 1_700_000_100_000, Last: 1_700_000_101_000, Seconds: 12.5, Seen: 1_700_000_102_000},
		LastEnd: 1_700_000_050_000,
		Name:    "Ada", Username: "ada", Email: "ada@example.org", Organization: "Analytical", Phone: "+41", Gender: "F", BirthYear: 1815, Picture: "p",
		Custom:  map[string]any{"plan": "pro", "seats": 12.0, "ratio": 0.1, "beta": true, "tags": []any{"a", 1.0}},
		Consent: map[string]bool{"events": true}, Campaign: map[string]string{"campaign_id": "c"},
		Extra: map[string]any{"push": "token"}, State: 3, StateHash: 0xfeedfacecafebeef,
	}
}

func TestGolden(t *testing.T) {
	const file = "testdata/profile.v1.hex"
	stored, err := profiles.Append(nil, fullProfile())
	if err != nil {
		t.Fatal(err)
	}
	got := hex.Dump(stored)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("encoded form (-want +got):\n%s", d)
	}
	var raw []byte
	for line := range strings.Lines(string(want)) {
		b, err := hex.DecodeString(strings.ReplaceAll(line[10:58], " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		raw = append(raw, b...)
	}
	p, err := profiles.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(fullProfile(), p); d != "" {
		t.Errorf("decoded (-want +got):\n%s", d)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, in := range map[string]string{
		"empty": "", "newer version": "\x02\xa0", "no map": "\x01\x01", "cut off": "\x01\xa1", "trailing": "\x01\xa0\x00",
		"key twice": "\x01\xa2\x02\x01\x02\x02", "tag": "\x01\xa1\x18\x3c\xa1\x61a\xc0\x61b",
	} {
		if p, err := profiles.Decode([]byte(in)); err == nil {
			t.Errorf("%s: decoded %v", name, p)
		}
	}
}

// FuzzDecode holds that what can be decoded is encoded to what decodes to the
// same, in one step.
func FuzzDecode(f *testing.F) {
	for _, p := range []*model.Profile{{}, fullProfile()} {
		stored, err := profiles.Append(nil, p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(stored)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		p, err := profiles.Decode(in)
		if err != nil {
			return
		}
		first, err := profiles.Append(nil, p)
		if err != nil {
			t.Fatalf("encode: %v", err)
		}
		again, err := profiles.Decode(first)
		if err != nil {
			t.Fatalf("decode what was encoded: %v", err)
		}
		if d := cmp.Diff(p, again, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("decoded twice (-first +second):\n%s", d)
		}
		if second, err := profiles.Append(nil, again); err != nil || !bytes.Equal(first, second) {
			t.Fatalf("encoded twice: %x and %x, %v", first, second, err)
		}
	})
}
