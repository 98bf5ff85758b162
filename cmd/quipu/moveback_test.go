package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quipu/internal/testkit/clustered"
	"quipu/internal/traffic"
)

// TestMoveBack moves a cluster of two nodes, which go on taking traffic, to a folder. The move is killed in the middle and started again. Nodes take data after it, too, one of
// them late. Another server gets the same requests; in the end the server on the folder answers every read as it does.
func TestMoveBack(t *testing.T) {
	stores := clustered.NewStores(t)
	secret := strings.Repeat("5a", 32) + "\n"
	node := func() *process {
		t.Helper()
		data := filepath.Join(t.TempDir(), "node")
		writeSecret(t, data, secret)
		return startWith(t, []string{"--data", data, "--listen", "127.0.0.1:0", "--cluster", stores.File}, admin...)
	}
	first := node()
	old := newSide(t, first)
	second := node()
	want := newSide(t, start(t, filepath.Join(t.TempDir(), "twin"), admin...))
	g, err := traffic.New(traffic.Config{Seed: 12, Users: 80, Start: time.Now().Add(-50 * time.Hour), SessionsPerDay: 120})
	if err != nil {
		t.Fatal(err)
	}
	m := &moveTraffic{t: t, r: rand.New(rand.NewPCG(12, 3)), g: g, at: time.Now().Add(-40 * time.Hour)} // not for secrets
	m.twin.Store(&want.url)
	m.address.Store(&first.url)
	m.send(150)
	for _, s := range []*side{old, want} {
		s.manage("/i/apps/reset", 3, "args", fmt.Sprintf(`{"app_id":%q,"period":"reset"}`, s.ids[3]))
		s.manage("/i/cohorts/add", 0, "cohort_name", "buyers", "steps", `[{"type":"did","event":"shop","times":"{\"$gte\":1}","period":"0days","query":"{}","byVal":""}]`)
	}
	m.address.Store(&second.url)
	m.send(100)

	folder := filepath.Join(t.TempDir(), "data")
	back := []string{"--back", "--data", folder, "--from", stores.File}
	if out, err := command(t, "", append([]string{"move"}, back...)...); err == nil || !strings.Contains(out, "needs the secret key of the nodes") {
		t.Errorf("without the secret key: %v\n%s", err, out)
	}
	writeSecret(t, folder, secret)
	if plan, err := command(t, "", append([]string{"move", "--plan"}, back...)...); err != nil || !strings.Contains(plan, "take all partitions") {
		t.Fatalf("plan: %v\n%s", err, plan)
	}
	stop := make(chan struct{})
	var sending sync.WaitGroup
	sending.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(20 * time.Millisecond):
				m.send(1)
			}
		}
	})
	for _, line := range []string{"takes all partitions", "copies ", "copied:"} {
		killAt(t, line, back...)
	}
	if out, err := command(t, "", "serve", "--data", folder, "--listen", "127.0.0.1:0"); err == nil || !strings.Contains(out, "not whole") {
		t.Errorf("a server starts on a folder that is not whole: %v\n%s", err, out)
	}
	// The nodes go on once the leases of the command that was killed have run out.
	m.mu.Lock() // nothing is sent meanwhile
	equal(t, "between two tries", want, &side{process: second, key: old.key, ids: old.ids}, questions(1, 6))
	m.mu.Unlock()
	began := time.Now()
	killAt(t, "the data has left the cluster", back...)
	out, err := command(t, "", append([]string{"move"}, back...)...)
	t.Logf("move, %v:\n%s", time.Since(began).Round(time.Millisecond), out)
	close(stop)
	sending.Wait()
	if err != nil {
		t.Fatal(err)
	}
	m.send(30)                                                                         // to a node still
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) { // nodes look every second
		status, body := second.get("/o", url.Values{"api_key": {old.key}, "app_id": {old.ids[0]}, "method": {"users"}})
		if status == http.StatusServiceUnavailable && strings.Contains(body, "has moved") {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("a node answers a read by people: %d %.200s", status, body)
		}
	}
	if out, err := command(t, "", append([]string{"move"}, back...)...); err == nil || !strings.Contains(out, "has already moved to this folder") {
		t.Errorf("once more: %v\n%s", err, out)
	}
	if err := first.end(syscall.SIGKILL); err == nil {
		t.Error("a process that was killed ended well")
	}
	server := start(t, folder)
	m.address.Store(&server.url)
	m.send(40)
	late := func(device string) { // to the node that is left, and at the same time to the server, so from others
		for app := range sites {
			body := []byte(url.Values{"app_key": {sites[app].key}, "device_id": {device}, "begin_session": {"1"}, "events": {`[{"key":"late","count":1}]`}, "timestamp": {fmt.Sprint(m.at.UnixMilli())}}.Encode())
			want.post(body)
			second.post(body)
			server.post(body) // as of a client that has not got the answer
		}
	}
	late("late one")
	got := &side{process: server, key: old.key, ids: old.ids}
	m.send(20)
	equal(t, "after the move", want, got, questions(0, 1))
	late("late two")
	if out, err := command(t, "", "move", "--back", "--end", "--data", folder); err == nil || !strings.Contains(out, "still run") {
		t.Errorf("end while a node runs: %v\n%s", err, out)
	}
	if err := second.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(200 * time.Millisecond) { // the node that was killed counts for some seconds
		out, err := command(t, "", "move", "--back", "--end", "--data", folder)
		if err == nil && strings.Contains(out, "detached from the cluster") {
			break
		}
		if !strings.Contains(out, "still run") || time.Now().After(end) {
			t.Fatalf("end: %v\n%s", err, out)
		}
	}
	m.send(20)
	if err := server.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	got.process = start(t, folder)
	m.address.Store(&got.url)
	m.send(10)
	equal(t, "after the end", want, got, questions(0, 1))
	if err := got.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
	if out, err := command(t, "", "verify", "--data", folder); err != nil {
		t.Errorf("verify: %v\n%s", err, out)
	}
	if out, err := command(t, "", "serve", "--data", filepath.Join(t.TempDir(), "late"), "--listen", "127.0.0.1:0", "--cluster", stores.File); err == nil || !strings.Contains(out, "has moved to a data folder") {
		t.Errorf("a node starts on a cluster whose data has left: %v\n%s", err, out)
	}
	t.Logf("%d requests", m.sent)
}

// writeSecret gives a data folder a secret key.
func writeSecret(t *testing.T, data, secret string) {
	t.Helper()
	err := os.MkdirAll(data, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(data, "secret.key"), []byte(secret), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
