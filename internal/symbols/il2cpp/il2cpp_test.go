package il2cpp_test

import (
	"fmt"
	"strings"
	"testing"

	"quipu/internal/fault"
	"quipu/internal/symbols"
	"quipu/internal/symbols/il2cpp"
)

func open(t *testing.T, text string) (*il2cpp.Map, error) {
	t.Helper()
	return il2cpp.Open(t.Context(), strings.NewReader(text), int64(len(text)))
}

const shop = `{"__debug-id__":"x","/b/Il2Cpp/Assembly-CSharp.cpp":{"/p/Assets/Cart.cs":{"100":17,"90":16,"104":18},"/p/Assets/Pay.cs":{"200":3}},"/b/Il2Cpp/Other.cpp":{"/p/Assets/Other.cs":{"5":1}}}`

// TestFind has the places that the crate symbolic-il2cpp 12.18.3 (LineMapping::lookup) finds in the same map.
func TestFind(t *testing.T) {
	t.Parallel()
	m, err := open(t, shop)
	if err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]string{
		"/b/Il2Cpp/Assembly-CSharp.cpp:0": "", "/b/Il2Cpp/Assembly-CSharp.cpp:89": "", "/b/Il2Cpp/Assembly-CSharp.cpp:90": "/p/Assets/Cart.cs:16",
		"/b/Il2Cpp/Assembly-CSharp.cpp:99": "/p/Assets/Cart.cs:16", "/b/Il2Cpp/Assembly-CSharp.cpp:100": "/p/Assets/Cart.cs:17",
		"/b/Il2Cpp/Assembly-CSharp.cpp:103": "/p/Assets/Cart.cs:17", "/b/Il2Cpp/Assembly-CSharp.cpp:154": "/p/Assets/Cart.cs:18",
		"/b/Il2Cpp/Assembly-CSharp.cpp:155": "", "/b/Il2Cpp/Assembly-CSharp.cpp:199": "", "/b/Il2Cpp/Assembly-CSharp.cpp:250": "/p/Assets/Pay.cs:3",
		"/b/Il2Cpp/Assembly-CSharp.cpp:251": "", "/b/Il2Cpp/Other.cpp:4": "", "/b/Il2Cpp/Other.cpp:7": "/p/Assets/Other.cs:1", "/b/Il2Cpp/None.cpp:5": "",
	} {
		file, line, _ := strings.Cut(at, ":")
		var n int
		if _, err := fmt.Sscan(line, &n); err != nil {
			t.Fatal(err)
		}
		got := ""
		if cs, n, ok := m.Find(file, n); ok {
			got = fmt.Sprintf("%s:%d", cs, n)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", at, got, want)
		}
	}
}

func TestRewrite(t *testing.T) {
	t.Parallel()
	m, err := open(t, shop)
	if err != nil {
		t.Fatal(err)
	}
	const hash = "_m0123456789ABCDEF0123456789ABCDEF01234567"
	text := "#00 pc 0000000000101010  libil2cpp.so Cart_Pay" + hash + "(Cart*, MethodInfo const*) (/b/Il2Cpp/Assembly-CSharp.cpp:101) [inlined]\n" +
		"#00 pc 0000000000101010  libil2cpp.so List_1_Add" + hash + "_gshared (/b/Il2Cpp/Assembly-CSharp.cpp:200)\r\n" +
		"#01 pc 0000000000102020  libil2cpp.so il2cpp::vm::Run" + hash + " (/b/vm/Run.cpp:5)\nno frame"
	want := "#00 pc 0000000000101010  libil2cpp.so Cart_Pay(Cart*, MethodInfo const*) (/p/Assets/Cart.cs:17) [inlined]\n" +
		"#00 pc 0000000000101010  libil2cpp.so List_1_Add (/p/Assets/Pay.cs:3)\r\n" +
		"#01 pc 0000000000102020  libil2cpp.so il2cpp::vm::Run" + hash + " (/b/vm/Run.cpp:5)\nno frame"
	if got, changed := m.Rewrite(text); got != want || !changed {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, changed := m.Rewrite("(/b/Il2Cpp/Other.cpp:1)"); changed {
		t.Errorf("changed to %s", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "[]", "{", "{}", `{"a":1}`, `{"a":{}}`, `{"a":{"b":{}}}`, `{"a":{"b":{"x":1}}}`, `{"a":{"b":{"1":-1}}}`, `{"a":{"b":{"1":1.5}}}`, `{"a":{"b":{"1":"1"}}}`, `{"a":{"b":{"99999999999":1}}}`, `{"a":{"b":{"1":1}}`, `{"__a":{}}`} {
		if _, err := open(t, text); fault.CodeOf(err) != symbols.CodeBadFile {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(shop, "f (/b/Il2Cpp/Other.cpp:7)")
	f.Fuzz(func(t *testing.T, text, trace string) {
		m, err := open(t, text)
		if err != nil {
			return
		}
		if got, changed := m.Rewrite(trace); changed == (got == trace) && changed {
			t.Errorf("changed is %v for %q", changed, trace)
		}
	})
}
