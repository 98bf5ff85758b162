package proguard_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/proguard"
	"quipu/internal/testkit/need"
)

// Versions of the tools that results are compared with; tools/symbols/fetch.sh brings them.
const (
	r8    = "com/android/tools/r8/8.5.35/r8-8.5.35.jar"
	guard = "com/guardsquare/proguard-base/7.4.2/proguard-base-7.4.2.jar"
)

// jar returns a file of the local Maven repository. Without it, or without Java, the test is skipped.
func jar(t *testing.T, name string) string {
	t.Helper()
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	need.Program(t, "javac")
	return need.File(t, filepath.Join(home, ".m2", "repository", name), "tools/symbols/fetch.sh")
}

func run(t *testing.T, dir, name string, args ...string) (stdout, stderr string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, errs.String())
	}
	return out.String(), errs.String()
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func open(t *testing.T, text string) *proguard.Mapping {
	t.Helper()
	m, err := proguard.Open(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func retrace(t *testing.T, mapping, trace string) string {
	t.Helper()
	out, err := open(t, mapping).Retrace(t.Context(), trace)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// program makes traces whose frames are inlined, overloaded and of lambdas.
const program = `package com.example.app;
import java.util.function.*;
public class Main {
  interface Shape { int area(int depth); }
  static final class Square implements Shape {
    final int side; Square(int s) { side = s; }
    public int area(int depth) { if (depth > 2) return check(side); return helper(depth) + side; }
    private int helper(int depth) { int a = depth * 3; return deeper(a, depth + 1); }
    private int deeper(int a, int depth) { return area(depth) + a; }
  }
  static int check(int n) { if (n == 7) { throw new Failure("bad side " + n); } return n * n; }
  static int check(String s) { if (s.isEmpty()) { throw new IllegalStateException("empty"); } return s.length(); }
  static class Failure extends RuntimeException { Failure(String m) { super(m); } }
  static void lambda(int n) { Runnable r = () -> { Supplier<Integer> s = () -> check(n); s.get(); }; r.run(); }
  static void outer(int n) { try { lambda(n); } catch (Failure f) { throw new RuntimeException("wrapped", f); } }
  static Object nul(Object o) { return java.util.Objects.requireNonNull(o).toString(); }
  public static void main(String[] args) {
    try { outer(7); } catch (RuntimeException e) { e.printStackTrace(); }
    try { new Square(7).area(0); } catch (RuntimeException e) { e.printStackTrace(); }
    try { check(args.length == 0 ? "" : args[0]); } catch (RuntimeException e) { e.printStackTrace(); }
    try { nul(args.length == 0 ? null : args[0]); } catch (RuntimeException e) { e.printStackTrace(); }
  }
}
`

const rules = `-keep class com.example.app.Main { public static void main(java.lang.String[]); }
-keepattributes SourceFile,LineNumberTable
-renamesourcefileattribute SourceFile
-allowaccessmodification
`

func TestR8OfRealProgram(t *testing.T) {
	t.Parallel()
	tool, dir := jar(t, r8), t.TempDir()
	write(t, dir, "Main.java", program)
	write(t, dir, "rules.pro", rules)
	run(t, dir, "javac", "-g", "-d", "classes", "Main.java")
	run(t, dir, "jar", "cf", "in.jar", "-C", "classes", ".")
	run(t, dir, "java", "-cp", tool, "com.android.tools.r8.R8", "--classfile", "--release", "--lib", javaHome(t), "--pg-conf", "rules.pro",
		"--pg-map-output", "map.txt", "--output", "out.jar", "in.jar")
	_, trace := run(t, dir, "java", "-cp", "out.jar", "com.example.app.Main")
	write(t, dir, "trace.txt", trace)
	want, _ := run(t, dir, "java", "-cp", tool, "com.android.tools.r8.retrace.Retrace", "map.txt", "trace.txt")
	if !strings.Contains(want, "Main$Square.deeper(Main.java:9)") || strings.Contains(trace, "deeper") {
		t.Fatalf("the program does not do what the test is about:\n%s\n%s", trace, want)
	}
	if diff := cmp.Diff(want, retrace(t, read(t, filepath.Join(dir, "map.txt")), trace)); diff != "" {
		t.Errorf("(-R8 +ours)\n%s", diff)
	}
}

// TestProGuardOfRealProgram compares with ProGuard, which writes all frames of a method that was inlined into one line.
func TestProGuardOfRealProgram(t *testing.T) {
	t.Parallel()
	path, dir := classPath(t, jar(t, guard)), t.TempDir()
	write(t, dir, "Main.java", program)
	write(t, dir, "rules.pro", rules+`
-injars in.jar
-outjars out.jar
-libraryjars <java.home>/jmods/java.base.jmod(!**.jar;!module-info.class)
-printmapping map.txt
-optimizationpasses 3
`)
	run(t, dir, "javac", "-g", "-d", "classes", "Main.java")
	run(t, dir, "jar", "cf", "in.jar", "-C", "classes", ".")
	run(t, dir, "java", "-cp", path, "proguard.ProGuard", "@rules.pro")
	_, trace := run(t, dir, "java", "-cp", "out.jar", "com.example.app.Main")
	write(t, dir, "trace.txt", trace)
	want, _ := run(t, dir, "java", "-cp", path, "proguard.retrace.ReTrace", "map.txt", "trace.txt")
	if !strings.Contains(want, "Main$Square.deeper(Main.java:9)") || strings.Contains(trace, "deeper") {
		t.Fatalf("the program does not do what the test is about:\n%s\n%s", trace, want)
	}
	want = strings.ReplaceAll(want, ")\tat ", ")\n\tat ")
	if diff := cmp.Diff(want, retrace(t, read(t, filepath.Join(dir, "map.txt")), trace)); diff != "" {
		t.Errorf("(-ProGuard +ours)\n%s", diff)
	}
}

// classPath adds what ProGuard needs to its archive.
func classPath(t *testing.T, archive string) string {
	t.Helper()
	repository, _, _ := strings.Cut(archive, filepath.FromSlash("/com/guardsquare/"))
	var list []string
	for _, pattern := range []string{"com/guardsquare/*", "org/json/*", "com/google/code/gson/*", "org/apache/logging/log4j/*", "org/jetbrains/kotlin/*", "org/jetbrains/kotlinx/*"} {
		found, err := filepath.Glob(filepath.Join(repository, pattern, "*", "*.jar"))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return strings.Join(list, string(filepath.ListSeparator))
}

func javaHome(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("java")
	if err != nil {
		t.Fatal(err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		t.Fatal(err)
	}
	return filepath.Dir(filepath.Dir(path))
}

// TestR8OfRandomMappings compares mappings of all kinds of lines and comments with R8.
func TestR8OfRandomMappings(t *testing.T) {
	t.Parallel()
	tool, dir := jar(t, r8), t.TempDir()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	mapping := randomMapping(r)
	var trace strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&trace, "-- %d\n", i)
		if i%1000 == 999 { // the first of a part of sent, below: what was thrown before is not known there
			trace.WriteString("java.lang.Error\n")
		}
		if r.IntN(6) == 0 {
			fmt.Fprintf(&trace, "%s\n", pick(r, "java.lang.NullPointerException", "a.c3: it broke", "java.lang.NullPointerException: a.c1", "Thread \"main\" a.c5: x y"))
		}
		class := pick(r, classNames()...)
		file := pick(r, "SourceFile", "Unknown Source", "", "Foo.kt", "Foo.java", "Native Method", "r8-map-id-12")
		line := ""
		if r.IntN(6) > 0 {
			line = fmt.Sprintf(":%d", r.IntN(13)+strings.Count(class, "unknown"))
		}
		fmt.Fprintf(&trace, "%s%s.%s(%s%s)\n", pick(r, "\tat ", "    at ", "E/Tag: at "), class, pick(r, methodNames()...), file, line)
	}
	write(t, dir, "map.txt", mapping)
	write(t, dir, "trace.txt", trace.String())
	want, _ := run(t, dir, "java", "-cp", tool, "com.android.tools.r8.retrace.Retrace", "map.txt", "trace.txt")
	sent, wants := strings.Split(trace.String(), "-- "), strings.Split(want, "-- ")
	if len(wants) != len(sent) {
		t.Fatalf("%d parts, want %d", len(wants), len(sent))
	}
	var gots []string
	for part := range slices.Chunk(sent, 1000) { // a trace is bounded
		gots = append(gots, strings.Split(retrace(t, mapping, strings.Join(part, "-- ")), "-- ")...)
	}
	failed := 0
	for i := range sent {
		if got := strings.Join(gots[i:i+1], ""); wants[i] != got && failed < 10 {
			failed++
			t.Errorf("of\n%s%sR8 makes\n%sbut we\n%s", sent[i-1], sent[i], wants[i], got)
		}
	}
	if failed > 0 {
		t.Log(mapping)
	}
}

func pick(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func classNames() []string {
	return []string{"a.c0", "a.c1", "a.c2", "a.c3", "a.c4", "a.c5", "b.unknown"}
}

func methodNames() []string { return []string{"a", "b", "c", "<init>", "zz"} }

func randomMapping(r *rand.Rand) string {
	var out strings.Builder
	out.WriteString("# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n")
	originals := []string{"com.ex.Zero", "com.ex.One", "com.ex.Two$Inner", "com.ex.ThreeKt", "com.ex.Four", "com.ex.Five"}
	for i, original := range originals {
		fmt.Fprintf(&out, "%s -> a.c%d:\n", original, i)
		if r.IntN(2) == 0 {
			fmt.Fprintf(&out, "# {\"id\":\"sourceFile\",\"fileName\":\"Src%d.java\"}\n", i)
		}
		for _, name := range methodNames()[:4] {
			randomMethods(r, &out, name, originals)
		}
	}
	return out.String()
}

func randomMethods(r *rand.Rand, out *strings.Builder, name string, originals []string) {
	at, general := r.IntN(2), 8
	if at > 0 { // R8 never writes both kinds of ranges that a frame without a line may mean
		general = r.IntN(8)
	}
	own, first := strings.Trim(name, "<>"), r.IntN(3)
	for n := range r.IntN(4) {
		args := []string{"", "int", "java.lang.String,int[]"}[(n+first)%3] // a class has no two methods of a name and a signature
		kind := 1
		if general < 3 {
			kind = r.IntN(3)
		}
		if kind == 0 {
			fmt.Fprintf(out, "    void m%d%s(%s)%s -> %s\n", n, own, args, pick(r, "", ":33", ":33:36"), name)
			continue
		}
		to := at + r.IntN(3)
		for i := range r.IntN(3) {
			holder := ""
			if r.IntN(2) == 0 {
				holder = pick(r, originals...) + "."
			}
			fmt.Fprintf(out, "    %d:%d:void %sinlined%d(byte):%d:%d -> %s\n", at, to, holder, i, 100+i, 100+i+to-at, name)
		}
		from := r.IntN(50)
		original := pick(r, fmt.Sprintf(":%d:%d", from, from+to-at), fmt.Sprintf(":%d:%d", from, from+to-at), fmt.Sprintf(":%d", from), "")
		fmt.Fprintf(out, "    %d:%d:void m%d%s(%s)%s -> %s\n", at, to, n, own, args, original, name)
		switch r.IntN(8) {
		case 0:
			fmt.Fprintf(out, "      # {\"id\":\"com.android.tools.r8.synthesized\"}\n")
		case 1:
			fmt.Fprintf(out, "      # {\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":[\"throws(Ljava/lang/NullPointerException;)\"],\"actions\":[\"removeInnerFrames(1)\"]}\n")
		}
		at = to + 1 + r.IntN(2)
	}
}
