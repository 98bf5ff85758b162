package wiretest_test

import (
	bytebuf "bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/app"
	"quipu/internal/testkit"
	"quipu/internal/testkit/golden"
)

// The golden files in testdata/golden are conversations with a fresh server
// that has the people and the data of newScene. A block of a file is
//
//	# what is asked
//	GET /o/apps/mine            the verb and the path
//	as reader                   the caller; root when nobody is named, nobody for no credentials
//	name=value                  parameters, sent as a form unless the verb is GET
//	header Name: value          headers
//	body {"a":1}                a JSON body in place of a form
//	file symbols a.txt "x\n"     a file of a form, its field, name and content; the parameters are then in the address
//	save note aaData.0._id      keeps a part of the answer as {note}; without a path the whole answer, which is a text
//	until "completed"           asks again until the answer has this text
//	keys                        shows only the names of the answer's members, and nothing of what is no object
//	warned                      the answer has warnings, which it must not have otherwise
//	blank cpu pid               shows members of these names, wherever they are, as 0, "…" or false; of lists in them the
//	                            first element; all members if no name is given
//	<<< 200 application/json
//	{"the": "answer"}
//
// {app}, {appkey} and so on stand for what differs from run to run. Under
// -update everything after <<< is rewritten. Every route must be asked at
// least once with success.

// block is one question with its answer.
type block struct {
	name  string
	lines []string // of the question, as written
}

// exempt are routes that never answer with success.
func exempt() map[string]bool {
	return map[string]bool{
		"/o/analytics": true, "/o/analytics/{tail}": true, // unknown paths
		"/o/export/download": true, "/o/app_users/download": true, "/i/app_users/deleteExport": true, // without the name of a file
		"/o/render": true, "/images/screenshots/{file}": true, "/i/heatmaps/take": true, // need a browser
		"/o/email_test":        true,                              // needs a mail server
		"/o/app_users/picture": true, "/o/heatmaps/picture": true, // need an upload; the tests of the modules have one
		"/o/live/feed": true, "/o/live/tiles": true, // streams
		"/o/feedback/widget": true, "/o/surveys/nps/widget": true, "/o/surveys/rating/widget": true, "/o/surveys/survey/widget": true, // there are no widgets
		"/i/crashes-jira?method=login": true, "/crashes-jira/login_callback": true, // lead elsewhere; the module's tests follow them
		"/campaign/{id}": true, // leads to an address with an id of its own each time; the module's tests follow it
		"/feedback":      true, "/feedback/nps": true, "/feedback/rating": true, "/feedback/survey": true,
	}
}

// unaudited are write routes that never tell the audit log of a change, and why.
func unaudited() map[string]string {
	return map[string]string{
		"/i/active_users/clear_active_users_cache": "changes nothing that anyone sees",
		"/i/adjust": "collects data, as /i does",
		"/i/crash_symbols/symbolicatation_result": "changes nothing",
		"/i/trackers/check":                       "looks at a tracker",
		"/i/crashes-jira?method=check_login":      "looks at a tracker",
		"/i/systemlogs":                           "writes an entry of the log itself",
		"/i/profiler/list-files":                  "reads",
		"/i/profiler/download-all":                "reads",
		"/i/profiler/take-heap-snapshot":          "looks at the process",
	}
}

// onlyReading are files that change nothing, so that they share a server.
func onlyReading() []string {
	return []string{"analytics", "compare", "compliancehub", "documents", "live", "locale", "slipping", "system"}
}

// TestGolden is not parallel to others: a process has one profiler, and they start it too.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/golden/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	var mu sync.Mutex
	answered := map[string]bool{}
	told := map[string]api.Audited{} // by route, what its writes told the audit log, all together
	watching := testkit.Watching(func(route string, now api.Audited) {
		mu.Lock()
		defer mu.Unlock()
		if !now.Change && !now.Silent {
			t.Errorf("a write of %s told the audit log neither what stood before nor after", route)
		}
		was := told[route]
		told[route] = api.Audited{Change: was.Change || now.Change, Silent: was.Silent || now.Silent}
	})
	asked := testkit.Reading(func(r *api.Route, parameter string) {
		if undeclared(r, parameter) {
			t.Errorf("%s reads the parameter %q, which its request type does not declare", r.Name(), parameter)
		}
	})
	play := func(t *testing.T, st *scene, file string) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for _, b := range blocks(string(text)) {
			good, answer := st.ask(t, b)
			fmt.Fprintf(&out, "# %s\n%s\n%s\n\n", b.name, strings.Join(b.lines, "\n"), answer)
			mu.Lock()
			for _, name := range good {
				answered[name] = true
			}
			mu.Unlock()
		}
		golden.File(t, file, []byte(strings.TrimSuffix(out.String(), "\n")))
	}
	name := func(file string) string { return strings.TrimSuffix(filepath.Base(file), ".txt") }
	t.Run("files", func(t *testing.T) {
		var reading []string
		for _, file := range files {
			if slices.Contains(onlyReading(), name(file)) {
				reading = append(reading, file)
				continue
			}
			t.Run(name(file), func(t *testing.T) {
				t.Parallel()
				play(t, newScene(t, watching, asked), file)
			})
		}
		t.Run("reading", func(t *testing.T) {
			t.Parallel()
			st := newScene(t, watching, asked)
			for _, file := range reading {
				t.Run(name(file), func(t *testing.T) { play(t, st, file) })
			}
		})
	})
	need := []string{"/i", "/i/bulk", "/pixel.png", "/api-key"}
	for _, r := range routes(t) {
		if !exempt()[r.name()] {
			need = append(need, r.name())
		}
	}
	for route, what := range told {
		if why := unaudited()[route]; !what.Change && why == "" {
			t.Errorf("writes of %s keep out of the audit log, and nobody says why", route)
		}
	}
	for _, name := range need {
		if !answered[name] {
			t.Errorf("no golden file has an answer with success of %s", name)
		}
	}
}

// blocks splits a file; what stands after <<< is left out.
func blocks(text string) []block {
	var out []block
	answer := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "# "):
			out, answer = append(out, block{name: line[2:]}), false
		case strings.HasPrefix(line, "<<<"):
			answer = true
		case answer || line == "" || len(out) == 0:
		default:
			b := &out[len(out)-1]
			b.lines = append(b.lines, line)
		}
	}
	return out
}

// scene is the server of a golden file.
type scene struct {
	*testkit.Server
	keys map[string]string // by caller
	// names are what placeholders stand for.
	names map[string]string
	list  []route
}

// newScene has an app with the data of a few days, another one without any, and
// members: root (global administrator), boss (administrator of the app), reader
// (user of the app with all rights), bare (no apps), locked.
func newScene(t *testing.T, options ...testkit.Option) *scene {
	t.Helper()
	tracker := newTracker(t)
	s := server(t, append(options, testkit.WithConfig(func(c *app.Config) {
		c.Modules["trackers"] = map[string]any{"allow_hosts": []string{strings.TrimPrefix(tracker, "http://")}}
	}))...)
	st := &scene{Server: s, names: map[string]string{"tracker": tracker}, list: routes(t)}
	a, b := s.CreateApp("Shop", "Europe/Berlin"), s.CreateApp("Empty", "Etc/GMT")
	root, _ := dig(t, s.Admin("/o/users/me"), "_id").(string)
	members := map[string]member{
		"root":   {root, s.Key},
		"boss":   createMember(t, s, "boss", map[string]any{"permission": permission([]string{a.ID}, nil, nil)}),
		"reader": createMember(t, s, "reader", map[string]any{"permission": everything(a.ID)}),
		"bare":   createMember(t, s, "bare", nil),
		"locked": createMember(t, s, "locked", map[string]any{"locked": true}),
	}
	st.keys = map[string]string{"nobody": "", "stranger": "0000000000000000000000000000dead"}
	for name, m := range members {
		st.keys[name] = m.key
		st.names[name], st.names[name+"key"] = m.id, m.key
	}
	maps.Copy(st.names, map[string]string{"app": a.ID, "appkey": a.Key, "empty": b.ID, "emptykey": b.Key, "unknown": unknownID, "noon": noonMS})
	type pairs = []string
	for _, r := range []struct {
		device string
		pairs  pairs
	}{
		{"d1", pairs{
			"timestamp", ms(-30 * 3600000), "begin_session", "1", "sdk_name", "java-native-android", "sdk_version", "24.4.1", "country_code", "ES", "city", "León",
			"metrics", `{"_os":"Android","_os_version":"14.1","_device":"Pixel 9","_carrier":"metro pcs","_resolution":"1080x2400","_density":"420dpi","_locale":"es_ES","_app_version":"3.4.1","_store":"com.shop.app","_manufacturer":"Google"}`,
		}},
		{"d1", pairs{
			"timestamp", ms(-30*3600000 + 40000), "session_duration", "40",
			"events", `[{"key":"buy","count":2,"sum":7.5,"segmentation":{"plan":"pro","size":"1.5"}}]`,
		}},
		{"d1", pairs{"timestamp", ms(-30*3600000 + 45000), "end_session", "1", "session_duration", "5"}},
		{"d2", pairs{
			"timestamp", ms(-2 * 3600000), "begin_session", "1", "sdk_name", "javascript_native_web", "sdk_version", "24.4.0",
			"metrics", `{"_os":"Windows","_os_version":"10","_browser":"Chrome","_browser_version":"121.0","_resolution":"1920x1080","_locale":"de","_app_version":"3.5"}`,
		}},
		{"d2", pairs{
			"timestamp", ms(-2*3600000 + 1000), "hour", "12", "dow", "3",
			"events", `[{"key":"buy","sum":1,"segmentation":{"plan":"free"}},{"key":"view","dur":9}]`,
			"user_details", `{"name":"Ann","email":"ann@example.org","byear":1990,"custom":{"plan":"free","tags":["a","b"]}}`,
			"consent", `{"sessions":true,"events":false}`,
		}},
		{"d2", pairs{"timestamp", ms(-2*3600000 + 2000), "session_duration", "70"}},
		{"d1", pairs{"timestamp", ms(-1 * 3600000), "begin_session", "1"}},
	} {
		s.Ingest(a, r.device, r.pairs...)
	}
	s.Flush()
	return st
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// fill puts what placeholders stand for in their place.
func (st *scene) fill(line string) string {
	return placeholder.ReplaceAllStringFunc(line, func(p string) string {
		if v, ok := st.names[p[1:len(p)-1]]; ok {
			return v
		}
		return p
	})
}

// masks are forms that differ from run to run.
func masks() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"<40 hex>": regexp.MustCompile(`\b[0-9a-f]{40}\b`),
		"<32 hex>": regexp.MustCompile(`\b[0-9a-f]{32}\b`),
		"<24 hex>": regexp.MustCompile(`\b[0-9a-f]{24}\b`),
		"<12 hex>": regexp.MustCompile(`\b[0-9a-f]{12}\b`),
	}
}

// version is the program's.
var version = regexp.MustCompile(`("version": ?)"\d+\.\d+\.\d+[\w.+-]*"`)

// seconds is the time of a statement of /o/explain.
var seconds = regexp.MustCompile(`("rows_returned": ?-?\d+, ?"seconds": ?)[\d.e-]+`)

// stored is how many cells a read of /o/explain takes from the store, and its time: what is remembered depends on what was committed just before.
var stored = regexp.MustCompile(`"cells_read":( ?)\d+,(?: ?"remembered": ?true,)?( ?)"seconds": ?[\d.e-]+`)

// number is an app's in the tables that apps share: it says whose rows came first.
var number = regexp.MustCompile(`(\bapp = )\d+`)

// hide puts placeholders in the place of what they stand for.
func (st *scene) hide(text string) string {
	names := slices.SortedFunc(maps.Keys(st.names), func(a, b string) int { // the longest first: they may hold others
		return cmp.Or(len(st.names[b])-len(st.names[a]), strings.Compare(a, b))
	})
	for _, name := range names {
		if v := st.names[name]; len(v) >= 20 {
			text = strings.ReplaceAll(text, v, "{"+name+"}")
		}
	}
	for with, re := range masks() {
		text = re.ReplaceAllString(text, with)
	}
	text = number.ReplaceAllString(text, "${1}<number>")
	text = stored.ReplaceAllString(text, `"cells_read":${1}0,${2}"seconds":${1}0`)
	return seconds.ReplaceAllString(version.ReplaceAllString(text, `${1}"<version>"`), "${1}0")
}

// waits is how long an answer may take to have what a block waits for.
const waits = 3 * time.Minute

// ask sends a block's question. It returns the names of the route if the
// answer is success, and the answer as the file shows it.
func (st *scene) ask(t *testing.T, b block) (good []string, answer string) {
	t.Helper()
	verb, path, ok := strings.Cut(b.lines[0], " ")
	if !ok {
		t.Fatalf("%s: %q is no verb and path", b.name, b.lines[0])
	}
	who, body := "root", ""
	var pairs, header, saves []string
	until, keys, warned := "", false, false
	var blanks func(name string) bool // which members are blanked; nil for none
	for _, line := range b.lines[1:] {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "as":
			who = rest
		case "header":
			name, v, _ := strings.Cut(st.fill(rest), ": ")
			header = append(header, name, v)
		case "body":
			body = st.fill(rest)
		case "file":
			body += formFile(t, st.fill(rest))
			header = append(header, "Content-Type", "multipart/form-data; boundary=golden")
		case "until":
			until = rest
		case "keys":
			keys = true
		case "warned":
			warned = true
		case "blank":
			some := strings.Fields(rest)
			blanks = func(name string) bool { return len(some) == 0 || slices.Contains(some, name) }
		case "save":
			saves = append(saves, rest)
		default:
			name, v, _ := strings.Cut(st.fill(line), "=")
			pairs = append(pairs, name, v)
		}
	}
	key, known := st.keys[who]
	if !known {
		t.Fatalf("%s: nobody is called %q", b.name, who)
	}
	if key != "" {
		pairs = append([]string{"api_key", key}, pairs...)
	}
	if strings.HasPrefix(body, "--golden") {
		body += "--golden--\r\n"
	}
	st.Flush()
	got := st.send(verb, st.fill(path), body, pairs, header)
	for patience := time.Now().Add(waits); !strings.Contains(got.Body, until); got = st.send(verb, st.fill(path), body, pairs, header) {
		if time.Now().After(patience) {
			t.Fatalf("%s: no %s within %v: %.300s", b.name, until, waits, got.Body)
		}
		time.Sleep(time.Millisecond) // what is waited for needs a processor, too
	}
	if keys {
		got.Body = names(t, got.Body)
	}
	for _, s := range saves {
		name, where, _ := strings.Cut(s, " ")
		var v string
		if where == "" {
			v = strings.Trim(got.Body, `"`)
		} else {
			v, _ = dig(t, got.Body, strings.Split(where, ".")...).(string)
		}
		if v == "" {
			t.Errorf("%s: no %s in %.300s", b.name, where, got.Body)
		}
		st.names[name] = v
	}
	if blanks != nil {
		var v any
		if err := json.Unmarshal([]byte(got.Body), &v); err != nil {
			t.Fatalf("%s: %v in %.300s", b.name, err, got.Body)
		}
		got.Body = text(t, blank(v, "", blanks))
	}
	if got.Status < 300 {
		good = st.routesOf(path, pairs)
		if warnings := got.Header.Values("Quipu-Warning"); len(warnings) > 0 != warned {
			t.Errorf("%s: the answer has the warnings %q", b.name, warnings)
		}
	}
	return good, fmt.Sprintf("<<< %d %s\n%s", got.Status, got.Header.Get("Content-Type"), st.show(got))
}

// formFile is a file of a form, as a part of its body.
func formFile(t *testing.T, line string) string {
	t.Helper()
	field, rest, _ := strings.Cut(line, " ")
	name, quoted, _ := strings.Cut(rest, " ")
	content, err := strconv.Unquote(quoted)
	if err != nil {
		t.Fatalf("file %s: %v", line, err)
	}
	return fmt.Sprintf("--golden\r\nContent-Disposition: form-data; name=%q; filename=%q\r\n\r\n%s\r\n", field, name, content)
}

// names lists the members of an answer, of the result within it, or says that it is no object.
func names(t *testing.T, body string) string {
	t.Helper()
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &object) != nil {
		return `"not shown"`
	}
	for name := range object {
		if _, err := strconv.Atoi(name); err == nil {
			return `"not shown"` // a process
		}
	}
	if inner := object["result"]; len(object) == 1 && len(inner) > 0 && inner[0] == '{' {
		return `{"result":` + names(t, string(inner)) + `}`
	}
	return text(t, slices.Sorted(maps.Keys(object)))
}

// blank replaces what stands in members of some names, so that only its kind is left.
func blank(v any, name string, blanks func(name string) bool) any {
	hidden := name != "" && blanks(name)
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if hidden { // all that is in it
				v[k] = blank(inner, name, blanks)
			} else {
				v[k] = blank(inner, k, blanks)
			}
		}
		return v
	case []any:
		if hidden && len(v) > 1 {
			v = v[:1]
		}
		for i := range v {
			v[i] = blank(v[i], name, blanks)
		}
		return v
	case float64:
		if hidden {
			return 0
		}
	case string:
		if hidden {
			return "…"
		}
	case bool:
		if hidden {
			return false
		}
	}
	return v
}

func (st *scene) send(verb, path, body string, pairs, header []string) testkit.Response {
	q := testkit.Query(pairs...)
	if verb != http.MethodGet && body == "" {
		return st.Do(verb, path, strings.NewReader(q), append([]string{"Content-Type", form[1]}, header...)...)
	}
	if q != "" {
		sep := "?"
		if strings.Contains(path, "?") {
			sep = "&"
		}
		path += sep + q
	}
	if body == "" {
		return st.Do(verb, path, nil, header...)
	}
	return st.Do(verb, path, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, header...)...)
}

// routesOf names the routes that a path stands for.
func (st *scene) routesOf(path string, pairs []string) []string {
	path, query, _ := strings.Cut(path, "?")
	names := []string{path}
	method, _ := strings.CutPrefix(query, "method=")
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == "method" {
			method = pairs[i+1]
		}
	}
	if path == "/o" {
		return []string{path + "?method=" + method}
	}
	if method != "" {
		names = append(names, path+"?method="+method)
	}
	for _, r := range st.list {
		if before, after, ok := strings.Cut(r.path, "{"); ok && strings.HasPrefix(path, before) {
			_, tail, _ := strings.Cut(after, "}")
			if rest := path[len(before):]; rest != "" && strings.HasSuffix(rest, tail) {
				names = append(names, r.path)
			}
		}
	}
	return names
}

// show renders a body: JSON indented, other text as it is, anything else by its size.
func (st *scene) show(got testkit.Response) string {
	kind := got.Header.Get("Content-Type")
	var b bytebuf.Buffer
	switch {
	case strings.Contains(kind, "json") && json.Indent(&b, []byte(st.hide(got.Body)), "", "  ") == nil:
		return sortNamed(b.String())
	case strings.HasPrefix(kind, "text/") || strings.Contains(kind, "json") || strings.Contains(kind, "csv"):
		return st.hide(strings.ReplaceAll(got.Body, "\r", "␍")) // version control changes ends of lines
	}
	return fmt.Sprintf("(%d bytes)", len(got.Body))
}

// member of an object whose names are placeholders, in indented JSON.
var namedMember = regexp.MustCompile(`^ *"(\{\w+\}|<\d+ hex>)": `)

// sortNamed orders the members of objects that have names which are
// placeholders: those come in the order of what they hide.
func sortNamed(text string) string {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if !namedMember.MatchString(lines[i]) {
			continue
		}
		depth := indent(lines[i])
		for i > 0 && indent(lines[i-1]) >= depth {
			i--
		}
		var members []string
		end := i
		for ; end < len(lines) && indent(lines[end]) >= depth; end++ {
			if indent(lines[end]) == depth && strings.HasPrefix(lines[end][depth:], `"`) {
				members = append(members, lines[end])
			} else {
				members[len(members)-1] += "\n" + lines[end]
			}
		}
		for j := range members {
			members[j] = strings.TrimSuffix(members[j], ",")
		}
		slices.Sort(members)
		copy(lines[i:end], strings.Split(strings.Join(members, ",\n"), "\n"))
		i = end - 1
	}
	return strings.Join(lines, "\n")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
