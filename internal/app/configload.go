package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/parsers/json"
	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"
)

// LoadConfig reads the defaults, then the variables of OpenTelemetry, then the file (unless path is ""), then the
// environment (entries NAME=value), then flags (key → value). Unknown keys and
// QUIPU_ variables are refused; all faults are reported at once.
func LoadConfig(path string, environ []string, flags map[string]any) (Config, error) {
	cfg := DefaultConfig()
	k := koanf.New(".")
	standard, faultsOfTheirs := otelLayer(environ)
	if err := k.Load(confmap.Provider(standard, "."), nil); err != nil {
		return Config{}, fmt.Errorf("read configuration: %w", err)
	}
	if path != "" {
		parser := koanf.Parser(yaml.Parser())
		if filepath.Ext(path) == ".json" {
			parser = json.Parser()
		}
		if err := k.Load(file.Provider(path), parser); err != nil {
			return Config{}, fmt.Errorf("read config file %s: %w", path, err)
		}
	}
	env, faults := fromEnviron(environ)
	for _, layer := range []map[string]any{env, flags} {
		if err := k.Load(confmap.Provider(layer, "."), nil); err != nil {
			return Config{}, fmt.Errorf("read configuration: %w", err)
		}
	}
	err := k.UnmarshalWithConf("", &cfg, koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{
		DecodeHook: mapstructure.ComposeDecodeHookFunc(withUnit, mapstructure.StringToSliceHookFunc(",")),
		Result:     &cfg, WeaklyTypedInput: true, ErrorUnused: true, TagName: "koanf",
	}})
	return cfg, errors.Join(faults, faultsOfTheirs, plain(err), cfg.Validate()) // what could not be read has its default
}

var errNoUnit = errors.New("is a number without a unit; write it as 90s, 15m or 24h")

// withUnit reads durations, which need a unit.
func withUnit(from, to reflect.Type, value any) (any, error) {
	if to != reflect.TypeFor[time.Duration]() {
		return value, nil
	}
	text, ok := value.(string)
	if !ok {
		return nil, fmt.Errorf("%v %w", value, errNoUnit)
	}
	if strings.Trim(text, "0123456789") == "" && text != "" {
		return nil, fmt.Errorf("%s %w", text, errNoUnit)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return nil, fmt.Errorf("%q is not a duration; write it as 90s, 15m or 24h", text)
	}
	return d, nil
}

// plain gives each fault of the decoder a line with its key.
func plain(err error) error {
	switch err := err.(type) { //nolint:errorlint // the tree of errors is walked
	case nil:
		return nil
	case interface{ Unwrap() []error }:
		var out []error
		for _, err := range err.Unwrap() {
			out = append(out, plain(err))
		}
		return errors.Join(out...)
	case *mapstructure.DecodeError:
		if _, many := err.Unwrap().(interface{ Unwrap() []error }); many || err.Name() == "" {
			return plain(err.Unwrap())
		}
		if keys, unknown := strings.CutPrefix(oneLine(err.Unwrap()), "has invalid keys: "); unknown {
			if err.Name() == reflect.TypeFor[Config]().String() {
				return fmt.Errorf("configuration: unknown keys: %s", keys)
			}
			return fmt.Errorf("%s: unknown keys: %s", err.Name(), keys)
		}
		return fmt.Errorf("%s: %s", err.Name(), oneLine(err.Unwrap()))
	case interface{ Unwrap() error }:
		return plain(err.Unwrap())
	default:
		return fmt.Errorf("configuration: %s", oneLine(err))
	}
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// Variables that are no keys of the configuration: the command line reads them.
var commandVariables = map[string]bool{
	"QUIPU_CONFIG": true, "QUIPU_ADMIN_USERNAME": true, "QUIPU_ADMIN_PASSWORD": true, "QUIPU_ADMIN_PASSWORD_FILE": true,
	"QUIPU_ADMIN_EMAIL": true, "QUIPU_ADMIN_NAME": true, "QUIPU_SERVER": true, "QUIPU_APP_KEY": true, "QUIPU_TOKEN": true,
	"QUIPU_KEY": true, "QUIPU_KEY_FILE": true, "QUIPU_APP": true,
}

// fromEnviron picks the QUIPU_ variables. Those of the first administrator and
// of the config file's path belong to the command line and are passed over.
func fromEnviron(environ []string) (map[string]any, error) {
	names, files := map[string]string{}, map[string]string{}
	for _, key := range keysOf(reflect.TypeFor[Config](), "") {
		names[variable(key.name)] = key.name
		if key.secret {
			files[variable(key.name)+"_FILE"] = key.name
		}
	}
	out := map[string]any{}
	var errs []error
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, "QUIPU_") || commandVariables[name] {
			continue
		}
		key, ok := names[name]
		if from := files[name]; !ok && from != "" {
			text, err := secretOf(name, value)
			if err != nil {
				errs = append(errs, err)
			}
			key, value, ok = from, text, true
		}
		_, twice := out[key]
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("unknown environment variable %s", name))
		case twice:
			errs = append(errs, fmt.Errorf("%s and %s_FILE are both set", variable(key), variable(key)))
		default:
			out[key] = value
		}
	}
	return out, errors.Join(errs...)
}

// variable is the environment variable of a key.
func variable(key string) string {
	return "QUIPU_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// maxSecret bounds a file with a secret, bytes.
const maxSecret = 64 << 10

// secretOf reads the file with a secret that a variable names, without the end of its last line.
func secretOf(name, path string) (string, error) {
	f, err := os.Open(path) // the operator names it
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	defer f.Close() //nolint:errcheck // read only
	b, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	text := strings.TrimRight(string(b), "\r\n")
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %w", name, err)
	case text == "":
		return "", fmt.Errorf("%s: %s is empty", name, path)
	case len(b) > maxSecret:
		return "", fmt.Errorf("%s: %s is too large for a secret", name, path)
	}
	return text, nil
}

// key is one of a config struct, in dotted form.
type key struct {
	name   string
	secret bool
}

// keysOf lists the keys of a config struct.
func keysOf(t reflect.Type, prefix string) []key {
	var keys []key
	for f := range t.Fields() {
		name := prefix + f.Tag.Get("koanf")
		switch f.Type.Kind() {
		case reflect.Struct:
			keys = append(keys, keysOf(f.Type, name+".")...)
		case reflect.Map: // only in files
		default:
			keys = append(keys, key{name, f.Tag.Get("secret") != ""})
		}
	}
	return keys
}
