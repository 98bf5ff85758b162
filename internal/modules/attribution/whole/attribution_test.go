// Package whole_test has the tests of the module in a whole server. They stand apart from those that see inside the package: with one of
// these in its own folder, the server, which imports the package, is compiled once more.
package whole_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/testkit"
	"quipu/internal/verify"
)

var start = time.Date(2031, 5, 14, 9, 30, 0, 0, time.UTC)

const (
	chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Safari/537.36"
	pixel  = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/121.0.0.0 Mobile Safari/537.36"
)

func same(t *testing.T, what string, want, got any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func at(d time.Duration) string { return fmt.Sprint(start.Add(d).UnixMilli()) }

type row struct {
	ID    string  `json:"_id"`
	Count int     `json:"t"`
	New   int     `json:"n"`
	Users int     `json:"u"`
	Conv  float64 `json:"conversions"`
	Value float64 `json:"value"`
	Aclk  int     `json:"aclk"`
	Clk   int     `json:"clk"`
	Bots  int     `json:"bots"`
	Ins   int     `json:"ins"`
	Ses   int     `json:"ses"`
	Rev   float64 `json:"rev"`
	Cost  float64 `json:"totalCost"`
	Path  string  `json:"path"`
}

func visitsBy(t *testing.T, s *testkit.Server, a testkit.TestApp, by string) []string {
	t.Helper()
	s.Flush()
	var got struct{ Rows []row }
	testkit.Decode(t, s.Admin("/o/attribution/visits", "app_id", a.ID, "by", by, "period", "30days"), &got)
	out := []string{}
	for _, r := range got.Rows {
		out = append(out, fmt.Sprintf("%s %d/%d/%d", r.ID, r.Count, r.New, r.Users))
	}
	slices.Sort(out)
	return out
}

func table(t *testing.T, s *testkit.Server, a testkit.TestApp, pairs ...string) map[string]row {
	t.Helper()
	s.Flush()
	var got struct {
		Rows []row `json:"aaData"`
	}
	testkit.Decode(t, s.Admin("/o/campaign", append([]string{"app_id", a.ID, "getTable", "true"}, pairs...)...), &got)
	out := map[string]row{}
	for _, r := range got.Rows {
		out[r.ID] = r
	}
	return out
}

func verified(t *testing.T, s *testkit.Server) {
	t.Helper()
	s.Flush()
	report, err := s.App().Verify(t.Context(), verify.Options{})
	if err != nil || !report.OK() {
		t.Errorf("verify: %v, %v", err, report.Differences)
	}
}

// TestChannels follows visits of each channel.
func TestChannels(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("site", "UTC")
	begin := func(device, store string, when time.Duration, more ...string) {
		pairs := []string{"begin_session", "1", "timestamp", at(when)}
		if store != "" {
			pairs = append(pairs, "metrics", fmt.Sprintf(`{"_store":%q}`, store))
		}
		s.Ingest(a, device, append(pairs, more...)...)
	}
	tag := func(device string, when time.Duration, utm string) {
		s.Ingest(a, device, "timestamp", at(when), "user_details", `{"custom":{`+utm+`}}`)
	}
	begin("a", "https://www.google.de/search?q=shoes", -9*time.Hour)
	begin("b", "https://m.facebook.com/x", -8*time.Hour)
	begin("c", "https://mail.google.com/mail/u/0", -7*time.Hour)
	begin("d", "https://blog.example.org/post", -6*time.Hour)
	begin("e", "com.android.vending", -5*time.Hour)
	begin("f", "", -4*time.Hour)
	tag("g", -4*time.Hour, `"utm_source":"newsletter","utm_medium":"email","utm_campaign":"may"`)
	begin("g", "https://www.google.de/", -4*time.Hour+time.Second)
	tag("h", -4*time.Hour, `"utm_source":"google","utm_medium":"cpc","utm_campaign":"may"`)
	begin("h", "", -4*time.Hour+time.Second)
	begin("h", "", -3*time.Hour) // the tags brought one visit, not this one
	begin("i", "", -2*time.Hour, "campaign_id", "spring")
	same(t, "by channel", []string{"campaign 1/1/1", "direct 2/1/2", "mail 1/1/1", "paid 1/1/1", "referral 1/1/1", "search 2/2/2", "social 1/1/1", "store 1/1/1"}, visitsBy(t, s, a, "channel"))
	same(t, "by source", []string{"Facebook 1/1/1", "Gmail 1/1/1", "Google 2/2/2", "blog.example.org 1/1/1", "com.android.vending 1/1/1", "google 1/1/1"}, visitsBy(t, s, a, "source"))
	same(t, "by campaign", []string{"may 1/1/1"}, visitsBy(t, s, a, "campaign"))
	s.Ingest(a, "f", "campaign_id", "late", "timestamp", at(-4*time.Hour+time.Minute))
	s.Flush()
	var credit struct{ Rows []row }
	testkit.Decode(t, s.Admin("/o/attribution", "app_id", a.ID, "period", "30days"), &credit)
	first := []string{}
	for _, r := range credit.Rows {
		first = append(first, fmt.Sprint(r.ID, " ", r.Conv))
	}
	slices.Sort(first)
	same(t, "first sessions", []string{"campaign 2", "mail 1", "paid 1", "referral 1", "search 2", "social 1", "store 1"}, first)
	var words []row
	testkit.Decode(t, s.Admin("/o", "method", "keywords", "app_id", a.ID), &words)
	same(t, "keywords", []row{{ID: "shoes", Count: 1, New: 1, Users: 1}}, words)
	verified(t, s)
	s.Ingest(a, "b2", "old_device_id", "b", "begin_session", "1", "timestamp", at(-time.Hour), "metrics", `{"_store":"https://facebook.com/"}`)
	if got := visitsBy(t, s, a, "source"); !slices.Contains(got, "Facebook 2/1/1") {
		t.Errorf("after a merge: %v", got)
	}
	s.Admin("/i/data_subjects/erase", "app_id", a.ID, "uid", "1")
	for range 100 {
		testkit.Decode(t, s.Admin("/o/keywords", "app_id", a.ID), &words)
		if len(words) == 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	same(t, "keywords after erasure", []row{}, words)
	verified(t, s)
}

// TestCampaigns follows a campaign from its links to what it brings in.
func TestCampaigns(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a, other := s.CreateApp("shop", "UTC"), s.CreateApp("other", "UTC")
	create := func(a testkit.TestApp, args string) string {
		return s.Get("/i/campaign/create", "api_key", s.Key, "app_id", a.ID, "args", args).Body
	}
	same(t, "create", `{"result":"Success"}`, create(a, `{"_id":"spring","name":"Spring","link":"https://shop.example/in?a=1#top","cost":"0.5","costtype":"click","links":{"android":"https://play.google.com/store/apps/details?id=x"}}`))
	same(t, "again", `{"result":"Duplicate campaign link"}`, create(other, `{"_id":"spring","name":"Mine"}`))
	same(t, "nothing", `{"result":"Not enough args"}`, create(a, `{}`))
	for name, args := range map[string]string{
		"a script": `{"name":"x","link":"javascript:alert(1)"}`, "no host": `{"name":"x","link":"https:///x"}`, "a user": `{"name":"x","link":"https://a@b.example"}`,
		"a line": `{"name":"x","link":"https://b.example/\nx"}`, "a path": `{"_id":"../x","name":"x"}`, "a platform": `{"name":"x","links":{"fridge":"https://b.example"}}`,
		"a cost": `{"name":"x","cost":"-1"}`, "a type": `{"name":"x","costtype":"view"}`, "NUL": `{"_id":"a\u0000","name":"x"}`, "long": `{"name":"` + strings.Repeat("x", 201) + `"}`,
	} {
		if r := s.Get("/i/campaign/create", "api_key", s.Key, "app_id", a.ID, "args", args); r.Status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", name, r.Status, r.Body)
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	follow := func(path, agent string) (int, string) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
		r.Header.Set("User-Agent", agent)
		got, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close() //nolint:errcheck // nothing is read
		return got.StatusCode, got.Header.Get("Location")
	}
	_, to := follow("/campaign/spring?utm_source=x&url=https://evil.example&link=https://evil.example&cly_id=evil", chrome)
	if !strings.HasPrefix(to, "https://shop.example/in?a=1&cly_id=spring&cly_uid=") || !strings.HasSuffix(to, "&utm_source=x#top") {
		t.Errorf("led to %s", to)
	}
	_, to = follow("/campaign/spring", pixel)
	if !strings.HasPrefix(to, "https://play.google.com/store/apps/details?id=x&referrer=countly_cid%3Dspring%26countly_cuid%3D") {
		t.Errorf("led to %s", to)
	}
	follow("/campaign/spring", chrome)
	follow("/campaign/spring", "Googlebot/2.1 (+http://www.google.com/bot.html)")
	if status, _ := follow("/campaign/none", chrome); status != http.StatusNotFound {
		t.Errorf("a link of no campaign: %d", status)
	}
	s.Admin("/i/apps/update/plugins", "app_id", a.ID, "args", `{"revenue":{"iap_events":["buy"]}}`)
	s.Ingest(a, "u", "begin_session", "1", "timestamp", at(-3*time.Hour))
	s.Ingest(a, "u", "campaign_id", "spring", "timestamp", at(-3*time.Hour+time.Second))
	s.Ingest(a, "u", "campaign_id", "spring", "timestamp", at(-3*time.Hour+2*time.Second))
	s.Ingest(a, "u", "begin_session", "1", "timestamp", at(-time.Hour), "events", `[{"key":"buy","count":1,"sum":12.5}]`)
	s.Ingest(a, "v", "begin_session", "1", "timestamp", at(-time.Hour), "campaign_id", "cly_organic")
	got := table(t, s, a)["spring"]
	same(t, "figures", row{ID: "spring", Aclk: 3, Clk: 2, Bots: 1, Ins: 1, Ses: 1, Rev: 12.5, Cost: 1.5, Path: "/campaign/spring"}, got)
	if got := s.Admin("/o/campaign", "app_id", a.ID, "data", `["[CLY]_organic","none"]`); !strings.Contains(got, `"ins":1`) || !strings.Contains(got, `{"_id":"none","data":{}}`) {
		t.Errorf("organic: %s", got)
	}
	costs := s.Get("/i/campaign/costs", "api_key", s.Key, "app_id", a.ID, "data", "date,campaign,cost\n2031-05-14,Spring,7.25\n2031-05-14,spring,1\n2031-05-14,none,1\nx,spring,1\n").Body
	same(t, "costs", `{"result":"Success","rows":4,"days":1,"unmatched":["2031-05-14, none, 1","x, spring, 1"],"missed":2}`, costs)
	same(t, "imported", 8.25, table(t, s, a)["spring"].Cost)
	s.Admin("/i/campaign/hide", "app_id", a.ID, "args", `{"campaign_id":"spring"}`)
	same(t, "hidden", []int{0, 1}, []int{len(table(t, s, a)), len(table(t, s, a, "filter", "campaign-hidden"))})
	same(t, "another app", "{}", s.Get("/o/campaign", "api_key", s.Key, "app_id", other.ID, "camp_id", "spring").Body)
	same(t, "delete elsewhere", `{"result":"Error deleting campaign"}`, s.Get("/i/campaign/delete", "api_key", s.Key, "app_id", other.ID, "args", `{"_id":"spring"}`).Body)
	same(t, "delete", `{"result":"Success"}`, s.Get("/i/campaign/delete", "api_key", s.Key, "app_id", a.ID, "args", `{"_id":"spring"}`).Body)
	if status, _ := follow("/campaign/spring", chrome); status != http.StatusNotFound {
		t.Errorf("a link of a deleted campaign: %d", status)
	}
	verified(t, s)
}

// TestAdjust follows postbacks of users who are known, and of those who come later.
func TestAdjust(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("game", "UTC")
	s.Ingest(a, "u", "begin_session", "1", "user_details", `{"custom":{"adjust_id":"abc"}}`)
	s.Flush()
	for want, pairs := range map[string][]string{
		`{"result":"Missing parameter \"app_key\""}`:                                                             nil,
		`{"result":"App does not exist"}`:                                                                        {"app_key", "none"},
		`{"result":"Success","status":"attributed"}`:                                                             {"app_key", a.Key, "adjust_id", "abc", "event", "install", "network_name", "Meta", "campaign_name", "May", "click_time", fmt.Sprint(start.Unix() - 60)},
		`{"result":"Success","Records inserted":0,"document":{"event":"click"},"user":null}`:                     {"app_key", a.Key, "event", "click"},
		`{"result":"Success","Records inserted":1,"document":{"adjust_id":"later","event":"click"},"user":null}`: {"app_key", a.Key, "event", "click", "adjust_id", "later"},
	} {
		same(t, fmt.Sprint(pairs), want, s.Get("/i/adjust", pairs...).Body)
	}
	s.Flush()
	if got := s.Admin("/o", "method", "user_details", "app_id", a.ID, "query", `{"did":"u"}`); !strings.Contains(got, `"first_network_name":"Meta"`) || !strings.Contains(got, `"utm_campaign":"May"`) {
		t.Errorf("the user: %s", got)
	}
	if got := s.Admin("/o", "method", "get_events", "app_id", a.ID); !strings.Contains(got, "adjust_install") {
		t.Errorf("events: %s", got)
	}
}

// TestPurchases sends two postbacks of a purchase that say the same: both count, when they came and not when the user clicked.
func TestPurchases(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("game", "UTC")
	s.Ingest(a, "u", "begin_session", "1", "user_details", `{"custom":{"adjust_id":"abc"}}`)
	s.Flush()
	for range 2 {
		s.Get("/i/adjust", "app_key", a.Key, "adjust_id", "abc", "event", "purchase", "installed_at", fmt.Sprint(start.AddDate(0, -2, 0).Unix()))
	}
	s.Flush()
	got := s.Admin("/o", "method", "events", "event", "adjust_purchase", "period", "7days", "app_id", a.ID)
	if !strings.Contains(got, `"c":2`) {
		t.Errorf("events of the week: %s", got)
	}
}

// TestModel compares visits and credits with a naive model over random traffic.
func TestModel(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 1)) // a test
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("site", "UTC")
	origins := []struct{ store, channel, source string }{
		{"", "direct", ""}, {"https://www.bing.com/search?q=x", "search", "Bing"}, {"https://t.co/abc", "social", "Twitter"}, {"https://site.example/a", "referral", "site.example"},
	}
	type touch struct {
		at      time.Duration
		channel string
	}
	count := map[string]int{}
	users := map[string]map[string]bool{}
	touches := map[string][]touch{}
	credits := map[string]map[string]float64{"first": {}, "last": {}, "linear": {}}
	conversions := 0
	for i := range 250 {
		device, when := fmt.Sprint("d", rnd.IntN(25)), time.Duration(i-300)*time.Hour/2
		if rnd.IntN(4) == 0 {
			s.Ingest(a, device, "timestamp", at(when), "events", `[{"key":"buy","count":1,"sum":2}]`)
			conversions++
			var list []touch
			for _, each := range touches[device] {
				if when-each.at <= 48*time.Hour {
					list = append(list, each)
				}
			}
			if len(list) == 0 {
				for _, m := range credits {
					m[""]++
				}
				continue
			}
			credits["first"][list[0].channel]++
			credits["last"][list[len(list)-1].channel]++
			for _, each := range list {
				credits["linear"][each.channel] += 1 / float64(len(list))
			}
			continue
		}
		o := origins[rnd.IntN(len(origins))]
		s.Ingest(a, device, "timestamp", at(when), "begin_session", "1", "ignore_cooldown", "1", "metrics", fmt.Sprintf(`{"_store":%q,"_browser":"X"}`, o.store))
		if count[o.channel]++; users[o.channel] == nil {
			users[o.channel] = map[string]bool{}
		}
		users[o.channel][device] = true
		if o.channel != "direct" {
			touches[device] = append(touches[device], touch{when, o.channel})
		}
	}
	s.Flush()
	var got struct{ Rows []row }
	testkit.Decode(t, s.Admin("/o/attribution/visits", "app_id", a.ID, "period", "30days"), &got)
	for _, r := range got.Rows {
		same(t, r.ID, []int{count[r.ID], len(users[r.ID])}, []int{r.Count, r.Users})
	}
	same(t, "channels", len(count), len(got.Rows))
	for name, want := range credits {
		var got struct {
			Conversions int
			Value       float64
			Rows        []row
		}
		testkit.Decode(t, s.Admin("/o/attribution", "app_id", a.ID, "period", "30days", "event", "buy", "model", name, "window", "2"), &got)
		same(t, name, []any{conversions, float64(2 * conversions), len(want)}, []any{got.Conversions, got.Value, len(got.Rows)})
		for _, r := range got.Rows {
			if d := r.Conv - want[r.ID]; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: %q has %v, want %v", name, r.ID, r.Conv, want[r.ID])
			}
		}
	}
	verified(t, s)
	s.Stop()
	s.Start()
	verified(t, s)
}

// TestLinkCleared takes the link of a campaign away; what is not sent stays.
func TestLinkCleared(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, testkit.At(start))
	a := s.CreateApp("shop", "UTC")
	s.Admin("/i/campaign/create", "app_id", a.ID, "args", `{"_id":"spring","name":"Spring","link":"https://shop.example/","links":{"ios":"https://apps.apple.com/app/id1"}}`)
	read := func() (link string) {
		var table struct{ AaData []struct{ Link string } }
		testkit.Decode(t, s.Admin("/o/campaign", "app_id", a.ID, "getTable", "true"), &table)
		return table.AaData[0].Link
	}
	s.Admin("/i/campaign/update", "app_id", a.ID, "args", `{"_id":"spring","name":"Spring 2"}`)
	same(t, "not sent", "https://shop.example/", read())
	s.Admin("/i/campaign/update", "app_id", a.ID, "args", `{"_id":"spring","link":""}`)
	same(t, "empty", "", read())
}
