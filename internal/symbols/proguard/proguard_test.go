package proguard_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/proguard"
)

const mapping = `# {"id":"com.android.tools.r8.mapping","version":"2.2"}
com.ex.Foo -> a.a:
# {"id":"sourceFile","fileName":"FooSrc.kt"}
    1:1:void inner(int):10:10 -> a
    1:1:void outer():20:20 -> a
    2:5:void outer():21:24 -> a
    void plain(int) -> b
    void plain2(java.lang.String) -> b
    void range():33:35 -> e
    1:1:void com.ex.Bar.barInline():7:7 -> g
    1:1:void g1():8:8 -> g
    3:3:void s():9:9 -> h
      # {"id":"com.android.tools.r8.synthesized"}
    1:1:java.lang.Object requireNonNull(java.lang.Object):3:3 -> n
    1:1:void npe():30:30 -> n
      # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
com.ex.Bar -> a.b:
# {"id":"sourceFile","fileName":"BarSrc.java"}
    void x() -> a
com.ex.TopKt -> a.d:
    void x() -> a
com.ex.Out -> a.o:
    1:2:int outlined():0:0 -> a
      # {"id":"com.android.tools.r8.outline"}
com.ex.Use -> a.u:
    1:1:void use():11:11 -> s
    27:27:void use():0:0 -> s
      # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":4,"2":5},"outline":"La/o;a()I"}
    4:4:void foo.bar.Baz.in():98:98 -> s
    4:4:void use():24 -> s
com.ex.MyException -> a.x:
`

func TestRetrace(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ trace, want string }{
		"inlined":             {"\tat a.a.a(SourceFile:1)\n", "\tat com.ex.Foo.inner(FooSrc.kt:10)\n\tat com.ex.Foo.outer(FooSrc.kt:20)\n"},
		"line of a range":     {"\tat a.a.a(SourceFile:3)\n", "\tat com.ex.Foo.outer(FooSrc.kt:22)\n"},
		"unknown line":        {"\tat a.a.a(SourceFile:99)\n", "\tat com.ex.Foo.a(FooSrc.kt:99)\n"},
		"ambiguous":           {"\tat a.a.b(SourceFile)\n", "\tat com.ex.Foo.plain(FooSrc.kt)\n\t<OR> at com.ex.Foo.plain2(FooSrc.kt)\n"},
		"ambiguous lines":     {"at a.a.e(SourceFile:1)\n", "at com.ex.Foo.range(FooSrc.kt:33)\n<OR> at com.ex.Foo.range(FooSrc.kt:34)\n<OR> at com.ex.Foo.range(FooSrc.kt:35)\n"},
		"file of another":     {"\tat a.a.g(SourceFile:1)\n", "\tat com.ex.Bar.barInline(BarSrc.java:7)\n\tat com.ex.Foo.g1(FooSrc.kt:8)\n"},
		"made by a compiler":  {"\tat a.a.h(SourceFile:3)\nx", "x"},
		"exception":           {"Caused by: a.x: it broke\n", "Caused by: com.ex.MyException: it broke\n"},
		"exception, one word": {"Caused by: a.x: broke\r\n", "Caused by: com.ex.MyException: broke\r\n"},
		"rewritten":           {"java.lang.NullPointerException\n\tat a.a.n(SourceFile:1)\n", "java.lang.NullPointerException\n\tat com.ex.Foo.npe(FooSrc.kt:30)\n"},
		"not rewritten":       {"java.lang.IllegalStateException\n\tat a.a.n(SourceFile:1)\n", "java.lang.IllegalStateException\n\tat com.ex.Foo.requireNonNull(FooSrc.kt:3)\n\tat com.ex.Foo.npe(FooSrc.kt:30)\n"},
		"outlined":            {"\tat a.o.a(SourceFile:1)\n\tat a.u.s(SourceFile:27)\n", "\tat foo.bar.Baz.in(Baz.java:98)\n\tat com.ex.Use.use(Use.java:24)\n"},
		"Kotlin":              {"\tat a.d.x(SourceFile)", "\tat com.ex.TopKt.x(Top.kt)"},
		"module and jar":      {"\tat app//a.b.a(SourceFile:4) ~[x.jar:1]\n", "\tat app//com.ex.Bar.x(BarSrc.java:4) ~[x.jar:1]\n"},
		"of another program":  {"\tat q.w.e(Foo.java:4)\n  ... 5 more\n\n", "\tat q.w.e(Foo.java:4)\n  ... 5 more\n\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, retrace(t, mapping, tt.trace)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, code string }{
		"empty":      {"", symbols.CodeBadFile},
		"no mapping": {"hello\nworld -> x\n", symbols.CodeBadFile},
		"one line":   {strings.Repeat("x", 2<<20), symbols.CodeTooLarge},
	} {
		_, err := proguard.Open(t.Context(), strings.NewReader(tt.text), int64(len(tt.text)))
		if fault.CodeOf(err) != tt.code {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := proguard.Open(ctx, strings.NewReader(mapping), int64(len(mapping))); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that ended: %v", err)
	}
	if _, err := open(t, mapping).Retrace(ctx, "\tat a.a.a(SourceFile:1)\n"); !errors.Is(err, context.Canceled) {
		t.Errorf("retrace with a context that ended: %v", err)
	}
}

// TestBounds has a class that takes too much, and a trace that grows too much.
func TestBounds(t *testing.T) {
	t.Parallel()
	large := "com.ex.A -> a:\n" + strings.Repeat("    void m() -> a\n", 600_000)
	if _, err := open(t, large).Retrace(t.Context(), "\tat a.a(SourceFile:1)\n"); fault.CodeOf(err) != symbols.CodeTooLarge {
		t.Errorf("class of %d bytes: %v", len(large), err)
	}
	wide := "com.ex.A -> a:\n    void m():1:2000000000 -> a\n"
	got := retrace(t, wide, strings.Repeat("\tat a.a(SourceFile:1)\n", 10_000))
	if n := strings.Count(got, "\n"); n > symbols.MaxTraceLines+1000 || n < symbols.MaxTraceLines {
		t.Errorf("%d lines", n)
	}
	long := strings.Repeat("x", symbols.MaxTrace+5)
	if got := retrace(t, mapping, long); got != long {
		t.Errorf("a trace of %d bytes has %d after", len(long), len(got))
	}
}

func FuzzRetrace(f *testing.F) {
	f.Add(mapping, "a.x: boom\n\tat a.a.a(SourceFile:1)\n\tat a.o.a(SourceFile:1)\n\tat a.u.s(SourceFile:27)\n")
	f.Add("a -> b:\n1:2:3 x():4 -> c", "at b.c(:1)")
	f.Fuzz(func(t *testing.T, mapping, trace string) {
		m, err := proguard.Open(t.Context(), strings.NewReader(mapping), int64(len(mapping)))
		if err != nil {
			if code := fault.CodeOf(err); code != symbols.CodeBadFile && code != symbols.CodeTooLarge {
				t.Fatal(err)
			}
			return
		}
		if _, err := m.Retrace(t.Context(), trace); err != nil {
			t.Fatal(err)
		}
	})
}
