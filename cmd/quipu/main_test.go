package main

import (
	"bufio"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"quipu/internal/store/pgtest"
	"quipu/internal/testkit/clustered"
	"quipu/internal/testkit/respawn"
)

// asQuipu in the environment makes the test binary be the program.
const asQuipu = "QUIPU_TEST_BINARY"

func TestMain(m *testing.M) {
	respawn.Main(clustered.Respawned())
	if os.Getenv(asQuipu) != "" {
		if err := os.Unsetenv(asQuipu); err != nil {
			panic(err)
		}
		main()
	}
	testscript.Main(pgtest.Tests{M: m}, map[string]func(){"quipu": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}

// process is a server of its own.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines *bufio.Reader
	url   string
}

// start runs `quipu serve` on a folder and waits until it says where it listens.
func start(t *testing.T, dir string, env ...string) *process {
	t.Helper()
	return startOn(t, "127.0.0.1:0", dir, env...)
}

// startOn is start with the address to listen on.
func startOn(t *testing.T, listen, dir string, env ...string) *process {
	t.Helper()
	return startWith(t, []string{"--data", dir, "--listen", listen}, env...)
}

// startWith is start with flags.
func startWith(t *testing.T, flags []string, env ...string) *process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], append([]string{"serve"}, flags...)...) // this very binary
	cmd.Env = append(append(os.Environ(), asQuipu+"=1"), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{t: t, cmd: cmd, lines: bufio.NewReader(out)}
	first := p.line()
	_, rest, ok := strings.Cut(first, "serves on ")
	if !ok {
		t.Fatalf("first line of the server: %q", first)
	}
	p.url, _, _ = strings.Cut(rest, ",")
	return p
}

func (p *process) line() string {
	p.t.Helper()
	s, err := p.lines.ReadString('\n')
	if err != nil {
		p.t.Fatalf("read output of the server: %v", err)
	}
	return strings.TrimSpace(s)
}

// end sends a signal and returns how the process ended.
func (p *process) end(sig os.Signal) error {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil {
		p.t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, p.lines); err != nil {
		p.t.Fatal(err)
	}
	return p.cmd.Wait()
}

func (p *process) get(path string, values url.Values) (int, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodGet, p.url+path+"?"+values.Encode(), nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.SetBasicAuth("root", "Correct-horse-1") // only /api-key looks at it
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		p.t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil {
		p.t.Fatal(err, cerr)
	}
	return res.StatusCode, string(body)
}

// TestAddressAsConfigured has the host of the printed address as the operator wrote it, not what it resolved to.
func TestAddressAsConfigured(t *testing.T) {
	p := startOn(t, "localhost:0", filepath.Join(t.TempDir(), "data"))
	if !strings.HasPrefix(p.url, "http://localhost:") {
		t.Errorf("address %s, want http://localhost:PORT", p.url)
	}
	if code, body := p.get("/login", nil); code != http.StatusOK && code != http.StatusFound {
		t.Errorf("%s/login: %d %s", p.url, code, body)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}

var admin = []string{
	"QUIPU_ADMIN_USERNAME=root", "QUIPU_ADMIN_PASSWORD=Correct-horse-1", "QUIPU_ADMIN_EMAIL=root@example.org", "QUIPU_ADMIN_NAME=Root",
}

func TestEmptyFolderTellsWhereToBegin(t *testing.T) {
	p := start(t, t.TempDir())
	if got, want := p.line(), "create the first administrator at "+p.url+"/setup"; got != want {
		t.Errorf("second line %q, want %q", got, want)
	}
	told := p.line()
	if !regexp.MustCompile(`asks for this setup code: [0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$`).MatchString(told) {
		t.Errorf("third line %q", told)
	}
	if status, page := p.get("/setup", nil); strings.Contains(page, `name="code"`) {
		t.Errorf("/setup here: status %d, and asks for the code", status)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/setup", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Forwarded-For", "127.0.0.1")
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(res.Body)
	if cerr := res.Body.Close(); err != nil || cerr != nil || !strings.Contains(string(page), `name="code"`) || strings.Contains(string(page), told[len(told)-14:]) {
		t.Errorf("/setup through a proxy does not ask for the code, or shows it: %v, %v", err, cerr)
	}
	if status, _ := p.get("/setup", nil); status != http.StatusOK {
		t.Errorf("/setup: status %d, want 200", status)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestSetupBehindASilentProxy opens /setup as a proxy on this machine does that adds no header, as nginx 1.30 by default: nothing of the
// request shows that a stranger sent it, but the user of the connection.
func TestSetupBehindASilentProxy(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil || os.Getuid() != 0 || runtime.GOOS != "linux" {
		t.Skip("needs Linux, bash and root, to be another user")
	}
	p := start(t, t.TempDir())
	host := strings.TrimPrefix(p.url, "http://")
	_, port, _ := strings.Cut(host, ":")
	const script = `exec 3<>"/dev/tcp/127.0.0.1/$0"; printf 'GET /setup HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: close\r\n\r\n' "$0" >&3; cat <&3`
	for uid, asks := range map[uint32]bool{0: false, 33: true, 101: true, 999: true, 1000: false, 65534: true} {
		cmd := exec.CommandContext(t.Context(), shell, "-c", script, port)
		cmd.Dir = "/"
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		page, err := cmd.Output()
		if err != nil || !strings.HasPrefix(string(page), "HTTP/1.1 200") {
			t.Fatalf("user %d: %v, %.200s", uid, err, page)
		}
		if got := strings.Contains(string(page), `name="code"`); got != asks {
			t.Errorf("user %d: /setup asks for the code: %t, want %t", uid, got, asks)
		}
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestKilledServerLosesNothing acknowledges a session, kills the process at once and expects the
// next one to show it; SIGTERM then ends that one with status 0.
func TestKilledServerLosesNothing(t *testing.T) {
	dir := t.TempDir()
	p := start(t, dir, admin...)
	status, key := p.get("/api-key", nil)
	if status != http.StatusOK || len(key) != 32 {
		t.Fatalf("/api-key: %d %q", status, key)
	}
	status, made := p.get("/i/apps/create", url.Values{"api_key": {key}, "args": {`{"name":"a","key":"k1"}`}})
	if status != http.StatusOK {
		t.Fatalf("create app: %d %s", status, made)
	}
	id := made[strings.Index(made, `"_id":"`)+7:][:24]
	if status, body := p.get("/i", url.Values{"app_key": {"k1"}, "device_id": {"d"}, "begin_session": {"1"}}); status != http.StatusOK {
		t.Fatalf("/i: %d %s", status, body)
	}
	if err := p.end(syscall.SIGKILL); err == nil {
		t.Fatal("a killed process ended well")
	}

	p = start(t, dir)
	again := exec.CommandContext(t.Context(), os.Args[0], "serve", "--data", dir, "--listen", "127.0.0.1:0") // this very binary
	again.Env = append(os.Environ(), asQuipu+"=1")
	out, err := again.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is in use by another quipu process") || strings.Count(string(out), "\n") != 1 {
		t.Errorf("second process on the folder: %v, %q", err, out)
	}
	// Replaying is not instant: the members' endpoint that flushes makes it readable.
	status, _ = p.get("/i/app_users/update", url.Values{"api_key": {key}, "app_id": {id}, "query": {`{"sc":1}`}, "update": {`{"name":"x"}`}})
	if status != http.StatusOK {
		t.Errorf("update the user of the session: status %d, want 200", status)
	}
	status, body := p.get("/o/analytics/sessions", url.Values{"api_key": {key}, "app_id": {id}, "period": {"today"}, "bucket": {"daily"}})
	if want := `"t":1,"n":1,"u":1,"d":0,"e":1}]`; status != http.StatusOK || !strings.HasSuffix(body, want) {
		t.Errorf("sessions after the crash: %d %s, want them to end in %s", status, body, want)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
}

// TestFilesArePrivate holds every file and folder that a server makes to its owner.
func TestFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil { // as an operator may have made it
		t.Fatal(err)
	}
	p := start(t, dir)
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", path, info.Mode())
		}
		seen++
		return err
	})
	if err != nil || seen < 10 {
		t.Errorf("%d entries, %v", seen, err)
	}
	if err := p.end(syscall.SIGTERM); err != nil {
		t.Error(err)
	}
}
