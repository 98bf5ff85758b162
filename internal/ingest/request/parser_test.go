package request_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// TestParserShares parses many records with one parser and looks at the requests when all are there: none may have
// changed, whatever the blocks that they share went through, and none may refer to its record.
func TestParserShares(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1)) // test data
	var (
		parser    request.Parser
		got, want []*request.Request
	)
	for range 400 {
		rec := randomRecord(rng)
		fresh, err := request.Parse(rec)
		if err != nil {
			t.Fatal(err)
		}
		shared, err := parser.Parse(rec)
		if err != nil {
			t.Fatal(err)
		}
		got, want = append(got, shared), append(want, fresh)
		if rng.IntN(20) == 0 { // one that fails leaves nothing behind
			if _, err := parser.Parse(&request.Record{Kind: request.Client, Params: []request.Param{param("events", `[{"key":"lost"}]`)}}); err == nil {
				t.Fatal("a record without a device was parsed")
			}
		}
		for i := range rec.Params {
			copy(rec.Params[i].Value, bytes.Repeat([]byte("?"), len(rec.Params[i].Value)))
		}
	}
	for i := range got {
		if diff := cmp.Diff(want[i], got[i], cmpRequest); diff != "" {
			t.Fatalf("request %d (-alone +shared):\n%s", i, diff)
		}
	}
}

// randomRecord is a request with up to a few hundred events, most often a few.
func randomRecord(rng *rand.Rand) *request.Record {
	n := rng.IntN(12)
	if rng.IntN(15) == 0 {
		n = rng.IntN(400)
	}
	list := make([]string, n)
	for i := range list {
		var b strings.Builder
		fmt.Fprintf(&b, `{"key":"event %d","count":%d,"sum":%d`, rng.IntN(9), 1+rng.IntN(3), rng.IntN(100))
		if rng.IntN(4) > 0 {
			b.WriteString(`,"segmentation":{"first":` + strconv.Itoa(rng.IntN(1000)))
			for range rng.IntN(14) {
				fmt.Fprintf(&b, `,"name %d":"%s"`, rng.IntN(40), strings.Repeat("v", rng.IntN(90)))
			}
			b.WriteString("}")
		}
		b.WriteString("}")
		list[i] = b.String()
	}
	events := "[" + strings.Join(list, ",") + "]"
	if rng.IntN(20) == 0 {
		events += "," // malformed behind its end
	}
	rec := &request.Record{Kind: request.Client, App: model.AppID{1}, Received: rng.Int64N(1 << 40), Params: []request.Param{
		param("device_id", strconv.Itoa(rng.IntN(1e6))),
		{Name: "events", Value: []byte(events), JSON: true},
		{Name: "metrics", Value: []byte(`{"_os":"System","_device":"Device ` + strconv.Itoa(rng.IntN(50)) + `"}`), JSON: true},
	}}
	if rng.IntN(3) == 0 {
		rec.Params = append(rec.Params, request.Param{Name: "user_details", Value: []byte(`{"name":"N","custom":{"a":"` + strings.Repeat("x", rng.IntN(60)) + `"}}`), JSON: true})
	}
	return rec
}
