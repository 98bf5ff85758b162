package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"quipu/internal/ingest/geo"
	"quipu/internal/kernel"
	"quipu/internal/tracing"
)

// CheckConfig checks what a configuration names beyond itself: files, addresses, settings of modules. It reports all faults at once and
// changes nothing, so that it may be run beside the server.
func CheckConfig(ctx context.Context, cfg Config) error {
	var errs []error
	add := func(key string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", key, err))
		}
	}
	if _, err := openCertificates(cfg); err != nil {
		errs = append(errs, err) // has its key
	}
	for key, address := range map[string]string{"listen": cfg.Listen, "metrics_listen": cfg.MetricsListen, "tls.redirect_listen": cfg.TLS.RedirectListen} {
		add(key, reachable(ctx, address))
	}
	if cfg.Ingest.GeoDatabase != "" {
		add("ingest.geo_database", geo.Check(ctx, cfg.Ingest.GeoDatabase))
	}
	if _, err := cfg.readSecret(); !errors.Is(err, fs.ErrNotExist) || cfg.SecretKeyFile != "" && isDataFolder(cfg.Data) == nil {
		add("secret_key", err)
	}
	if cfg.Tracing.Endpoint != "" && cfg.Tracing.CAFile != "" {
		_, err := tracing.Roots(cfg.Tracing.CAFile)
		add("tracing.ca_file", err)
	}
	add("data", usableFolder(cfg.Data))
	add("modules", kernel.CheckConfig(cfg.Modules, (&App{cfg: cfg}).modules()))
	slices.SortFunc(errs, byText)
	return errors.Join(errs...)
}

// reachable checks that an address to listen on is one of names and numbers that are known, or in a folder that is there.
func reachable(ctx context.Context, address string) error {
	if address == "" {
		return nil
	}
	if path, ok := strings.CutPrefix(address, unixPrefix); ok {
		_, err := os.Stat(filepath.Dir(path))
		return err
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	if _, err := net.DefaultResolver.LookupPort(ctx, "tcp", port); err != nil {
		return err
	}
	if host == "" {
		return nil
	}
	_, err = net.DefaultResolver.LookupHost(ctx, host)
	return err
}

// usableFolder checks that a data folder is one, or can be made.
func usableFolder(dir string) error {
	st, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if st, err = os.Stat(filepath.Dir(filepath.Clean(dir))); err != nil {
			return fmt.Errorf("neither it nor the folder above is there: %w", err)
		}
	}
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return fmt.Errorf("%s is not a folder", st.Name())
	}
	return nil
}

// WriteConfig writes every key that differs from its default, or all of them, as KEY = VALUE. Secrets are not shown.
func WriteConfig(w io.Writer, cfg Config, all bool) error {
	defaults := maps.Collect(flat(reflect.ValueOf(DefaultConfig()), ""))
	for key, value := range flat(reflect.ValueOf(cfg), "") {
		if !all && defaults[key] == value {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s = %s\n", key, value); err != nil {
			return err
		}
	}
	return nil
}

// flat walks the keys of a config struct with their values as text.
func flat(v reflect.Value, prefix string) func(yield func(key, value string) bool) {
	return func(yield func(string, string) bool) {
		for f, value := range v.Fields() {
			key := prefix + f.Tag.Get("koanf")
			if f.Type.Kind() == reflect.Struct {
				for k, text := range flat(value, key+".") {
					if !yield(k, text) {
						return
					}
				}
				continue
			}
			text := fmt.Sprint(value.Interface())
			if text != "" && (f.Tag.Get("secret") != "" || key == "secret_key") {
				text = "(not shown)"
			}
			if !yield(key, text) {
				return
			}
		}
	}
}
