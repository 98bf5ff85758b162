package crashes_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/hook"
	"quipu/internal/ingest/request"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/testkit"
	"quipu/internal/topic"
)

var cutSeed = flag.Uint64("crash-cut-seed", 0, "seed of the traffic before a regrouping is cut; 0 = another each time")

// writing stands between the crashes module and its stores: before is called ahead of each write. Moves of signatures are split, so that there are
// several writes of them.
type writing struct {
	docs.DB
	before func()
}

func (w *writing) Tx(ctx context.Context, fn func(docs.Handle) error) error {
	w.before()
	return w.DB.Tx(ctx, fn)
}

// between has before called ahead of the writes of the crashes module.
func between(before func()) testkit.Option {
	return testkit.WithModules(func(list []kernel.Module) []kernel.Module {
		for i := range list {
			setup := list[i].Setup
			if list[i].Name != "crashes" {
				continue
			}
			list[i].Setup = func(s *kernel.Scope, c *kernel.Capabilities) error {
				own := *c
				own.Docs = &writing{c.Docs, before}
				own.Submit = func(ctx context.Context, r request.Record) error {
					for _, part := range moves(r) {
						before()
						if err := c.Submit(ctx, part); err != nil {
							return err
						}
					}
					return nil
				}
				return setup(s, &own)
			}
		}
		return list
	})
}

// moves splits a record that moves signatures.
func moves(r request.Record) []request.Record {
	var d struct {
		Move map[string]string `json:"move"`
	}
	if json.Unmarshal(r.JSON, &d) != nil || len(d.Move) < 2 {
		return []request.Record{r}
	}
	var out []request.Record
	for part := range slices.Chunk(slices.Sorted(maps.Keys(d.Move)), 2) {
		few := map[string]string{}
		for _, name := range part {
			few[name] = d.Move[name]
		}
		one := r
		one.JSON, _ = json.Marshal(map[string]any{"move": few})
		out = append(out, one)
	}
	return out
}

// TestWalkRegroupingCut changes rules, keeps what is on the disk ahead of each write of that, as if the server had ended there, and starts a server on
// each: the task is done again, and the groups are those of the model.
func TestWalkRegroupingCut(t *testing.T) {
	t.Parallel()
	n := *cutSeed
	if n == 0 {
		n = rand.Uint64()
	}
	t.Logf("-crash-cut-seed=%d", n)
	var images []string
	var keep func()
	s := testkit.New(t, testkit.At(start), between(func() {
		if keep != nil {
			keep()
		}
	}))
	k := &modelKit{kit: &kit{t, s, s.CreateApp("shop", "UTC"), start}, r: rand.New(rand.NewPCG(n, 0)), m: newCrashModel()} // reproducible
	for range 60 {
		k.step()
	}
	k.compare()
	folder := filepath.Join(t.TempDir(), "images")
	keep = func() {
		dir := filepath.Join(folder, fmt.Sprint(len(images)))
		if _, err := s.App().Snapshot(context.Background(), dir); err != nil {
			t.Error(err)
			return
		}
		images = append(images, dir)
	}
	from := k.m.rules
	rules := (from + 1 + k.r.IntN(len(ruleSets)-1)) % len(ruleSets)
	k.applyRules(ruleSets[rules].text, k.m.version)
	keep = nil
	k.m.version++
	k.m.rule(rules)
	viewed := map[string]bool{}
	for key, v := range k.m.variants {
		viewed[key] = v.viewed
	}
	k.compare()
	if len(images) < 3 {
		t.Fatalf("%d writes", len(images))
	}
	secret, err := os.ReadFile(filepath.Join(s.Data(), "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	for i, dir := range images {
		if err := os.WriteFile(filepath.Join(dir, "secret.key"), secret, 0o600); err != nil {
			t.Fatal(err)
		}
		for key, v := range k.m.variants {
			v.viewed = viewed[key]
		}
		after := testkit.New(t, testkit.At(k.at), testkit.WithConfig(func(c *app.Config) { c.Data = dir }))
		cut := &modelKit{kit: &kit{t, after, k.a, k.at}, r: k.r, m: k.m}
		cut.settled()
		cut.compare()
		cut.verify()
		after.Stop()
		if t.Failed() {
			t.Fatalf("cut ahead of write %d of %d, rules %d after %d", i, len(images), rules, from)
		}
	}
}

// settled waits until no task is left to do.
func (k *modelKit) settled() {
	k.Helper()
	for range 2000 {
		var list []object
		testkit.Decode(k, k.s.Admin("/o/tasks/all", "app_id", k.a.ID), &list)
		if !slices.ContainsFunc(list, func(o object) bool {
			return o["status"] == "running" || o["status"] == "rerunning" || o["status"] == "queued"
		}) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	k.Fatal("tasks do not end")
}

// TestDeleteWhileRegrouping deletes a group while rules move it: the deletion comes after the move, and nothing brings the group back.
func TestDeleteWhileRegrouping(t *testing.T) {
	t.Parallel()
	moving, goOn := make(chan struct{}), make(chan struct{})
	armed := make(chan struct{}, 1)
	s := testkit.New(t, testkit.At(start), between(func() {
		select {
		case <-armed:
			close(moving)
			<-goOn
		default:
		}
	}))
	k := &kit{t, s, s.CreateApp("shop", "UTC"), start}
	for n := range 3 {
		k.crash(fmt.Sprint("d", n), fmt.Sprintf("Error %d\n\tat a.b(C.java:%d)", n, n), "Android", "1.0", "")
	}
	first := k.row("Error 0\n\tat a.b(C.java:0)")["_id"].(string)
	armed <- struct{}{}
	ruled, deleted := make(chan string, 1), make(chan struct{})
	go func() {
		r := s.Post("/i/crashes/rules", "api_key", s.Key, "app_id", k.a.ID, "rules", `{"algorithm":2}`, "version", "0")
		ruled <- r.Body
	}()
	<-moving
	go func() {
		defer close(deleted)
		s.Post("/i/crashes/delete", "api_key", s.Key, "app_id", k.a.ID, "args", fmt.Sprintf(`{"crash_id":%q}`, first))
	}()
	select {
	case <-deleted:
		t.Error("the group was deleted while it was moved")
	case <-time.After(200 * time.Millisecond): // it waits
	}
	close(goOn)
	<-deleted
	var out struct{ Task string }
	testkit.Decode(t, <-ruled, &out)
	k.task(out.Task)
	if rows := k.rows(); len(rows) != 0 {
		t.Errorf("left: %v", rows)
	}
	k.verify()
}

// reading has after called behind each read of rules by the crashes module, and keeps the bus.
type reading struct {
	docs.DB
	after func()
}

func (r *reading) Get(ctx context.Context, l *docs.Layout, s docs.Scope, key string) (docs.Record, error) {
	rec, err := r.DB.Get(ctx, l, s, key)
	if l.Name == "crashes.rules" {
		r.after()
	}
	return rec, err
}

// TestSymbolsWhileRulesChange has the rules change when a task that groups by new symbols has read them: it begins again with those that hold then.
func TestSymbolsWhileRulesChange(t *testing.T) {
	t.Parallel()
	var k *kit
	var bus *hook.Bus
	var armed atomic.Bool
	s := testkit.New(t, testkit.At(start), testkit.WithModules(func(list []kernel.Module) []kernel.Module {
		for i := range list {
			setup := list[i].Setup
			if list[i].Name != "crashes" {
				continue
			}
			list[i].Setup = func(s *kernel.Scope, c *kernel.Capabilities) error {
				own := *c
				bus = s.Bus
				own.Docs = &reading{c.Docs, func() {
					if armed.CompareAndSwap(true, false) {
						k.applyRules(`{"algorithm":2}`, 0)
					}
				}}
				return setup(s, &own)
			}
		}
		return list
	}))
	k = &kit{t, s, s.CreateApp("shop", "UTC"), start}
	for n := range 3 {
		k.crash(fmt.Sprint("d", n), fmt.Sprintf("java.lang.IllegalStateException: order %d\n\tat com.shop.Cart.pay(Cart.java:%d)", n, n), "Android", "1.0", "")
	}
	k.s.Flush()
	id, err := model.ParseID(k.a.ID)
	if err != nil {
		t.Fatal(err)
	}
	armed.Store(true)
	if err := hook.Emit(t.Context(), bus, topic.SymbolsChanged{App: id}); err != nil {
		t.Fatal(err)
	}
	for range 2000 {
		var list []object
		testkit.Decode(t, s.Admin("/o/tasks/all", "app_id", k.a.ID), &list)
		at := slices.IndexFunc(list, func(o object) bool { return o["report_name"] == "Crashes by new symbols" })
		if at >= 0 && list[at]["status"] != "running" {
			if list[at]["status"] != "completed" {
				t.Errorf("the task ended so: %v", list[at])
			}
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if rows := k.rows(); armed.Load() || len(rows) != 1 {
		t.Errorf("%d groups", len(rows))
	}
}

// TestVolumeReports groups reports that together are more than may be held at a time.
func TestVolumeReports(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for n := range 24 { // the frames are the same, and each text is one megabyte
		var b strings.Builder
		fmt.Fprintf(&b, "java.lang.IllegalStateException: order %d\n\tat com.shop.Cart.pay(Cart.java:%d)\n", n, n)
		for b.Len() < 900<<10 {
			fmt.Fprintf(&b, "\tat java.util.List%d.get(List.java:%d)\n", n, n)
		}
		k.crash(fmt.Sprint("d", n), b.String(), "Android", "1.0", "")
	}
	k.s.Flush()
	k.applyRules(`{"algorithm":1,"fingerprints":[{"match":[{"what":"function","pattern":"com.shop.*"}],"parts":["{{function}}"]}]}`, 0)
	if rows := k.rows(); len(rows) != 1 || rows[0]["reports"] != 24.0 {
		t.Errorf("%d groups", len(rows))
	}
}

// TestMergedInQuestions asks for the rows of a merged group by its id: filters, steps of funnels and conditions of cohorts select all its variants.
func TestMergedInQuestions(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, user := range []string{"a", "b", "c"} {
		k.begin(user, "Android", "1.0")
	}
	k.crash("a", "E: one\nat x", "Android", "1.0", "")
	k.crash("b", "E: two\nat y", "Android", "1.0", "")
	k.crash("c", "E: three\nat z", "Android", "1.0", "")
	one, two, three := k.id("E: one\nat x"), k.id("E: two\nat y"), k.id("E: three\nat z")
	users := func(filter string) int {
		t.Helper()
		var out struct{ Totals struct{ U int } }
		testkit.Decode(t, k.s.Admin("/o", "method", "segmentation", "app_id", k.a.ID, "event", "[CLY]_crash", "queryObject", filter, "period", "7days", "bucket", "daily"), &out)
		return out.Totals.U
	}
	var made struct{ Result string }
	filter := fmt.Sprintf(`{"sg.group":%q}`, one)
	testkit.Decode(t, k.s.Admin("/i/funnels/add", "app_id", k.a.ID, "funnel_name", "f", "steps", `["[CLY]_session","[CLY]_crash"]`, "queries", `[{},`+filter+`]`, "queryTexts", `["",""]`), &made)
	inFunnel := func() int {
		t.Helper()
		var out struct {
			Success int `json:"success_users"`
		}
		testkit.Decode(t, k.s.Admin("/o", "method", "funnel", "app_id", k.a.ID, "funnel", made.Result, "period", "30days"), &out)
		return out.Success
	}
	var cohort struct{ Result string }
	testkit.Decode(t, k.s.Admin("/i/cohorts/add", "app_id", k.a.ID, "cohort_name", "hit", "steps", fmt.Sprintf(`[{"type":"did","event":"[CLY]_crash","period":"7days","query":%s}]`, filter)), &cohort)
	inCohort := func(want int) (got int) {
		t.Helper()
		k.s.Admin("/i/cohorts/recalculate", "app_id", k.a.ID, "cohort_id", cohort.Result)
		for range 1000 { // until the task has ended
			list := k.s.Admin("/o", "method", "user_details", "app_id", k.a.ID, "query", fmt.Sprintf(`{"chr":%q}`, cohort.Result))
			if got = strings.Count(list, `"did"`); got == want {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		return got
	}
	ask := func(when string, of, notOf, either, funnel, members int) {
		t.Helper()
		k.s.Flush()
		got := []int{users(filter), users(fmt.Sprintf(`{"sg.group":{"$ne":%q}}`, one)), users(fmt.Sprintf(`{"n":{"$in":[%q,%q]}}`, one, three)), inFunnel(), inCohort(members)}
		k.same(when, got, []int{of, notOf, either, funnel, members})
	}
	ask("apart", 1, 2, 2, 1, 1)
	k.act("merge", fmt.Sprintf(`{"crash_id":%q,"crashes":[%q]}`, one, two))
	ask("merged", 2, 1, 3, 2, 2)
	k.act("split", fmt.Sprintf(`{"crash_id":%q,"variants":[%q]}`, one, two))
	ask("split", 1, 2, 2, 1, 1)
}
