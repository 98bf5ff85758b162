package render

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// program finds the browser.
func (s *service) program() (string, error) {
	switch s.cfg.Browser {
	case "off":
		return "", errors.New("pictures are switched off (browser is off)")
	case "":
		for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
			if found, err := exec.LookPath(name); err == nil {
				return found, nil
			}
		}
		return "", errors.New("no Chromium in PATH, and none is configured (modules.render.browser)")
	}
	found, err := exec.LookPath(s.cfg.Browser)
	if err != nil {
		return "", fmt.Errorf("find browser: %w", err)
	}
	return found, nil
}

// browser is a running browser, spoken to in the DevTools protocol over a pair of pipes: no port is open that
// others could use.
type browser struct {
	ctx     context.Context // of the call that started the browser, which lives no longer
	cmd     *exec.Cmd
	profile string
	in      *os.File // commands to the browser
	out     *os.File
	answers *bufio.Reader
	said    bytes.Buffer // on its standard error
	session string       // of the page
	last    int
}

// launch says how a browser runs.
type launch struct {
	program string
	heap    int      // limit of scripts' memory, in MiB
	account *account // nil = that of the server
	// unconfined switches Chromium's own sandbox off, for hosts that have none to offer.
	unconfined bool
	// proxy is the address of the proxy through which the browser reaches all hosts; "" = it reaches this host alone.
	proxy string
}

// errNoSandbox says that the host has no sandbox for Chromium: neither user namespaces nor a setuid helper.
var errNoSandbox = errors.New("the host has no sandbox for Chromium")

// network are the arguments that say what the browser reaches. A proxy gets everything, loopback addresses included, and names are resolved by
// it alone; what does not go through proxies is off.
func (l launch) network() []string {
	if l.proxy == "" {
		return []string{"--no-proxy-server", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"}
	}
	return []string{
		"--proxy-server=http://" + l.proxy, "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
		"--disable-quic", "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--webrtc-ip-handling-policy=disable_non_proxied_udp",
		"--dns-prefetch-disable", "--no-pings", "--block-new-web-contents",
	}
}

// start runs a browser that knows no other hosts than l says. ctx ends it.
func start(ctx context.Context, l launch) (*browser, error) {
	profile, err := os.MkdirTemp("", "quipu-render-")
	if err != nil {
		return nil, fmt.Errorf("profile of the browser: %w", err)
	}
	if l.account != nil {
		if err := os.Chown(profile, l.account.uid, l.account.gid); err != nil {
			return nil, errors.Join(fmt.Errorf("profile of the browser: %w", err), os.RemoveAll(profile))
		}
	}
	b := &browser{ctx: ctx, profile: profile}
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run", "--no-default-browser-check", "--disable-extensions",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio", "--hide-scrollbars",
		"--force-prefers-reduced-motion", "--renderer-process-limit=1", "--js-flags=--max-old-space-size=" + strconv.Itoa(l.heap),
	}
	args = append(args, l.network()...)
	if l.unconfined {
		args = append(args, "--no-sandbox")
	}
	b.cmd = exec.CommandContext(ctx, l.program, append(args, "about:blank")...) // the operator names the program; arguments are fixed
	b.cmd.Stderr, b.cmd.WaitDelay = &b.said, 5*time.Second
	b.cmd.Dir = profile // the server's own folder may be closed to the account
	l.account.apply(b.cmd)
	b.cmd.Env = []string{"HOME=" + profile, "PATH=" + os.Getenv("PATH"), "TMPDIR=" + profile}
	toBrowser, in, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pipe to the browser: %w", err), os.RemoveAll(profile))
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("pipe from the browser: %w", err), toBrowser.Close(), in.Close(), os.RemoveAll(profile))
	}
	b.cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // its descriptors 3 and 4
	b.in, b.out, b.answers = in, out, bufio.NewReaderSize(out, 1<<16)
	err = b.cmd.Start()
	err = errors.Join(err, toBrowser.Close(), fromBrowser.Close())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start browser: %w", err), in.Close(), out.Close(), os.RemoveAll(profile))
	}
	return b, nil
}

// close ends the browser and removes what it wrote.
func (b *browser) close() error {
	_ = b.cmd.Process.Kill() // it may have ended by itself
	_ = b.cmd.Wait()         // it was killed
	return errors.Join(b.in.Close(), b.out.Close(), os.RemoveAll(b.profile))
}

// maxAnswer bounds one message of the browser, in bytes.
const maxAnswer = 64 << 20

// call sends a command and reads until its answer has come.
func (b *browser) call(method string, params, result any) error {
	b.last++
	message, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.session})
	if err != nil {
		return fmt.Errorf("command %s: %w", method, err)
	}
	if b.session == "" {
		if message, err = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params}); err != nil {
			return fmt.Errorf("command %s: %w", method, err)
		}
	}
	deadline, _ := b.ctx.Deadline()
	if err := errors.Join(b.in.SetWriteDeadline(deadline), b.out.SetReadDeadline(deadline)); err != nil {
		return fmt.Errorf("command %s: %w", method, err)
	}
	if _, err := b.in.Write(append(message, 0)); err != nil {
		return b.lost(method, err)
	}
	for {
		text, err := b.message()
		if err != nil {
			return b.lost(method, err)
		}
		var answer struct {
			ID     int             `json:"id"`
			Method string          `json:"method"` // of an event
			Result json.RawMessage `json:"result"`
			Error  *struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if err := json.Unmarshal(text, &answer); err != nil {
			return fmt.Errorf("answer to %s: %w", method, err)
		}
		switch {
		case answer.Method == "Page.javascriptDialogOpening": // the page stands still until somebody closes it
			if err := b.dismiss(); err != nil {
				return b.lost(method, err)
			}
			continue
		case answer.ID != b.last:
			continue // an event
		case answer.Error != nil:
			return fmt.Errorf("browser refuses %s: %s", method, answer.Error.Message)
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(answer.Result, result); err != nil {
			return fmt.Errorf("answer to %s: %w", method, err)
		}
		return nil
	}
}

// dismiss closes a dialog of the page. Nobody waits for the answer.
func (b *browser) dismiss() error {
	message, err := json.Marshal(map[string]any{"id": -1, "method": "Page.handleJavaScriptDialog", "params": object{"accept": false}, "sessionId": b.session})
	if err != nil {
		return err
	}
	_, err = b.in.Write(append(message, 0))
	return err
}

// message reads up to the next NUL.
func (b *browser) message() ([]byte, error) {
	var text []byte
	for {
		part, err := b.answers.ReadSlice(0)
		text = append(text, part...)
		switch {
		case err == nil:
			return text[:len(text)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(text) > maxAnswer:
			return nil, errors.New("the browser's answer is too large")
		}
	}
}

// lost tells why the browser is gone.
func (b *browser) lost(method string, err error) error {
	if cause := context.Cause(b.ctx); cause != nil {
		return fmt.Errorf("%s: %w", method, cause)
	}
	const most = 500
	_ = b.cmd.Wait() // it has closed its pipe; its standard error is complete after this
	said := b.said.String()
	if strings.Contains(said, "No usable sandbox") {
		return errNoSandbox
	}
	return fmt.Errorf("%s: %w; browser output: %s", method, err, said[max(0, len(said)-most):])
}

// shot is what is to be in a picture.
type shot struct {
	origin, page  string
	cookie, value string
	element       string // id; "" = the page
}

type object = map[string]any

// Sizes of pictures, in pixels.
const (
	width     = 1280
	height    = 800
	maxHeight = 8000
)

// attach opens an empty page and speaks to it from then on.
func (b *browser) attach() error {
	var target struct {
		ID string `json:"targetId"`
	}
	if err := b.call("Target.createTarget", object{"url": "about:blank"}, &target); err != nil {
		return err
	}
	var attached struct {
		ID string `json:"sessionId"`
	}
	if err := b.call("Target.attachToTarget", object{"targetId": target.ID, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.ID
	return nil
}

// shoot opens a page with a cookie and takes the picture once it shows what it has.
func (b *browser) shoot(s shot) ([]byte, error) {
	if err := b.attach(); err != nil {
		return nil, err
	}
	for _, command := range []struct {
		method string
		params object
	}{
		{"Page.enable", object{}},
		{"Emulation.setDeviceMetricsOverride", object{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}},
		{"Network.setCookie", object{"name": s.cookie, "value": s.value, "url": s.origin, "httpOnly": true, "sameSite": "Strict"}},
		{"Page.navigate", object{"url": s.origin + s.page}},
	} {
		if err := b.call(command.method, command.params, nil); err != nil {
			return nil, err
		}
	}
	if err := b.settle(); err != nil {
		return nil, err
	}
	clip, err := b.area(s.element)
	if err != nil {
		return nil, err
	}
	return b.capture(object{"format": "png", "captureBeyondViewport": true, "clip": clip})
}

// capture takes the picture.
func (b *browser) capture(params object) ([]byte, error) {
	var picture struct {
		Data string `json:"data"`
	}
	if err := b.call("Page.captureScreenshot", params, &picture); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	return data, nil
}

// evaluate runs a fixed expression in the page.
func (b *browser) evaluate(expression string, result any) error {
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text string `json:"text"`
		} `json:"exceptionDetails"`
	}
	if err := b.call("Runtime.evaluate", object{"expression": expression, "returnByValue": true}, &answer); err != nil {
		return err
	}
	if answer.Exception != nil {
		return fmt.Errorf("page: %s", answer.Exception.Text)
	}
	if err := json.Unmarshal(answer.Result.Value, result); err != nil {
		return fmt.Errorf("value of the page: %w", err)
	}
	return nil
}

// settle waits until the page has a heading and nothing on it says that it is loading, twice in a row.
func (b *browser) settle() error {
	const pause, twice = 300 * time.Millisecond, 2
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for calm := 0; calm < twice; {
		select {
		case <-timer.C:
			timer.Reset(pause)
		case <-b.ctx.Done():
			return fmt.Errorf("page does not settle: %w", context.Cause(b.ctx))
		}
		var still bool
		err := b.evaluate(`document.readyState === 'complete' && document.querySelector('h1') !== null && document.querySelector('.mantine-Loader-root') === null`, &still)
		if err != nil {
			return err
		}
		if calm++; !still {
			calm = 0
		}
	}
	return nil
}

// area is where the picture is cut: the element, or the whole page.
func (b *browser) area(id string) (object, error) {
	quoted, err := json.Marshal(id) // JSON text is a literal of JavaScript
	if err != nil {
		return nil, fmt.Errorf("id of the element: %w", err)
	}
	var box *struct{ X, Y, W, H float64 }
	expression := `(() => {
		const id = ` + string(quoted) + `;
		const e = id === '' ? document.documentElement : document.getElementById(id);
		if (e === null) return null;
		const r = e.getBoundingClientRect();
		return id === '' ? { x: 0, y: 0, w: e.clientWidth, h: e.scrollHeight } : { x: r.x + scrollX, y: r.y + scrollY, w: r.width, h: r.height };
	})()`
	if err := b.evaluate(expression, &box); err != nil {
		return nil, err
	}
	if box == nil || !(box.W >= 1) || !(box.H >= 1) {
		return nil, fmt.Errorf("the page has no visible element %s", quoted)
	}
	return object{"x": box.X, "y": box.Y, "width": math.Ceil(box.W), "height": min(math.Ceil(box.H), maxHeight), "scale": 1}, nil
}
