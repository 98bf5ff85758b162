package attribution_test

import (
	"testing"

	"quipu/internal/modules/attribution"
)

const everything = `"ch":"email","so":"n\"ews\\","me":"é\u0001","ca":"spring","co":"top","te":"shoes","id":"5f"`

func TestCodec(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, kept, want string
		again            func(string) string
	}{
		{"touch", `{` + everything + `,"t":1900000000123,"u":true}`, `{` + everything + `,"t":1900000000123,"u":true}`, attribution.RewrittenTouch},
		{"touch of little", `{"t":-7}`, `{"t":-7}`, attribution.RewrittenTouch},
		{"touch as encoding/json escapes it", `{"ch":"a\u0026b\n","t":1}`, `{"ch":"a&b\u000a","t":1}`, attribution.RewrittenTouch},
		{"touch of a later version", `{"zz":[1,{"t":2}],"t":1}`, `{"t":1}`, attribution.RewrittenTouch},
		{"broken touch", `{"t":1`, "", attribution.RewrittenTouch},
		{"no touch", ``, "", attribution.RewrittenTouch},
		{"visit", `{` + everything + `,"n":true,"c":"5g"}`, `{` + everything + `,"n":true,"c":"5g"}`, attribution.RewrittenVisit},
		{"visit of little", `{}`, `{}`, attribution.RewrittenVisit},
		{"broken visit", `{"n":tru}`, "", attribution.RewrittenVisit},
	} {
		if got := tt.again(tt.kept); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}
