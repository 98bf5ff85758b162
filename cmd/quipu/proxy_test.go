package main

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quipu/internal/testkit/need"
)

// site returns a file of docs/operations/sites with some texts replaced, each of which it must have.
func site(t *testing.T, name string, replace ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../docs/operations/sites", name))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(text, replace[i]) {
			t.Fatalf("%s lacks %q", name, replace[i])
		}
		text = strings.ReplaceAll(text, replace[i], replace[i+1])
	}
	return text
}

// program finds a proxy, or skips the test.
func program(t *testing.T, name string) string {
	t.Helper()
	return need.Program(t, name)
}

// throughProxy signs in, sends an event and follows redirects through a proxy. secure: the client speaks TLS to it.
func throughProxy(t *testing.T, client *http.Client, address, base string, secure bool) {
	t.Helper()
	var resp answered
	var body string
	for range 100 { // it starts
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+base+"/login", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := client.Do(req); err == nil {
			_ = r.Body.Close()
			resp, body = ask(t, client, address+base+"/login")
			break
		}
		time.Sleep(50 * time.Millisecond) // another process starts
	}
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, `action="`+base+`/login"`) {
		t.Fatalf("%s/login: %v", base, resp)
	}
	for _, c := range resp.Cookies() {
		if strings.HasPrefix(c.Name, "__Host-") != secure {
			t.Errorf("cookie %s; TLS: %v", c.Name, secure)
		}
		_, token, _ := strings.Cut(body, `value="`)
		token, _, _ = strings.Cut(token, `"`)
		form := url.Values{"username": {"root"}, "password": {"Correct-horse-1"}, "_csrf": {token}}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+base+"/login", strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Origin", address)
		req.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		in, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = in.Body.Close()
		if got, want := in.Header.Get("Location"), base+"/dashboard"; got != want {
			t.Errorf("signed in: %d to %q, want %q", in.StatusCode, got, want)
		}
	}
	if resp, body := ask(t, client, address+base+"/i?app_key=unknown&device_id=1"); resp.StatusCode != http.StatusBadRequest || !strings.Contains(body, "App does not exist") {
		t.Errorf("/i: %d %s", resp.StatusCode, body)
	}
}

// TestNginx serves through nginx with the sites of the documentation: on a host of its own over TLS, and below a path.
func TestNginx(t *testing.T) {
	nginx := program(t, "nginx")
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	roots := pair(t, cert, key, 1)
	env := append([]string{"QUIPU_TRUSTED_PROXIES=127.0.0.1"}, admin...)
	whole, below := start(t, filepath.Join(dir, "whole"), env...), start(t, filepath.Join(dir, "below"), append([]string{"QUIPU_BASE_PATH=/analytics"}, env...)...)
	backend := func(p *process) string { u, _ := url.Parse(p.url); return u.Host }
	tls, plain, sub := freePort(t), freePort(t), freePort(t)
	own := site(t, "nginx.conf", "server 127.0.0.1:8080;", "server "+backend(whole)+";", "\tlisten [::]:443 ssl http2;\n", "", "\tlisten [::]:80;\n", "", "listen 443 ssl http2", "listen "+tls+" ssl http2",
		"listen 80", "listen "+plain, "/etc/letsencrypt/live/analytics.example.org/fullchain.pem", cert, "/etc/letsencrypt/live/analytics.example.org/privkey.pem", key)
	path := site(t, "nginx-subpath.conf", "http://127.0.0.1:8080;", "http://"+backend(below)+";")
	conf := filepath.Join(dir, "nginx.conf")
	file(t, conf, "daemon off;\nmaster_process off;\nworker_processes 1;\nuser root;\npid "+dir+"/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path "+dir+"/b;\nproxy_temp_path "+dir+"/p;\nfastcgi_temp_path "+
		dir+"/f;\nuwsgi_temp_path "+dir+"/u;\nscgi_temp_path "+dir+"/s;\n"+own+"\nserver {\nlisten "+sub+";\n"+path+"}\n}\n")
	background(t, nil, nginx, "-c", conf, "-p", dir)
	throughProxy(t, on("tcp", tls, roots), "https://"+tls, "", true)
	throughProxy(t, on("tcp", sub, nil), "http://"+sub, "/analytics", false)
	if resp, _ := ask(t, on("tcp", plain, nil), "http://analytics.example.org/i?a=b"); resp.Header.Get("Location") != "https://analytics.example.org/i?a=b" {
		t.Errorf("from plain HTTP to %q", resp.Header.Get("Location"))
	}
}

// TestCaddy serves through Caddy with the sites of the documentation.
func TestCaddy(t *testing.T) {
	caddy := program(t, "caddy")
	dir := t.TempDir()
	env := append([]string{"QUIPU_TRUSTED_PROXIES=127.0.0.1"}, admin...)
	whole, below := start(t, filepath.Join(dir, "whole"), env...), start(t, filepath.Join(dir, "below"), append([]string{"QUIPU_BASE_PATH=/analytics"}, env...)...)
	backend := func(p *process) string { u, _ := url.Parse(p.url); return u.Host }
	own, sub := freePort(t), freePort(t)
	text := site(t, "Caddyfile", "analytics.example.org {", "http://"+own+" {", "tools.example.org {", "http://"+sub+" {")
	first, rest, ok := strings.Cut(text, "reverse_proxy 127.0.0.1:8080")
	if !ok {
		t.Fatal("no reverse_proxy")
	}
	text = first + "reverse_proxy " + backend(whole) + strings.ReplaceAll(rest, "reverse_proxy 127.0.0.1:8080", "reverse_proxy "+backend(below))
	conf := filepath.Join(dir, "Caddyfile")
	file(t, conf, "{\n\tadmin off\n\tauto_https off\n}\n"+text)
	background(t, []string{"XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "HOME=" + dir}, caddy, "run", "--config", conf, "--adapter", "caddyfile")
	throughProxy(t, on("tcp", own, nil), "http://"+own, "", false)
	throughProxy(t, on("tcp", sub, nil), "http://"+sub, "/analytics", false)
}
