package app

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"

	"quipu/internal/backup"
)

// controlSocket is the socket in a data folder through which commands of the
// same machine talk to the running server. Users who may enter the folder may use it.
const controlSocket = "control.sock"

// socketPath returns a path of the socket that is short enough for the
// system, and what holds it.
func socketPath(dir string) (path string, held io.Closer, err error) {
	abs, err := filepath.Abs(filepath.Join(dir, controlSocket))
	if err != nil {
		return "", nil, fmt.Errorf("locate socket: %w", err)
	}
	if len(abs) <= maxSocketPath {
		return abs, io.NopCloser(nil), nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return "", nil, fmt.Errorf("locate socket: %w", err)
	}
	return "/proc/self/fd/" + strconv.FormatUint(uint64(f.Fd()), 10) + "/" + controlSocket, f, nil
}

// control is the server's end of the socket.
type control struct {
	ln   net.Listener
	held io.Closer
	srv  *http.Server
	busy sync.WaitGroup // requests under way
	// closing says that requests end because the server does, and not because their commands left.
	closing atomic.Bool
}

// openControl listens on the socket. The folder is locked, so a socket that is
// there was left by a process that is gone.
func (a *App) openControl(ctx context.Context) (*control, error) {
	path, held, err := socketPath(a.cfg.Data)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, errors.Join(fmt.Errorf("remove old socket: %w", err), held.Close())
	}
	ln, err := (&net.ListenConfig{}).Listen(ctx, "unix", path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen on socket: %w", err), held.Close())
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("protect socket: %w", err), ln.Close(), held.Close())
	}
	c := &control{ln: ln, held: held}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /snapshot", func(w http.ResponseWriter, r *http.Request) {
		c.busy.Add(1)
		defer c.busy.Done()
		a.serveSnapshot(w, r, &c.closing)
	})
	mux.HandleFunc("POST /admin", func(w http.ResponseWriter, r *http.Request) {
		c.busy.Add(1)
		defer c.busy.Done()
		a.serveAdmin(w, r)
	})
	a.serveMove(mux, func() func() {
		c.busy.Add(1)
		return c.busy.Done
	})
	c.srv = &http.Server{
		Handler: mux, ReadHeaderTimeout: headerTimeout, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelDebug),
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
	return c, nil
}

// run serves until ctx is done; requests under way are cut short then. A nil
// control does nothing.
func (c *control) run(ctx context.Context) error {
	if c == nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() {
		c.closing.Store(true)
		_ = c.srv.Close() // what it says tells nothing
	})
	defer stop()
	err := c.srv.Serve(c.ln)
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	c.busy.Wait()
	return errors.Join(err, c.held.Close())
}

// snapshotPath asks for a snapshot. With holdSnapshot the command keeps the connection for as long as it needs the snapshot; a
// command of an earlier version asks without.
const (
	snapshotPath = "/snapshot"
	holdSnapshot = "hold"
)

// snapshotAnswer tells a command where its snapshot is. The command removes it, and the server if the command leaves before.
type snapshotAnswer struct {
	Dir  string      `json:"dir"`
	Info backup.Info `json:"info"`
}

// serveSnapshot makes a snapshot for a command, and removes it when a command that holds it has left, whether it ended or was killed. When the
// server itself stops, closing is set and the snapshot stays: the command may still copy it, and the next start removes what it leaves.
func (a *App) serveSnapshot(w http.ResponseWriter, r *http.Request, closing *atomic.Bool) {
	ctx, dir := r.Context(), a.newSnapshotDir()
	info, err := a.Snapshot(ctx, dir)
	if err != nil {
		a.log.ErrorContext(ctx, "no backup was made", "err", err)
		http.Error(w, "the server made no snapshot: "+err.Error(), http.StatusInternalServerError)
		return
	}
	a.log.InfoContext(ctx, "snapshot for a backup made", "watermark", info.Watermark)
	hold := r.URL.Query().Has(holdSnapshot)
	err = answerHeld(ctx, w, snapshotAnswer{Dir: dir, Info: info}, hold)
	if err != nil {
		a.log.DebugContext(ctx, "command left before its answer", "err", err)
	} else if !hold {
		return
	}
	if closing.Load() {
		return
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) { // the command removed it
		return
	}
	a.log.WarnContext(context.WithoutCancel(ctx), "backup command ended without removing its snapshot; removing it", "dir", dir)
	if err := os.RemoveAll(dir); err != nil {
		a.log.ErrorContext(context.WithoutCancel(ctx), "the snapshot of a command that left stays until the next start", "err", err)
	}
}

// answerHeld answers a command, and then waits, if the command holds what the answer names, until its connection ends or ctx is done.
func answerHeld(ctx context.Context, w http.ResponseWriter, answer any, hold bool) error {
	w.Header().Set("Content-Type", "application/json")
	err := json.NewEncoder(w).Encode(answer)
	if err == nil {
		err = http.NewResponseController(w).Flush()
	}
	if err == nil && hold {
		<-ctx.Done()
	}
	return err
}

// newSnapshotDir returns a name for a new snapshot's folder that no other snapshot has or had, whatever the clock says: a late removal of one never removes another.
func (a *App) newSnapshotDir() string {
	abs, err := filepath.Abs(a.cfg.Data)
	if err != nil {
		abs = a.cfg.Data // only where the present folder is unknown
	}
	return filepath.Join(abs, snapshots, strconv.FormatInt(a.now().Unix(), 10)+"-"+rand.Text())
}

// dropSnapshots removes what commands left that did not end well.
func (a *App) dropSnapshots() error {
	if err := os.RemoveAll(filepath.Join(a.cfg.Data, snapshots)); err != nil {
		return fmt.Errorf("remove old snapshots: %w", err)
	}
	return nil
}

// BackupParts are what a backup holds or is only when asked.
type BackupParts struct {
	SecretKey   bool // by which API keys and tokens are sealed
	Incremental bool // a folder becomes a repository
}

// OwnBackup says where a command's backup goes for which no target is named, and what it holds: as the server's own backups do by its
// configuration, incremental or as an archive with the time in its name. with is what the command asks for beside that. The folder is made.
func OwnBackup(cfg Config, proc Process, with BackupParts) (target string, parts BackupParts, err error) {
	proc.fill()
	if cfg.Backup.To == "" {
		return "", with, errors.New("backup.to is not set; say where to with --to")
	}
	with.SecretKey = with.SecretKey || cfg.Backup.WithSecretKey
	if with.Incremental || cfg.Backup.Form != formArchive {
		with.Incremental = true
		return cfg.Backup.To, with, nil
	}
	if err := os.MkdirAll(cfg.Backup.To, 0o700); err != nil {
		return "", with, fmt.Errorf("make folder of backups: %w", err)
	}
	return filepath.Join(cfg.Backup.To, proc.Now().UTC().Format(backupName)), with, nil
}

// Backup writes a backup of a data folder to a target, through the server that runs on the folder, or by itself when none does. The target is
// an archive or a folder as package backup describes, or a repository: s3://BUCKET/PREFIX, or a folder that is one or that is to be one. The
// secret key of API keys and tokens is in it only if with says so.
func Backup(ctx context.Context, cfg Config, proc Process, target string, with BackupParts) (w *backup.Written, err error) {
	proc.fill()
	if _, err := os.Stat(filepath.Join(cfg.Data, "LOCK")); err != nil {
		return nil, fmt.Errorf("%s is not a data folder: %w", cfg.Data, err)
	}
	if cfg.Docs != "" {
		return nil, errOwnDatabase
	}
	incremental, err := incrementalTarget(target, with.Incremental)
	if err != nil {
		return nil, err
	}
	var dir string
	release := func() error { return nil }
	defer func() {
		if dir != "" {
			err = errors.Join(err, os.RemoveAll(dir))
		}
		err = errors.Join(err, release()) // what is left now, the server removes
	}()
	snapshot := func(ctx context.Context) (_ string, _ backup.Info, err error) {
		var answer snapshotAnswer
		answer, release, err = askSnapshot(ctx, cfg.Data)
		if errors.Is(err, errNoServer) {
			err = Offline(ctx, cfg, proc, func(ctx context.Context, a *App) (err error) {
				answer.Dir = a.newSnapshotDir()
				answer.Info, err = a.Snapshot(ctx, answer.Dir)
				return err
			})
		}
		if dir = answer.Dir; err == nil && with.SecretKey {
			err = cfg.addSecret(dir)
		}
		return dir, answer.Info, err
	}
	if incremental {
		r, err := cfg.repositoryAt(target)
		if err != nil {
			return nil, err
		}
		return r.Write(ctx, proc.Now(), 0, snapshot)
	}
	from, info, err := snapshot(ctx)
	if err != nil {
		return nil, err
	}
	m, err := backup.Write(ctx, from, info, target)
	if err != nil {
		return nil, err
	}
	return &backup.Written{Manifest: m}, nil
}

// errNoServer says that no server runs on a folder.
var errNoServer = errors.New("no server runs on the data folder")

// askSnapshot has the running server make a snapshot, which it keeps until release is called or this process ends.
func askSnapshot(ctx context.Context, dir string) (answer snapshotAnswer, release func() error, err error) {
	release, err = holdServer(ctx, dir, snapshotPath+"?"+holdSnapshot, &answer)
	return answer, release, err
}

// holdServer asks the running server of a folder for what it keeps until release, which is never nil, is called or this process ends.
func holdServer(ctx context.Context, dir, path string, into any) (release func() error, err error) {
	release = func() error { return nil }
	res, held, err := postServer(ctx, dir, path, nil)
	if err != nil {
		return release, err
	}
	leave := func() error { return errors.Join(res.Body.Close(), held.Close()) }
	if err = answered(res); err == nil {
		if err = json.NewDecoder(res.Body).Decode(into); err == nil {
			return leave, nil
		}
		err = fmt.Errorf("answer of the server: %w", err)
	}
	return release, errors.Join(err, leave())
}

// controlClient talks to the server of a folder; held keeps the way to the socket open.
func controlClient(dir string) (client *http.Client, held io.Closer, err error) {
	path, held, err := socketPath(dir)
	if err != nil {
		return nil, nil, err
	}
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "unix", path)
		},
	}}, held, nil
}

// noServer reports whether a request failed for want of a server.
func noServer(err error) bool {
	return errors.Is(err, syscall.ENOENT) || errors.Is(err, syscall.ECONNREFUSED)
}
