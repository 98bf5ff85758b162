package request_test

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"quipu/internal/ingest/rawjson"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

func fingerprint(r *request.Record) ([16]byte, bool) { return new(request.Printer).Fingerprint(r) }

func TestFingerprint(t *testing.T) {
	base := func() *request.Record {
		return &request.Record{Kind: request.Client, App: model.AppID{1}, Params: []request.Param{
			param("app_key", "K"), param("device_id", "D"), param("timestamp", "1936515600123"), param("rr", "3"), param("checksum256", "ab"),
			param("events", `[{"key":"a \u00e9","count":1,"segmentation":{"x":"\"q\"","y":true}}]`),
		}}
	}
	const events = 5
	want, ok := fingerprint(base())
	if !ok {
		t.Fatal("no fingerprint")
	}
	tests := []struct {
		name   string
		change func(*request.Record)
		ok     bool
		same   bool
	}{
		{"unchanged", func(*request.Record) {}, true, true},
		{"queue shrank", func(r *request.Record) { r.Params[3].Value = []byte("0") }, true, true},
		{"checksums", func(r *request.Record) { r.Params[4] = param("checksum", "cd") }, true, true},
		{"no queue and checksum", func(r *request.Record) { r.Params = slices.Delete(r.Params, 3, 5) }, true, true},
		{"other address and time of receipt", func(r *request.Record) { r.IP, r.Received, r.UserAgent = netip.MustParseAddr("::1"), 9, "x" }, true, true},
		{"order", func(r *request.Record) { slices.Reverse(r.Params) }, true, true},
		{"another key of the app", func(r *request.Record) { r.Params[0].Value = []byte("L") }, true, true},
		{"no key of its own, as in a bulk request", func(r *request.Record) { r.Params = r.Params[1:] }, true, true},
		{"numbers as JSON", func(r *request.Record) { r.Params[2].JSON = true }, true, true},
		{"structured as JSON", func(r *request.Record) { r.Params[events].JSON = true }, true, true},
		{"JSON written by another library", func(r *request.Record) {
			r.Params[events] = param("events", " [ {\n\t\"key\" : \"a é\", \"count\": 1, \"segmentation\": { \"x\": \"\\u0022q\\u0022\", \"y\": true } } ]\n")
			r.Params[events].JSON = true
		}, true, true},
		{"app", func(r *request.Record) { r.App = model.AppID{2} }, true, false},
		{"device", func(r *request.Record) { r.Params[1].Value = []byte("E") }, true, false},
		{"another ms", func(r *request.Record) { r.Params[2].Value = []byte("1936515600124") }, true, false},
		{"one more", func(r *request.Record) { r.Params = append(r.Params, param("x", "")) }, true, false},
		{"border moved", func(r *request.Record) { r.Params[1] = param("device_idD", "") }, true, false},
		{"values exchanged", func(r *request.Record) {
			r.Params[1].Value, r.Params[events].Value = r.Params[events].Value, r.Params[1].Value
		}, true, false},
		{"blank in a text of JSON", func(r *request.Record) {
			r.Params[events].Value = []byte(strings.Replace(string(r.Params[events].Value), "a ", "a  ", 1))
		}, true, false},
		{"text of JSON changed", func(r *request.Record) {
			r.Params[events].Value = []byte(strings.Replace(string(r.Params[events].Value), "q", "p", 1))
		}, true, false},
		{"JSON that breaks off", func(r *request.Record) { r.Params[events].Value = []byte(`[{"key":"a`) }, true, false},
		{"blank in a plain text", func(r *request.Record) { r.Params[1].Value = []byte("D ") }, true, false},
		{"picture", func(r *request.Record) { r.Picture = "ab" }, true, false},
		{"seconds", func(r *request.Record) { r.Params[2].Value = []byte("1936515600") }, false, false},
		{"not digits", func(r *request.Record) { r.Params[2].Value = []byte("193651560012x") }, false, false},
		{"no timestamp", func(r *request.Record) { r.Params[2] = param("ts", "1936515600123") }, false, false},
		{"command", func(r *request.Record) { r.Kind = request.ResetApp }, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := base()
			tt.change(r)
			got, ok := fingerprint(r)
			if ok != tt.ok || ok && (got == want) != tt.same {
				t.Errorf("fingerprint %x %v, want ok %v, same %v as %x", got, ok, tt.ok, tt.same, want)
			}
		})
	}
}

// TestFingerprintOfManyParameters has more parameters than are sorted without allocating.
func TestFingerprintOfManyParameters(t *testing.T) {
	r := &request.Record{Kind: request.Client, Params: []request.Param{param("timestamp", "1936515600123")}}
	for i := range 1000 {
		r.Params = append(r.Params, param(strings.Repeat("p", i+1), strings.Repeat("v", i)))
	}
	want, _ := fingerprint(r)
	slices.Reverse(r.Params)
	if got, ok := fingerprint(r); !ok || got != want {
		t.Errorf("fingerprint of the parameters in another order = %x, want %x", got, want)
	}
	r.Params[0].Value = nil
	if got, _ := fingerprint(r); got == want {
		t.Error("a changed parameter leaves the fingerprint as it is")
	}
}

// hashed returns what docs/format/journal.md says is hashed, written as plainly as possible.
func hashed(rec *request.Record) []byte {
	list := slices.DeleteFunc(slices.Clone(rec.Params), func(p request.Param) bool {
		return slices.Contains([]string{"app_key", "rr", "checksum", "checksum256"}, p.Name)
	})
	slices.SortFunc(list, func(a, b request.Param) int { return strings.Compare(a.Name, b.Name) })
	out := slices.Clone(rec.App[:])
	for _, p := range list {
		value := p.Value
		if t := rawjson.Trim(value); len(t) > 0 && (t[0] == '[' || t[0] == '{') {
			value = plain(t)
		}
		out = binary.AppendUvarint(append(out, p.Name...), uint64(len(p.Name)))
		out = binary.AppendUvarint(append(out, value...), uint64(len(value)))
	}
	return append(out, rec.Picture...)
}

// plain returns JSON without blanks between tokens, and with its escaped texts written in one way.
func plain(v []byte) (out []byte) {
	for i := 0; i < len(v); i++ {
		if strings.IndexByte(" \n\t\r", v[i]) >= 0 {
			continue
		}
		if v[i] != '"' {
			out = append(out, v[i])
			continue
		}
		end, escaped := i+1, false
		for ; end < len(v) && v[end] != '"'; end++ {
			if v[end] == '\\' {
				escaped = true
				end++
			}
		}
		end = min(end, len(v))
		if escaped {
			out = rawjson.AppendQuote(out, rawjson.Unescape(nil, v[i+1:end]))
		} else {
			out = append(out, v[i:min(end+1, len(v))]...)
		}
		i = end
	}
	return out
}

// TestFingerprintIsAsDocumented makes fingerprints of random parameters, many of them alike, out of order and broken.
func TestFingerprintIsAsDocumented(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 0))
	text := func(alphabet string, most int) string {
		b := make([]byte, r.IntN(most))
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	var printer request.Printer
	for range 3000 {
		rec := &request.Record{Kind: request.Client, App: model.AppID{byte(r.IntN(256))}, Params: []request.Param{param("timestamp", "1936515600123")}}
		if r.IntN(4) == 0 {
			rec.Picture = "ab"
		}
		used := map[string]bool{}
		for range r.IntN(40) {
			name := text("ab\x00", 11)
			if r.IntN(8) == 0 {
				name = []string{"app_key", "rr", "checksum", "checksum256"}[r.IntN(4)]
			}
			if used[name] {
				continue
			}
			used[name] = true
			rec.Params = append(rec.Params, param(name, text(" [{", 3)+text([]string{"\"\"\"\\\\ \n[]{},:u0a\xff", "\"\" !#,a\x01\xa2", "\"abcde "}[r.IntN(3)], 60)+strings.Repeat("x", r.IntN(2)*r.IntN(2000))))
		}
		r.Shuffle(len(rec.Params), func(i, j int) { rec.Params[i], rec.Params[j] = rec.Params[j], rec.Params[i] })
		got, ok := printer.Fingerprint(rec)
		if want := sha256.Sum256(hashed(rec)); !ok || got != [16]byte(want[:]) {
			t.Fatalf("seed %d: fingerprint %x %v, want %x, of %v", seed, got, ok, want[:16], rec.Params)
		}
	}
}

// FuzzFingerprint writes JSON with blanks around its tokens, and compares texts with one byte changed.
func FuzzFingerprint(f *testing.F) {
	for _, s := range []string{`[{"key":"a"}]`, `{"a":"b\"c","d":[1,2.5,null]}`, `[`, `["`, `["\`, `plain`, ``, " {}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, value []byte) {
		print := func(v []byte) [16]byte {
			fp, ok := fingerprint(&request.Record{Kind: request.Client, Params: []request.Param{
				{Name: "events", Value: v, JSON: true}, param("timestamp", "1936515600123"),
			}})
			if !ok {
				t.Fatal("no fingerprint")
			}
			return fp
		}
		want := print(value)
		if len(value) > 0 && (value[0] == '[' || value[0] == '{') && print(append([]byte("\n "), value...)) != want {
			t.Errorf("blanks before %q change its fingerprint", value)
		}
		if print(append([]byte("x"), value...)) == want {
			t.Errorf("another text than %q has its fingerprint", value)
		}
	})
}

func BenchmarkFingerprint(b *testing.B) {
	const event = `{"key":"checkout","count":1,"sum":19.99,"timestamp":1936515600123,"hour":9,"dow":3,"segmentation":{"plan":"pro user","country":"DE","items":3}}`
	for _, bb := range []struct{ name, events string }{
		{"1", "[" + event + "]"},
		{"10", "[" + strings.Repeat(event+",", 9) + event + "]"},
		{"escaped", `[{"key":"a \"b\"","count":1}]`},
	} {
		b.Run(bb.name, func(b *testing.B) {
			var printer request.Printer
			rec := &request.Record{Kind: request.Client, Params: []request.Param{
				param("app_key", "K"), param("device_id", "5b3fd2a1-8b2c-4e0a-9d46-0f5f0a1c2b3d"), param("sdk_name", "javascript_native_web"),
				param("sdk_version", "23.12.1"), param("t", "1"), param("timestamp", "1936515600123"), param("hour", "9"), param("dow", "3"),
				param("rr", "0"), param("events", bb.events),
			}}
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := printer.Fingerprint(rec); !ok {
					b.Fatal("no fingerprint")
				}
			}
		})
	}
}
