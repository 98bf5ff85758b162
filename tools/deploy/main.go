// Command deploy checks what packaging/cluster has: a compose file against the compose specification, and a Helm chart by Helm's own linter and
// what it renders by the types of Kubernetes' API, in which no unknown field is taken. It prints what a chart renders.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	switch {
	case len(args) == 2 && args[0] == "compose":
		return compose(args[1])
	case len(args) >= 2 && args[0] == "chart":
		return chart(args[1], args[2:], out)
	}
	return errors.New("usage: deploy compose FILE | deploy chart FOLDER [VALUES…]")
}

// compose loads a file as docker compose does.
func compose(path string) error {
	o, err := cli.NewProjectOptions([]string{path}, cli.WithWorkingDirectory(filepath.Dir(path)), cli.WithOsEnv, cli.WithDotEnv, cli.WithConsistency(true), cli.WithInterpolation(true), cli.WithResolvedPaths(true))
	if err != nil {
		return err
	}
	p, err := o.LoadProject(context.Background())
	if err != nil {
		return err
	}
	// What the files of the project mount has to be there.
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(p.Configs)) {
		if c := p.Configs[name]; c.File != "" {
			if _, err := os.Stat(c.File); err != nil {
				errs = append(errs, fmt.Errorf("config %s: %w", name, err))
			}
		}
	}
	return errors.Join(errs...)
}

// chart lints and renders a chart with the values of files.
func chart(dir string, files []string, out io.Writer) error {
	values := map[string]any{}
	for _, path := range files {
		more, err := chartutil.ReadValuesFile(path)
		if err != nil {
			return err
		}
		values = chartutil.CoalesceTables(more, values)
	}
	var errs []error
	for _, m := range lint.All(dir, values, "default", true).Messages {
		if m.Severity >= support.WarningSev {
			errs = append(errs, errors.New(m.Error()))
		}
	}
	c, err := loader.Load(dir)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	rendered, err := chartutil.ToRenderValues(c, values, chartutil.ReleaseOptions{Name: "quipu", Namespace: "default", Revision: 1, IsInstall: true}, chartutil.DefaultCapabilities)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	texts, err := engine.Render(c, rendered)
	if err != nil {
		return errors.Join(append(errs, err)...)
	}
	strict, err := decoder()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if strings.HasSuffix(name, "NOTES.txt") {
			continue
		}
		for _, doc := range strings.Split(texts[name], "\n---") {
			var some any
			if err := yaml.Unmarshal([]byte(doc), &some); err != nil || some == nil {
				if err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", name, err))
				}
				continue
			}
			if _, _, err := strict.Decode([]byte(doc), nil, nil); err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", name, err))
			}
			fmt.Fprintf(out, "---\n# %s\n%s\n", name, strings.TrimPrefix(strings.TrimSpace(doc), "---\n"))
		}
	}
	return errors.Join(errs...)
}

// decoder knows the kinds that the chart has, and none of their fields that there are not.
func decoder() (*json.Serializer, error) {
	s := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{appsv1.AddToScheme, corev1.AddToScheme, networkingv1.AddToScheme, policyv1.AddToScheme} {
		if err := add(s); err != nil {
			return nil, err
		}
	}
	return json.NewSerializerWithOptions(json.DefaultMetaFactory, s, s, json.SerializerOptions{Yaml: true, Strict: true}), nil
}
