// Package errorlogs is the module through which global administrators read
// and clear the server's own warnings and errors.
package errorlogs

import (
	"context"
	"slices"

	"quipu/internal/api"
	"quipu/internal/kernel"
	"quipu/internal/logfile"
)

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "errorlogs",
		Plugin: &kernel.Plugin{
			Code: "errorlogs", Title: "Error logs", Description: "Shows the warnings and errors of the server itself.",
		},
		Setup: kernel.With(func(c *kernel.Capabilities) kernel.Server { return c.Server }, func(s *kernel.Scope, n kernel.Server) error {
			svc := &service{logs: n.Logs}
			api.Handle(s.Routes, "/o/errorlogs", api.GlobalAdmin(), svc.read)
			api.Handle(s.Routes, "/i/errorlogs", api.GlobalAdmin(), svc.clear)
			return nil
		}),
	}
}

type service struct{ logs *logfile.Set }

type readReq struct {
	Log      string `param:"log"`
	Bytes    int64  `param:"bytes"`
	Download bool   `param:"download"`
}

// read returns one log as a text, or all by name. An empty log alone is {}, which
// clients expect.
func (s *service) read(_ context.Context, _ api.Caller, r readReq) (any, error) {
	if slices.Contains(s.logs.Names(), r.Log) {
		text, err := s.logs.Tail(r.Log, r.Bytes)
		switch {
		case err != nil:
			return nil, err
		case r.Download:
			return api.File{Type: "text/plain; charset=utf-8", Name: "countly-" + r.Log + ".log", Content: []byte(text)}, nil
		case text == "":
			return struct{}{}, nil
		}
		return text, nil
	}
	out := map[string]string{}
	for _, name := range s.logs.Names() {
		text, err := s.logs.Tail(name, r.Bytes)
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	return out, nil
}

type clearReq struct {
	Log string `param:"log"`
}

func (s *service) clear(_ context.Context, c api.Caller, r clearReq) (api.Result, error) {
	if !slices.Contains(s.logs.Names(), r.Log) {
		c.NoAudit()
		return api.Result{Result: "Invalid log"}, nil
	}
	before, err := s.logs.Tail(r.Log, 0)
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("errorlogs_clear", map[string]any{"log": r.Log, "bytes": len(before)}, map[string]any{"log": r.Log, "bytes": 0}, nil)
	return api.Success(), s.logs.Clear(r.Log)
}
