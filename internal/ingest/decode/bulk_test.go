package decode_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bulkBodies are JSON bodies of bulk requests whose list may be the last member, may not be it, or may be damaged.
var bulkBodies = []string{
	`{"app_key":"K","requests":[{"device_id":"A","n":1},{"device_id":"B","x":{"y":[1,"]}"]}}]}`,
	` {"requests" : [ {"device_id":"A"} ] , "app_key":"K" } `,
	`{"app_key":"x","requests":[{"device_id":"A"}],"app_key":"K"}`,
	`{"app_key":"K","requests":[{"device_id":"A"}],"requests":[{"device_id":"B"}]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}],"more":[1]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}],"more":{"x":[1]}}`,
	`{"app_key":"K","requests":[{"device_id":"A"}]} {"requests":[{"device_id":"B"}]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}]]}`,
	`{"app_key":"K","requests":[{"device_id":"A"},]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}{]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}`,
	`{"app_key":"K","requests":[{"device_id":"A"},1,null,[]]}`,
	`{"app_key":"K","requests":[]}`,
	`{"app_key":"K","requests":[}`,
	`{"app_key":"K","requests":"[{\"device_id\":\"A\"}]"}`,
	`{"app_key":"K","receipt":1,"requests":[{"device_id":"A"},{"app_key":"x"}]}`,
	`{"app_key":"K","requests":[{"device_id":"A"}],"receipt":1}`,
	`{"app_key":"K","requests":[1,1,1,1,1,1,1,1,1,1,1]}`,
	`{"app_key":"K","requests":[1,1,1,1,1,1,1,1,1,1,1,nope]}`,
	`{"app_key":"K","requests":[{"device_id":"A","x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `,"y":nope},{"device_id":"B"}]}`,
	`{"app_key":"S","requests":[{"device_id":"A"},{"app_key":"P","device_id":"A"},{"app_key":"L","device_id":"A","populator":1}]}`,
}

// TestWalkBulkMembers sends JSON bodies twice: as they are, where the list may be taken for the last member without looking, and with its name in a spelling for which it is
// not. Nothing may differ, however a body is damaged.
func TestWalkBulkMembers(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, body := range bulkBodies {
		compareBulk(t, body)
		for range 40 {
			b := []byte(body)
			for range 1 + r.IntN(2) {
				if i := r.IntN(len(b)); r.IntN(4) == 0 {
					b = b[:i+1]
				} else {
					b[i] = "[]{},:\"\\ 0x"[r.IntN(11)]
				}
			}
			compareBulk(t, string(b))
		}
	}
}

// FuzzBulkMembers is TestWalkBulkMembers with any body.
func FuzzBulkMembers(f *testing.F) {
	for _, body := range bulkBodies {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) { compareBulk(t, body) })
}

// compareBulk sends a body as it is, and with the name of the list in another spelling.
func compareBulk(t *testing.T, body string) {
	t.Helper()
	send := func(body string) []string {
		s := &sink{}
		d, counter := newDecoder(t, s)
		w := do(d, "POST", "/i/bulk", "application/json", body)
		out := []string{fmt.Sprintf("%d %s", w.Code, w.Body), drained(counter)}
		for _, rec := range s.records {
			out = append(out, fmt.Sprintf("%d %s", rec.App[0], show(rec)))
		}
		return out
	}
	want := send(strings.ReplaceAll(body, `"requests"`, `"request\u0073"`))
	if diff := cmp.Diff(want, send(body)); diff != "" {
		t.Errorf("%s: members read one by one, and trusted (-one by one +trusted):\n%s", body, diff)
	}
}
