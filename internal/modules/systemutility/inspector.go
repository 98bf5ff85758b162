package systemutility

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime/pprof"
	"strconv"
	"sync/atomic"

	"quipu/internal/api"
	"quipu/internal/fault"
)

// inspector lets global administrators look into the running process while it is started:
// /o/inspector/{profile} answers with a profile for `go tool pprof`.
type inspector struct{ on atomic.Bool }

var (
	errInspectorOn  = fault.New(fault.Invalid, "inspector.started", "Error: Already started")
	errInspectorOff = fault.New(fault.Invalid, "inspector.not_started", "Error: Inspector needs to be started")
	errNoProfile    = fault.New(fault.NotFound, "inspector.no_profile", "There is no such profile")
)

// start answers where profiles are, by process.
func (i *inspector) start(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
	if !i.on.CompareAndSwap(false, true) {
		return api.Result{}, errInspectorOn
	}
	c.Audit("", map[string]any{"running": false}, map[string]any{"running": true}, nil)
	paths := []string{}
	for _, p := range pprof.Profiles() {
		paths = append(paths, "/o/inspector/"+p.Name())
	}
	return api.Result{Result: map[string][]string{strconv.Itoa(os.Getpid()): paths}}, nil
}

func (i *inspector) stop(_ context.Context, c api.Caller, _ api.None) (api.Result, error) {
	if !i.on.CompareAndSwap(true, false) {
		return api.Result{}, errInspectorOff
	}
	c.Audit("", map[string]any{"running": true}, map[string]any{"running": false}, nil)
	return api.Result{Result: "Stoping inspector for all processes"}, nil
}

type profileReq struct {
	Name string `path:"profile"`
}

func (i *inspector) profile(_ context.Context, _ api.Caller, r profileReq) (api.File, error) {
	if !i.on.Load() {
		return api.File{}, errInspectorOff
	}
	p := pprof.Lookup(r.Name)
	if p == nil {
		return api.File{}, errNoProfile
	}
	var out bytes.Buffer
	if err := p.WriteTo(&out, 0); err != nil {
		return api.File{}, fmt.Errorf("take profile: %w", err)
	}
	return api.File{Type: "application/octet-stream", Name: p.Name() + ".pprof", Content: out.Bytes()}, nil
}
