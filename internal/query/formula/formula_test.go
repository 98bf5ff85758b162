package formula_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"quipu/internal/query/formula"
)

// TestEval computes with count 6, sum 30, dur 120, users 4 of every event.
func TestEval(t *testing.T) {
	t.Parallel()
	figures := map[formula.Measure]float64{
		formula.Count: 6, formula.Sum: 30, formula.Dur: 120, formula.Users: 4, formula.Sessions: 5, formula.Total: 60, formula.Average: 12, formula.PerUser: 15,
		formula.Min: 2, formula.Max: 20, formula.Percentile: 10, formula.Accounts: 3,
	}
	for text, want := range map[string]float64{
		"1": 1, " 2 + 3 * 4 ": 14, "(2+3)*4": 20, "10-4-3": 3, "8/4/2": 1, "2/0": 0, "-3--2": -1, "+ +2": 2, "5%": 0.05, "50% * 4": 2, ".5+1.": 1.5,
		`sum("buy") / count("buy")`: 5, `average("buy")`: 5, `sum("buy")/users()`: 7.5, "sessions()/users()": 1.5, `dur("a")/count("a")`: 20, `count("x")/(users()-4)`: 0,
		`count("buy", {"sg.plan":{"$in":["pro","a)b"]}}) + 1`: 7, "min(3,1,2)": 1, "max(1,-2)": 1, "abs(0-3)": 3, "round(7/3)": 2, "round(7/3, 2)": 2.33,
		`sessions("buy")`: 5, `sessions("buy", {"sg.x":1}) + sessions()`: 11, `sum("buy","sg.price")`: 60, `average("buy", "sg.price")`: 12, `per_user("buy")`: 15, `per_user("buy", "s", {"sg.x":1})`: 15,
		`min("buy", "sg.price") + max("buy","sg.price")`: 22, `min(max("buy","sg.price"), 7)`: 7, `median("buy", "sg.price") + percentile("buy", "sg.price", 99.9, {"sg.x":1})`: 20,
		`accounts("buy", "custom.company")/users("buy")`: 0.75, `median("a","dur")/dur("a")*12`: 1,
		`dur("a") + dur("b")`: 240, `dur("a")/dur("b")`: 1, "99999999999999999999*" + strings.Repeat("9", 300): 0, "0*(1/0)": 0, `users("say \"hi\" é")`: 4,
	} {
		f, err := formula.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var values []float64
		for _, s := range f.Sources {
			values = append(values, figures[s.Measure])
		}
		if got := f.Eval(values); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
	f, err := formula.Parse(`count("a")/count("a") + count("a", {"sg.x":1}) - users("a")`)
	if err != nil || len(f.Sources) != 3 {
		t.Errorf("%+v %v", f, err)
	}
	for _, v := range []float64{math.NaN(), math.Inf(1)} {
		if got := f.Eval([]float64{v, v, v}); got != 0 {
			t.Errorf("of %v: %v", v, got)
		}
	}
	for text, want := range map[string]int{`dur("a")`: 1, `dur("a")*dur("a")`: 2, `count("a")/dur("a")`: -1, "1": 0, `min(dur("a"),dur("b"))`: 1, `-dur("a")`: 1, `median("a","dur")`: 1, `average("a", "dur")`: 1, `sum("a","dur")`: 1, `accounts("a","sg.dur")`: 0, `per_user("a")`: 0} {
		if f, err := formula.Parse(text); err != nil || f.Seconds != want {
			t.Errorf("%s: %v %v, want %d", text, f, err, want)
		}
	}
}

// TestErrors has what is wrong, and where.
func TestErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]formula.Error{
		"":                               {At: 0, Msg: "A figure, a number or a parenthesis is missing"},
		"1 +":                            {At: 3, Msg: "A figure, a number or a parenthesis is missing"},
		"1 2":                            {At: 2, Msg: "An operator is missing"},
		"(1":                             {At: 2, Msg: ") is missing"},
		"1)":                             {At: 1, Msg: "An operator is missing"},
		"é":                              {At: 0, Msg: "A figure, a number or a parenthesis is missing"},
		`users("é") + nothing("a")`:      {At: 13, Msg: "There is no nothing"},
		"users":                          {At: 5, Msg: "( is missing"},
		"count(buy)":                     {At: 6, Msg: "The key of an event is missing"},
		"sum()":                          {At: 4, Msg: "The key of an event is missing"},
		`count("")`:                      {At: 6, Msg: "This is no key of an event"},
		`count("a`:                       {At: 6, Msg: "This is no key of an event"},
		`count("a", 1)`:                  {At: 11, Msg: "A filter is missing"},
		`count("a", {"x":`:               {At: 11, Msg: "A filter is missing"},
		`count("a", {"$where":"1"})`:     {At: 11, Msg: "This is no filter"},
		`count("a" "b")`:                 {At: 10, Msg: ") is missing"},
		`sessions("a", "sg.x")`:          {At: 14, Msg: "A filter is missing"},
		`count("a", "sg.x")`:             {At: 11, Msg: "A filter is missing"},
		`median("a")`:                    {At: 10, Msg: "The property that is measured is missing"},
		`median("a", {"sg.x":1})`:        {At: 12, Msg: "The property that is measured is missing"},
		`max("a", 3)`:                    {At: 9, Msg: "The property that is measured is missing"},
		`max(1, "a")`:                    {At: 7, Msg: "A figure, a number or a parenthesis is missing"},
		`median("a", "")`:                {At: 12, Msg: "This is no property"},
		`accounts("a", "up.")`:           {At: 14, Msg: "This is no property"},
		`accounts("a", "dur")`:           {At: 14, Msg: "This is no property"},
		`percentile("a", "dur")`:         {At: 21, Msg: ", is missing"},
		`percentile("a", "dur", 0)`:      {At: 23, Msg: "A percentile is a number from 0.01 to 100 with up to two decimals"},
		`percentile("a", "dur",100.001)`: {At: 22, Msg: "A percentile is a number from 0.01 to 100 with up to two decimals"},
		`percentile("a", "dur",33.333)`:  {At: 22, Msg: "A percentile is a number from 0.01 to 100 with up to two decimals"},
		`percentile("a", "dur",101)`:     {At: 22, Msg: "A percentile is a number from 0.01 to 100 with up to two decimals"},
		`percentile("a", "dur",-1)`:      {At: 22, Msg: "A percentile is a number from 0.01 to 100 with up to two decimals"},
		`median("a", "dur") + 1`:         {At: 19, Msg: "Seconds and Numbers do not go together"},
		`dur("a") + 1`:                   {At: 9, Msg: "Seconds and Numbers do not go together"},
		`min(1, dur("a"))`:               {At: 7, Msg: "Numbers and Seconds do not go together"},
		"min(1)":                         {At: 0, Msg: "min has several arguments"},
		"abs(1,2)":                       {At: 5, Msg: ") is missing"},
		"round(1,0.5)":                   {At: 8, Msg: "Digits are a number from 0 to 10"},
		"1.2.3":                          {At: 0, Msg: "This is no number"},
		strings.Repeat("(", 60):          {At: 51, Msg: "The formula is nested too deep"},
		strings.Repeat("-", 60):          {At: 51, Msg: "The formula is nested too deep"},
		strings.Repeat("1+", 60):         {At: 101, Msg: "The formula is nested too deep"},
		strings.Repeat("1", 9000):        {At: 0, Msg: "The formula is too long"},
		"\xff":                           {At: 0, Msg: "The formula is no text"},
	} {
		_, err := formula.Parse(text)
		var got *formula.Error
		if !errors.As(err, &got) || got.At != want.At || got.Msg != want.Msg || got.Code == "" {
			t.Errorf("%.40q: %v, want %v", text, err, &want)
		}
	}
	var many []string
	for i := range 21 {
		many = append(many, `count("`+strings.Repeat("a", i+1)+`")`)
	}
	if _, err := formula.Parse("max(" + strings.Join(many, ",") + ")"); err == nil || !strings.Contains(err.Error(), "more than 20 figures") {
		t.Errorf("21 figures: %v", err)
	}
}

// FuzzParse: no text panics, an error is in the text, and what is parsed is written so that it is parsed as the same.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"1+2*-(3)/4%", `sum("a",{"sg.x":{"$gt":1}})/users()`, "round(min(1,2,abs(3)),2)", `average("a")`, "((((", `dur("a")+1`, "é", `count("\u00e9")`, "1.5.", "round(1,10)",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		one, err := formula.Parse(text)
		if err != nil {
			var e *formula.Error
			if !errors.As(err, &e) || e.At < 0 || e.At > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		values := make([]float64, len(one.Sources))
		for i := range values {
			values[i] = float64(i*7+1) / 3
		}
		v := one.Eval(values)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("%q is %v", text, v)
		}
		written := one.String()
		two, err := formula.Parse(written)
		if err != nil {
			if len(written) <= formula.MaxBytes && !strings.Contains(err.Error(), "too deep") { // parentheses are written where none were
				t.Fatalf("%q, written as %q: %v", text, written, err)
			}
			return
		}
		if two.String() != written || two.Eval(values) != v || two.Seconds != one.Seconds {
			t.Fatalf("%q, written as %q, is read as %q", text, written, two)
		}
	})
}
