package sourcemap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/sourcemap"
	"quipu/internal/testkit/need"
)

// node runs a script with the packages of the dashboard and returns what it prints. Without them the test is skipped.
func node(t *testing.T, dir, script string, args ...string) string {
	t.Helper()
	need.Program(t, "node")
	ui := filepath.Dir(filepath.Dir(need.File(t, "../../../ui/node_modules/source-map-js", "npm ci in ui")))
	head := fmt.Sprintf("import { createRequire } from 'node:module'; import fs from 'node:fs';\nconst require = createRequire(%q);\n", filepath.Join(ui, "package.json"))
	path := filepath.Join(dir, "script.mjs")
	if err := os.WriteFile(path, []byte(head+script), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", append([]string{path}, args...)...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("node: %v\n%s", err, errs.String())
	}
	return out.String()
}

// answer is what npm's source-map says of a place.
type answer struct {
	Source string `json:"source"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Name   string `json:"name"`
}

// compare looks up places of the map in the file and compares with npm's source-map. Places are lines from 1 and columns from 0.
func compare(t *testing.T, dir, file string, places [][2]int) {
	t.Helper()
	asked, err := json.Marshal(places)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "places.json"), asked, 0o600); err != nil {
		t.Fatal(err)
	}
	var want []answer
	out := node(t, dir, `
const { SourceMapConsumer } = require('source-map-js');
const c = new SourceMapConsumer(JSON.parse(fs.readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify(JSON.parse(fs.readFileSync('places.json', 'utf8')).map(([line, column]) => c.originalPositionFor({ line, column }))));
`, file)
	if err := json.Unmarshal([]byte(out), &want); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, string(text))
	found := 0
	for i, place := range places {
		var got answer
		if p, ok := m.Find(place[0], place[1]); ok {
			found++
			got = answer{Source: p.Source, Line: p.Line, Column: p.Column, Name: p.Name}
		}
		if diff := cmp.Diff(want[i], got); diff != "" {
			t.Fatalf("at %v (-source-map +ours)\n%s", place, diff)
		}
	}
	if found < len(places)/4 {
		t.Errorf("only %d of %d places were found", found, len(places))
	}
}

func open(t *testing.T, text string) *sourcemap.Map {
	t.Helper()
	m, err := sourcemap.Open(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Sources of a program that fails in code that is inlined and renamed by a bundler.
var sources = map[string]string{
	"src/index.js": `import { checkout } from './shop/cart.js';
import { format } from './format.js';
function startApplication(input) {
  const items = input.split(',').map((part) => ({ price: Number(part), label: format(part) }));
  return checkout(items, (total) => {
    if (total > 10) {
      throw new Error('too expensive: ' + total);
    }
    return total;
  });
}
export class Application {
  constructor(input) { this.input = input; }
  run() { return startApplication(this.input); }
}
globalThis.start = (input) => new Application(input).run();
if (globalThis.process?.argv?.[2]) { globalThis.start(process.argv[2]); }
`,
	"src/shop/cart.js": `import { format } from '../format.js';
export function checkout(listOfItems, verify) {
  let total = 0;
  for (const item of listOfItems) {
    total += item.price;
    if (item.label === format('')) { continue; }
  }
  return verifyTotal(total, verify);
}
function verifyTotal(amount, verify) {
  const rounded = Math.round(amount * 100) / 100;
  return verify(rounded);
}
`,
	"src/format.js": "export const format = (text) => `<${text.trim()}>`;\n",
}

// bundle makes a minified bundle of the sources in the folder: bundle.js and bundle.js.map.
func bundle(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range sources {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	node(t, dir, `
const { rolldown } = await import(require.resolve('rolldown'));
const build = await rolldown({ input: 'src/index.js', cwd: process.cwd() });
await build.write({ file: 'bundle.js', format: 'iife', name: 'shop', sourcemap: true, minify: true, sourcemapDebugIds: true });
`)
	return dir
}

func TestRealBundle(t *testing.T) {
	t.Parallel()
	dir := bundle(t)
	text, err := os.ReadFile(filepath.Join(dir, "bundle.js"))
	if err != nil {
		t.Fatal(err)
	}
	var places [][2]int
	for i, line := range strings.Split(string(text), "\n") {
		for column := range len(line) + 3 {
			places = append(places, [2]int{i + 1, column})
		}
	}
	compare(t, dir, "bundle.js.map", places)
}

// TestRealTrace symbolicates what Node.js says of an error in a bundle.
func TestRealTrace(t *testing.T) {
	t.Parallel()
	dir := bundle(t)
	cmd := exec.CommandContext(t.Context(), "node", "bundle.js", "5,7")
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Run(); err == nil {
		t.Fatal("the program does not fail")
	}
	text, err := os.ReadFile(filepath.Join(dir, "bundle.js.map"))
	if err != nil {
		t.Fatal(err)
	}
	var set sourcemap.Set
	set.Add("bundle.js.map", open(t, string(text)))
	got, frames, err := set.Symbolicate(t.Context(), errs.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"src/index.js:7:", "src/shop/cart.js:12:10)", "src/shop/cart.js:8:10)", "src/index.js:14:18)", "node:internal"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s\nof\n%s", want, got, errs.String())
		}
	}
	if len(frames) < 4 || len(frames[0].Context) != 11 || !strings.Contains(frames[0].Context[5].Text, "throw new Error('too expensive") {
		t.Errorf("frames: %+v", frames)
	}
}

// TestRandomMaps compares maps of all shapes with npm's source-map, sections among them.
func TestRandomMaps(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 4 {
		dir := t.TempDir()
		var text string
		if i%2 == 0 {
			text = randomMap(r)
		} else {
			text = fmt.Sprintf(`{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":%s},{"offset":{"line":100,"column":17},"map":%s}]}`, randomMap(r), randomMap(r))
		}
		if err := os.WriteFile(filepath.Join(dir, "x.map"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var places [][2]int
		for range 5000 {
			places = append(places, [2]int{1 + r.IntN(160), r.IntN(420)})
		}
		compare(t, dir, "x.map", places)
	}
}

// randomMap has some 80 lines; in each, columns are written in order, or not.
func randomMap(r *rand.Rand) string {
	var out strings.Builder
	var before [5]int
	for range 80 {
		before[0] = 0
		seen := map[int]bool{}
		shuffled := r.IntN(6) == 0
		for n := range r.IntN(60) {
			if n > 0 {
				out.WriteByte(',')
			}
			column := before[0] + 1 + r.IntN(8)
			for shuffled && (n == 0 || seen[column]) {
				if column = r.IntN(400); !seen[column] {
					break
				}
			}
			seen[column] = true
			next := [5]int{column, r.IntN(7), r.IntN(3000), r.IntN(200), r.IntN(20)}
			fields := []int{4, 4, 4, 5, 5, 1}[r.IntN(6)]
			for f := range fields {
				vlq(&out, next[f]-before[f])
				before[f] = next[f]
			}
		}
		out.WriteByte(';')
	}
	var sources, names []string
	root := []string{"", "root", "/abs/"}[r.IntN(3)]
	for i := range 20 {
		if root != "" && i%5 > 2 { // an address, which npm's joins to the root all the same
			i -= 2
		}
		sources = append(sources, fmt.Sprintf("%s/file%d.ts", []string{"src", "./src", "../lib", "webpack://app/./x", "https://cdn.example/a"}[i%5], i))
		names = append(names, fmt.Sprintf("name%d", i))
	}
	text, err := json.Marshal(map[string]any{"version": 3, "sources": sources, "names": names, "mappings": out.String(), "sourceRoot": root})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func vlq(out *strings.Builder, n int) {
	v := n << 1
	if n < 0 {
		v = -n<<1 | 1
	}
	for {
		d := v & 31
		if v >>= 5; v > 0 {
			d |= 32
		}
		out.WriteByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[d])
		if v == 0 {
			return
		}
	}
}
