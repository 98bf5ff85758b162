package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"quipu/internal/table"
)

func write(t *testing.T, f table.Format, columns []table.Column, rows ...[]any) []byte {
	t.Helper()
	var b bytes.Buffer
	w := table.New(f, &b)
	if err := w.Begin(columns); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if err := w.Row(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func columns(keys ...string) []table.Column {
	var out []table.Column
	for _, k := range keys {
		out = append(out, table.Column{Path: strings.Split(k, ".")})
	}
	return out
}

func TestCSV(t *testing.T) {
	cols := columns("a", "b.c")
	cols[1].Title = "=Title"
	for name, test := range map[string]struct {
		value any
		want  string
	}{
		"text":             {"plain", "plain"},
		"comma":            {"a,b", `"a,b"`},
		"quote":            {`say "hi"`, `"say ""hi"""`},
		"line feed":        {"a\nb", "\"a\nb\""},
		"carriage return":  {"a\rb", "\"a\rb\""},
		"absent":           {nil, ""},
		"empty":            {"", ""},
		"formula":          {"=1+1", "'=1+1"},
		"plus":             {"+1", "'+1"},
		"minus":            {"-1", "'-1"},
		"at":               {"@SUM(A1)", "'@SUM(A1)"},
		"tab":              {"\t=1", "'\t=1"},
		"return":           {"\r=1", "\"'\r=1\""},
		"call":             {`=HYPERLINK("http://x","y")`, `"'=HYPERLINK(""http://x"",""y"")"`},
		"space":            {" =1", "' =1"},
		"line break":       {"\n=1", "\"'\n=1\""},
		"no-break space":   {"\u00a0+1", "'\u00a0+1"},
		"invisible":        {"\u200b-1", "'\u200b-1"},
		"full width":       {"\uff1d1+1", "'\uff1d1+1"},
		"full-width at":    {"\uff20SUM", "'\uff20SUM"},
		"small":            {"\ufe62" + "1", "'\ufe62" + "1"},
		"small equals":     {"\ufe66" + "1", "'\ufe66" + "1"},
		"superscript":      {"\u207a" + "1", "'\u207a" + "1"},
		"subscript":        {"\u208c" + "1", "'\u208c" + "1"},
		"minus sign":       {"\u2212" + "1", "'\u2212" + "1"},
		"hyphen":           {" \u2010" + "1", "' \u2010" + "1"},
		"dash":             {"\u2013 none", "\u2013 none"},
		"leading space":    {" a=1", " a=1"},
		"white space":      {"  ", "  "},
		"inner sign":       {"a=1", "a=1"},
		"negative number":  {-1.5, "-1.5"},
		"large number":     {1e15, "1000000000000000"},
		"tiny number":      {1e-7, "1e-07"},
		"integer":          {int64(-3), "-3"},
		"written number":   {json.Number("-12"), "-12"},
		"truth":            {true, "true"},
		"structure":        {json.RawMessage(`["=1"]`), `"[""=1""]"`},
		"structure signed": {json.RawMessage(`-1`), "'-1"},
		"not text":         {"ä\u2028", "ä\u2028"},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(write(t, table.CSV, cols, []any{test.value, int64(1)}))
			if want := "a,'=Title\r\n" + test.want + ",1\r\n"; got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestCSVReadsBack holds the writer to another reader of the format.
func TestCSVReadsBack(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1))
	const letters = "ab ,\"\n'=+-@\t;ü"
	var want [][]string
	var rows [][]any
	for range 300 {
		var row []any
		var texts []string
		for range 3 {
			var b strings.Builder
			for range rnd.IntN(6) {
				b.WriteRune([]rune(letters)[rnd.IntN(len([]rune(letters)))])
			}
			s := b.String()
			row = append(row, s)
			if rest := strings.TrimLeft(s, " \t\n"); s != "" && (strings.ContainsRune("\t\n", rune(s[0])) || rest != "" && strings.ContainsRune("=+-@", rune(rest[0]))) {
				s = "'" + s
			}
			texts = append(texts, s)
		}
		rows, want = append(rows, row), append(want, texts)
	}
	got, err := csv.NewReader(bytes.NewReader(write(t, table.CSV, columns("x", "y", "z"), rows...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got[1:]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestJSON(t *testing.T) {
	cols := columns("_id", "a.b.c", "a.b.d", "a.e", "f", "g.h")
	cols = append(cols, table.Column{Path: []string{"g", "dotted.key"}})
	for name, test := range map[string]struct {
		row  []any
		want string
	}{
		"all":     {[]any{"1", int64(1), 2.5, true, json.RawMessage(`[1]`), "x", "y"}, `{"_id":"1","a":{"b":{"c":1,"d":2.5},"e":true},"f":[1],"g":{"h":"x","dotted.key":"y"}}`},
		"none":    {[]any{nil, nil, nil, nil, nil, nil, nil}, `{}`},
		"inner":   {[]any{nil, nil, "d", nil, nil, nil, "y"}, `{"a":{"b":{"d":"d"}},"g":{"dotted.key":"y"}}`},
		"outer":   {[]any{nil, nil, nil, "e", "f", nil, nil}, `{"a":{"e":"e"},"f":"f"}`},
		"html":    {[]any{"<b>&\"", nil, nil, nil, nil, nil, nil}, `{"_id":"<b>&\""}`},
		"no JSON": {[]any{math.Inf(1), nil, nil, nil, "\xff", nil, nil}, `{"_id":null,"f":"\ufffd"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(write(t, table.JSON, cols, test.row, test.row))
			if want := "[" + test.want + ",\n" + test.want + "]"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
	if got := string(write(t, table.JSON, cols)); got != "[]" {
		t.Errorf("no rows: %s", got)
	}
	if got := string(write(t, table.JSON, []table.Column{{}}, []any{json.RawMessage(`{"x":1}`)}, []any{json.RawMessage(`2`)})); got != "[{\"x\":1},\n2]" {
		t.Errorf("whole documents: %s", got)
	}
}

func TestXLSX(t *testing.T) {
	cols := columns("name", "n")
	cols[1].Title = "Number"
	long := strings.Repeat("x", 40000)
	body := write(t, table.XLSX, cols, []any{"=1+1", 2.5}, []any{"a\x00<b>&", json.Number("7")}, []any{long, nil}, []any{" lead", true})
	f, err := excelize.OpenReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.GetRows("Sheet1")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"name", "Number"}, {"=1+1", "2.5"}, {"a\uFFFD<b>&", "7"}, {long[:32767]}, {" lead", "TRUE"}}
	if d := cmp.Diff(want, rows); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, at := range []string{"A2", "A3"} {
		if formula, err := f.GetCellFormula("Sheet1", at); err != nil || formula != "" {
			t.Errorf("formula %q in %s, %v", formula, at, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestXLSXRefuses(t *testing.T) {
	var keys []string
	for i := range 16385 {
		keys = append(keys, fmt.Sprint(i))
	}
	if err := table.New(table.XLSX, &bytes.Buffer{}).Begin(columns(keys...)); err == nil {
		t.Error("more columns than a sheet has are accepted")
	}
}

func TestFormats(t *testing.T) {
	for name, want := range map[string]table.Format{
		"csv": table.CSV, "CSV": table.CSV, "xls": table.XLSX, "xlsx": table.XLSX, "json": table.JSON, "": table.JSON, "exe": table.JSON,
	} {
		if got, known := table.ParseFormat(name); got != want || known != (name != "" && name != "exe") {
			t.Errorf("%q is %v, known %t; want %v", name, got, known, want)
		}
	}
}
