package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"

	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/kafka"
	"quipu/internal/store/pg"
	"quipu/internal/store/s3"
	"quipu/internal/store/state/postgres"
)

// Place is what a trial of a cluster has for itself on the servers that the cluster's file names: databases, streams or a topic, and a prefix of files.
// Nothing of the cluster's own is read or written.
type Place struct {
	// Name begins, or is, the name of everything.
	Name string
	// File is a cluster's file that names the place.
	File string

	theirs ClusterConfig // of the file that names the servers
	ours   ClusterConfig
	a      *App
	made   []made
}

// LeaseTTL is how long the leases of a cluster's partitions hold that are not renewed.
const LeaseTTL = postgres.LeaseTTL

// made is something that Remove removes.
type made struct {
	what   string
	remove func(context.Context) error
}

// MakePlace makes a place with a name of lower-case letters, digits and underscores, and its file in a folder. When something fails, what was made is removed again.
func MakePlace(ctx context.Context, cluster, dir, name string, proc Process) (_ *Place, err error) {
	c, a, err := outside(Config{Cluster: cluster, Memory: "256MiB", Log: LogConfig{Level: "warn", Format: "text"}, Ingest: DefaultConfig().Ingest}, proc)
	if err != nil {
		return nil, err
	}
	p := &Place{Name: name, File: filepath.Join(dir, "cluster.yaml"), theirs: c.cfg, a: a}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.Remove(context.WithoutCancel(ctx)))
		}
	}()
	k, err := absolute(cluster)
	if err != nil {
		return nil, err
	}
	var errs []error
	set := func(key string, value any) {
		k.Delete(key) // or a map would be merged with what is there
		errs = append(errs, k.Set(key, value))
	}
	if err := p.makeDatabases(ctx, dir, set); err != nil {
		return nil, fmt.Errorf("PostgreSQL: make a database for the trial: %w", err)
	}
	client, err := p.theirs.clickHouse(a)
	if err != nil {
		return nil, fmt.Errorf("ClickHouse: %w", err)
	}
	if err := client.Find(ctx); err != nil {
		client.Close()
		return nil, fmt.Errorf("ClickHouse: %w", err)
	}
	p.made = append(p.made, made{"the database " + name + " of ClickHouse", func(ctx context.Context) error {
		defer client.Close()
		return client.DropDatabase(ctx, name)
	}})
	if err := client.MakeDatabase(ctx, name); err != nil {
		return nil, fmt.Errorf("ClickHouse: make a database for the trial: %w", err)
	}
	set("clickhouse.database", name)
	set("journal.name", name)
	p.made = append(p.made, made{"streams or topic " + name, p.removeJournal})
	p.setFiles(ctx, set)
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("file of the trial: %w", err)
	}
	text, err := k.Marshal(yaml.Parser())
	if err == nil {
		err = os.WriteFile(p.File, text, 0o600)
	}
	if err == nil {
		p.ours, err = LoadCluster(p.File)
	}
	if err != nil {
		return nil, fmt.Errorf("file of the trial: %w", err)
	}
	return p, nil
}

// removeLimit bounds how long a removal may take.
const removeLimit = time.Minute

// Remove removes everything that was made, but the file.
func (p *Place) Remove(ctx context.Context) error {
	var errs []error
	for _, m := range p.made {
		limited, cancel := context.WithTimeout(ctx, removeLimit)
		if err := m.remove(limited); err != nil {
			errs = append(errs, fmt.Errorf("%s stays: %w", m.what, err))
		}
		cancel()
	}
	p.made = nil
	return errors.Join(errs...)
}

// Partitions is how many the cluster has.
func (p *Place) Partitions() int { return p.theirs.Partitions }

// Journal is the engine of the journal.
func (p *Place) Journal() string { return p.theirs.Journal.Engine }

// Sizes are how much a place takes on the servers, bytes.
type Sizes struct {
	// PostgreSQL has the tables of state and documents with their indexes, and ClickHouse its tables.
	PostgreSQL, ClickHouse map[string]int64
	// Log is how much the server of the state has written to its log, for all of its databases.
	Log int64
}

// Sizes asks the servers for them.
func (p *Place) Sizes(ctx context.Context) (Sizes, error) {
	state, err := pg.SizesOf(ctx, p.ours.State.Address.Value)
	if err != nil {
		return Sizes{}, fmt.Errorf("PostgreSQL: %w", err)
	}
	out := Sizes{PostgreSQL: state.Tables, Log: state.Log}
	if p.ours.Documents.Address.Value != p.ours.State.Address.Value {
		documents, err := pg.SizesOf(ctx, p.ours.Documents.Address.Value)
		if err != nil {
			return Sizes{}, fmt.Errorf("PostgreSQL of documents: %w", err)
		}
		for name, n := range documents.Tables {
			out.PostgreSQL[name] += n
		}
	}
	client, err := p.ours.clickHouse(p.a)
	if err != nil {
		return Sizes{}, fmt.Errorf("ClickHouse: %w", err)
	}
	defer client.Close()
	if err = client.Find(ctx); err == nil {
		out.ClickHouse, err = client.Sizes(ctx)
	}
	if err != nil {
		err = fmt.Errorf("ClickHouse: %w", err)
	}
	return out, err
}

// absolute reads a cluster's file, with the paths in it made absolute.
func absolute(cluster string) (*koanf.Koanf, error) {
	k := koanf.New(".")
	if err := k.Load(file.Provider(cluster), yaml.Parser()); err != nil {
		return nil, fmt.Errorf("read cluster file %s: %w", cluster, err)
	}
	dir, err := filepath.Abs(filepath.Dir(cluster))
	if err != nil {
		return nil, err
	}
	for _, key := range k.Keys() {
		last := key[strings.LastIndexByte(key, '.')+1:]
		text := k.String(key)
		if isPath := last == "file" || last == "ca" || last == "certificate" || key == "journal.tls.key" || key == "files"; !isPath || text == "" || filepath.IsAbs(text) {
			continue
		}
		if err := k.Set(key, filepath.Join(dir, text)); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// makeDatabases makes those of state and documents, or one for both where theirs are one.
func (p *Place) makeDatabases(ctx context.Context, dir string, set func(string, any)) error {
	for i, d := range []struct{ key, name, theirs string }{
		{"state", p.Name, p.theirs.State.Address.Value},
		{"documents", p.Name + "_documents", p.theirs.Documents.Address.Value},
	} {
		secret := filepath.Join(dir, d.key+".address")
		if i > 0 && d.theirs == p.theirs.State.Address.Value {
			secret = filepath.Join(dir, "state.address")
		} else {
			// Noted first: the answer may be lost when it is there.
			p.made = append(p.made, made{"the database " + d.name + " of PostgreSQL", func(ctx context.Context) error { return pg.DropDatabase(ctx, d.theirs, d.name) }})
			address, err := pg.MakeDatabase(ctx, d.theirs, d.name)
			if err != nil {
				return err
			}
			if err := os.WriteFile(secret, []byte(address+"\n"), 0o600); err != nil {
				return err
			}
		}
		set(d.key+".address", map[string]any{"file": secret})
	}
	return nil
}

// setFiles has files lie under a prefix, or in a folder in the shared one.
func (p *Place) setFiles(ctx context.Context, set func(string, any)) {
	f := p.theirs.Files
	if f.Folder != "" {
		folder := filepath.Join(f.Folder, p.Name)
		set("files", folder)
		p.made = append(p.made, made{"the folder " + folder, func(context.Context) error {
			err := os.RemoveAll(folder)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
			return err
		}})
		return
	}
	prefix := path.Join(f.S3.Prefix, p.Name)
	set("files.s3.prefix", prefix)
	p.made = append(p.made, made{"files under " + prefix, func(ctx context.Context) error {
		b, err := s3.Open(s3.Options{Config: f.S3.store(), Bucket: f.S3.Bucket, Prefix: prefix, Settings: "files.s3"})
		if err != nil {
			return err
		}
		for object, err := range b.List(ctx, "") {
			if err != nil {
				return err
			}
			if err := b.Remove(ctx, object.Name); err != nil {
				return err
			}
		}
		return nil
	}})
}

// removeJournal removes the streams or the topic.
func (p *Place) removeJournal(ctx context.Context) error {
	c := newCluster(p.a.cfg, p.ours)
	if p.ours.Journal.Name != p.Name { // it never came that far
		return nil
	}
	if p.ours.Journal.Engine == engineKafka {
		o, err := c.kafkaOptions(p.a)
		if err != nil {
			return err
		}
		return kafka.Remove(ctx, o)
	}
	nc, err := p.ours.Journal.nats(p.ours.Journal.User, p.ours.Journal.Password.Value, nil)
	if err != nil {
		return err
	}
	defer nc.Close()
	return jetstream.Remove(ctx, nc, c.jetStreamOptions(p.a))
}
