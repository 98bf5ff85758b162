package app_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/nats-io/nats-server/v2/server"

	"quipu/internal/app"
	"quipu/internal/testkit/need"
)

const packaged = "../../packaging/cluster/"

// deploy runs the checker of what is packaged.
func deploy(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), need.File(t, "../../bin/tools/deploy", "make bin/tools/deploy"), args...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		t.Errorf("deploy %v: %v\n%s", args, err, said.String())
	}
	return out.String()
}

// TestCompose checks the compose file, and that Quipu takes the file of its cluster.
func TestCompose(t *testing.T) {
	for _, name := range []string{"POSTGRES_PASSWORD", "CLICKHOUSE_PASSWORD", "NATS_PASSWORD", "NATS_SYSTEM_PASSWORD", "S3_SECRET_KEY", "S3_ACCESS_KEY", "QUIPU_SECRET_KEY"} {
		t.Setenv(name, "some")
	}
	t.Setenv("STATE_ADDRESS", "postgres://quipu:some@postgres:5432/quipu?sslmode=disable")
	cfg, err := app.LoadCluster(packaged + "compose/cluster.yaml")
	if err != nil || cfg.Files.S3.Bucket != "quipu-files" {
		t.Errorf("%+v, %v", cfg.Files, err)
	}
	example, err := os.ReadFile(packaged + "compose/example.env")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(packaged + "compose/compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(example), "\n") {
		if name, _, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") && !strings.Contains(string(file), name) {
			t.Errorf("example.env has %s, which nothing uses", name)
		}
	}
	t.Setenv("NAME", "nats-1")
	nats, err := server.ProcessConfigFile(packaged + "compose/nats.conf")
	if err != nil || !nats.SyncAlways || nats.ServerName != "nats-1" || nats.SystemAccount != "SYSTEM" || len(nats.Routes) != 3 {
		t.Errorf("nats.conf: %+v, %v", nats, err)
	}
	deploy(t, "compose", packaged+"compose/compose.yaml")
	out, err := exec.CommandContext(t.Context(), need.Program(t, "caddy"), "validate", "--adapter", "caddyfile", "--config", packaged+"compose/Caddyfile").CombinedOutput()
	if err != nil {
		t.Errorf("Caddyfile: %v\n%s", err, out)
	}
}

// TestChart checks the chart, with its own values and with all that may be given, and that Quipu takes the file of the cluster.
func TestChart(t *testing.T) {
	secrets := t.TempDir()
	for name, text := range map[string]string{
		"state-address": "postgres://quipu:some@postgres:5432/quipu?sslmode=disable", "nats-password": "some", "nats-system-password": "some", "clickhouse-password": "some", "s3-access-key": "some", "s3-secret-key": "some",
	} {
		if err := os.WriteFile(filepath.Join(secrets, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, values := range map[string][]string{"own": nil, "all": {packaged + "helm/quipu/ci/all-values.yaml"}} {
		rendered := deploy(t, append([]string{"chart", packaged + "helm/quipu"}, values...)...)
		kinds, cluster := map[string]int{}, ""
		for text := range strings.SplitSeq(rendered, "---\n") {
			doc, err := yaml.Parser().Unmarshal([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			kind, _ := doc["kind"].(string)
			kinds[kind]++
			if data, ok := doc["data"].(map[string]any); ok && kind == "ConfigMap" {
				cluster, _ = data["cluster.yaml"].(string)
			}
		}
		if kinds["StatefulSet"] != 1 || kinds["Service"] != 3 || kinds["PodDisruptionBudget"] != 1 || kinds["Ingress"] != map[string]int{"all": 1}[name] {
			t.Errorf("%s: %v", name, kinds)
		}
		cfg, err := app.LoadCluster(clusterFile(t, strings.ReplaceAll(cluster, "/run/secrets/quipu", secrets)))
		if err != nil || cfg.Files.S3.Endpoint == "" || cfg.ClickHouse.Replicated != (name == "all") {
			t.Errorf("%s: %+v, %v\n%s", name, cfg.ClickHouse, err, cluster)
		}
	}
}
