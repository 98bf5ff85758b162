package api_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/intake"
	"quipu/internal/jobs"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/seal"
	"quipu/internal/store/docs/sqlite"
	"quipu/internal/store/files/disk"
)

// slow is a server with a read that lasts until gate is closed.
type slow struct {
	t       *testing.T
	url     string
	client  *http.Client
	gate    chan struct{}
	calls   atomic.Int32
	waiting atomic.Int64 // ns, what a caller waits
	tasks   *jobs.Tasks
	auth    *auth.Service
}

type slowReq struct {
	Name string       `param:"name"`
	List params.Value `param:"list"`
}

func newSlow(t *testing.T) *slow {
	t.Helper()
	s := &slow{t: t, gate: make(chan struct{})}
	log := slog.New(slog.DiscardHandler)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "docs.db"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	keys, err := seal.Parse(seal.Generate())
	if err != nil {
		t.Fatal(err)
	}
	cfg := auth.DefaultConfig()
	cfg.Hash = auth.HashParams{Memory: 64, Passes: 1, Threads: 1}
	if s.auth, err = auth.Open(t.Context(), auth.Options{DB: db, Log: log, Now: time.Now, Config: cfg, Keys: keys}); err != nil {
		t.Fatal(err)
	}
	store, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	opt := jobs.DefaultTaskOptions()
	opt.Waiting = func() time.Duration { return time.Duration(s.waiting.Load()) }
	if s.tasks, err = jobs.NewTasks(db, store.Folder("tasks"), log, time.Now, opt, jobs.Alone{}); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.tasks.Serve(ctx) }()
	routes := api.NewRoutes()
	routes.RunLong(s.tasks, s.auth)
	g := routes.For("test").Long(api.Long{Type: "slowRead", Name: "Slow", Quick: func(p *params.Params) bool { return p.Has("quick") }})
	api.Handle(g, "/o/slow", api.Feature("core", model.Read, api.AppParam), func(ctx context.Context, c api.Caller, r slowReq) (map[string]any, error) {
		s.calls.Add(1)
		if r.Name == "bad" {
			return nil, fault.New(fault.Invalid, "slow.bad", "Bad name")
		}
		if !c.Params.Has("quick") {
			select {
			case <-s.gate:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		return map[string]any{"name": r.Name, "list": json.RawMessage(r.List.Raw()), "app": c.App.Name}, nil
	})
	client := func(*http.Request) netip.Addr { return netip.Addr{} }
	in := intake.New(intake.Options{Governor: memory.New(memory.Split(256<<20), log, time.Now), Now: time.Now, Client: client})
	web := httptest.NewServer(api.NewServer(routes, api.Options{
		Intake: in, Auth: s.auth, Apps: directory{}, Log: log, Now: time.Now, Limits: params.Limits{Body: 1 << 20, Params: 100}, Bus: hook.NewBus(),
		Client: client, Cookie: "session", Form: formsOfTest,
	}))
	s.url, s.client = web.URL, web.Client()
	t.Cleanup(func() {
		web.Close()
		stop()
		<-done
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *slow) member(name string, change func(*auth.NewMember)) string {
	s.t.Helper()
	n := auth.NewMember{FullName: name, Username: name, Password: "Correct-horse-1", Email: name + "@example.org"}
	change(&n)
	m, err := s.auth.CreateMember(s.t.Context(), n)
	if err != nil {
		s.t.Fatal(err)
	}
	return m.APIKey
}

func (s *slow) get(key string, pairs ...string) string {
	s.t.Helper()
	q := url.Values{"api_key": {key}, "app_id": {appA.ID.String()}}
	for i := 0; i < len(pairs); i += 2 {
		q.Set(pairs[i], pairs[i+1])
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/o/slow?"+q.Encode(), http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var raw json.RawMessage
	if err := json.NewDecoder(resp.Body).Decode(&raw); err != nil {
		s.t.Fatal(err)
	}
	return string(raw)
}

// TestLong lets a read take longer than its caller waits.
func TestLong(t *testing.T) {
	s := newSlow(t)
	admin := s.member("admin", func(n *auth.NewMember) { n.GlobalAdmin = true })
	const answer = `{"app":"A","list":["<b>"],"name":"x"}`
	ask := []string{"name", "x", "list", `["<b>"]`, "report_name", "Mine", "password", "s3cret"}

	got := s.get(admin, ask...)
	var pushed struct {
		Result struct {
			ID string `json:"task_id"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(got), &pushed); err != nil || len(pushed.Result.ID) != 40 {
		t.Fatalf("a slow read answers %s", got)
	}
	id := pushed.Result.ID
	if got, want := s.get(admin, ask...), `{"task_id":"`+id+`"}`; got != want {
		t.Errorf("the same again: got %s, want %s", got, want)
	}
	task, err := s.tasks.Get(t.Context(), id)
	if err != nil || task.Type != "slowRead" || task.ReportName != "Mine" || !task.Personal || task.App != appA.ID {
		t.Errorf("task %+v, %v", task, err)
	}
	if text := string(task.Params); strings.Contains(text, admin) || strings.Contains(text, "s3cret") {
		t.Errorf("the task keeps credentials: %s", text)
	}
	close(s.gate)
	for task.State.Live() {
		if task, err = s.tasks.Get(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	var result any
	if err := json.Unmarshal(task.Result.Data, &result); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(result); err != nil || string(got) != `{"app":"A","list":["\u003cb\u003e"],"name":"x"}` {
		t.Errorf("the result is %s, %v", got, err)
	}
	if n := s.calls.Load(); n != 1 {
		t.Errorf("read %d times", n)
	}

	s.waiting.Store(int64(time.Hour))
	if got, want := s.get(admin, ask...), strings.ReplaceAll(strings.ReplaceAll(answer, "<", "&lt;"), ">", "&gt;"); got != want {
		t.Errorf("in time: got %s, want %s", got, want)
	}
	if got, want := s.get(admin, "name", "bad"), `{"result":"Bad name"}`; got != want {
		t.Errorf("a fault: got %s, want %s", got, want)
	}
}

// TestLongWhileUsersAreDeleted deletes users of the app while a caller waits for a read, which then is repeated.
func TestLongWhileUsersAreDeleted(t *testing.T) {
	s := newSlow(t)
	s.waiting.Store(int64(time.Hour))
	admin := s.member("admin", func(n *auth.NewMember) { n.GlobalAdmin = true })
	answered := make(chan string, 1)
	go func() { answered <- s.get(admin, "name", "x", "list", "2") }()
	for s.calls.Load() < 1 {
		runtime.Gosched()
	}
	if err := s.tasks.ForgetUsers(t.Context(), appA.ID); err != nil {
		t.Fatal(err)
	}
	for s.calls.Load() < 2 {
		runtime.Gosched()
	}
	close(s.gate)
	if got := <-answered; got != `{"app":"A","list":2,"name":"x"}` {
		t.Errorf("got %s", got)
	}
}

// TestLongForWhomNot asks in ways that must not be answered with a task.
func TestLongForWhomNot(t *testing.T) {
	s := newSlow(t)
	admin := s.member("admin", func(n *auth.NewMember) { n.GlobalAdmin = true })
	if got := s.get(admin, "quick", "1", "name", "x", "list", "1"); got != `{"app":"A","list":1,"name":"x"}` {
		t.Errorf("a quick read: %s", got)
	}
	s.waiting.Store(0)
	if got := s.get("nobody", "name", "x"); got != `{"result":"User does not exist"}` {
		t.Errorf("a stranger: %s", got)
	}
	if got := s.get(s.member("plain", func(*auth.NewMember) {}), "name", "x"); got != `{"result":"User does not have right"}` {
		t.Errorf("without rights: %s", got)
	}
	// A token limited to one endpoint could not read the task.
	m, err := s.auth.MemberByLogin(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	token, err := s.auth.CreateToken(t.Context(), m.ID, auth.NewToken{Multi: true, Endpoint: json.RawMessage(`["/o/slow"]`)})
	if err != nil {
		t.Fatal(err)
	}
	answered := make(chan string, 1)
	go func() { answered <- s.get("", "auth_token", token.ID, "name", "x", "list", "2") }()
	for s.calls.Load() < 2 {
		select {
		case got := <-answered:
			t.Fatalf("answered before the read was done: %s", got)
		default:
		}
	}
	close(s.gate)
	if got := <-answered; got != `{"app":"A","list":2,"name":"x"}` {
		t.Errorf("a token for the endpoint: %s", got)
	}
}
