// Package systemutility is the module that shows how the machine and the
// process are doing, and takes profiles of the process.
package systemutility

import (
	"path/filepath"
	"time"

	"quipu/internal/api"
	"quipu/internal/kernel"
)

// Module returns the module. dir is the server's data folder.
func Module(dir string) kernel.Module {
	return kernel.Module{
		Name: "systemutility",
		Plugin: &kernel.Plugin{
			Code: "system-utility", Title: "System", Description: "Shows processor, memory, disks and stores, and takes profiles of the server.",
		},
		Setup: kernel.With(pick, func(s *kernel.Scope, n uses) error {
			m := &machine{dir: dir, docs: n.Docs, data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, process: n.Memory}
			g := s.Routes
			api.Handle(g, "/o/system/memory", api.GlobalAdmin(), answer(m.memory))
			api.Handle(g, "/o/system/cpu", api.GlobalAdmin(), answer(m.cpu))
			api.Handle(g, "/o/system/disks", api.GlobalAdmin(), answer(m.disks))
			api.Handle(g, "/o/system/database", api.GlobalAdmin(), answer(m.database))
			api.Handle(g, "/o/system/overall", api.GlobalAdmin(), answer(m.overall))
			api.Handle(g, "/o/system/healthcheck", api.GlobalAdmin(), m.healthcheck)
			for _, spelling := range []string{"/o/system/dbCheck", "/o/system/dbcheck"} {
				api.Handle(g, spelling, api.GlobalAdmin(), m.check)
			}
			h := newHistory(m, s.Now)
			api.Handle(g, "/o/system/history", api.GlobalAdmin(), h.read)
			s.Jobs.OnEveryNode("history", time.Minute, h.observe)
			p := &profiler{dir: filepath.Join(dir, "profiler"), now: s.Now}
			api.Handle(g, "/i/profiler/start", api.GlobalAdmin(), p.start)
			api.Handle(g, "/i/profiler/stop", api.GlobalAdmin(), p.stop)
			api.Handle(g, "/i/profiler/list-files", api.GlobalAdmin(), p.list)
			api.Handle(g, "/i/profiler/download-all", api.GlobalAdmin(), p.download)
			api.Handle(g, "/i/profiler/take-heap-snapshot", api.GlobalAdmin(), p.heap)
			i := &inspector{}
			api.Handle(g, "/i/inspector/start", api.GlobalAdmin(), i.start)
			api.Handle(g, "/i/inspector/stop", api.GlobalAdmin(), i.stop)
			api.Handle(g, "/o/inspector/{profile}", api.GlobalAdmin(), i.profile)
			s.Jobs.OnEveryNode("profiler", time.Minute, p.limit)
			return nil
		}),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Reads
	kernel.Writes
	kernel.Server
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Reads, c.Writes, c.Server} }
