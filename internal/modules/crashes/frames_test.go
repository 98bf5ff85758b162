package crashes_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/modules/crashes"
)

// TestFrames reads the stacks that SDKs of each platform send.
func TestFrames(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"Android": {
			"java.lang.IllegalStateException: no\n\tat com.shop.Cart.pay(Cart.java:12)\n\tat android.os.Handler.dispatchMessage(Handler.java:106)\nCaused by: java.io.IOException\n\tat com.shop.Net$1.run(Unknown Source:4)",
			[]string{"*com.shop.Cart.pay|Cart.java", "android.os.Handler.dispatchMessage|Handler.java", "*com.shop.Net$1.run|Unknown Source"},
		},
		"Android, ANR": {
			"ANR\n----- pid 812 at 2031-01-02 -----\n\"main\" prio=5 tid=1 Blocked\n  | group=\"main\" sCount=1\n  at com.shop.Cart.lock(Cart.java:7)\n  - waiting to lock <0x0d1f> (a x)\n  native: #00 pc 000000000007f1a8  /apex/com.android.runtime/lib64/bionic/libc.so (syscall+24)",
			[]string{"*com.shop.Cart.lock|Cart.java", "syscall|/apex/com.android.runtime/lib64/bionic/libc.so"},
		},
		"Android, native": {
			"signal 11\n#00 pc 00000000000a1010  /data/app/x/libshop.so (shop::pay(int)+20) (BuildId: 00ff)\n#01 pc 0000000000001234  /data/app/x/libshop.so",
			[]string{"*shop::pay(int)|/data/app/x/libshop.so", "*|/data/app/x/libshop.so"},
		},
		"iOS": {
			"0   Shop   0x0000000104001010 Shop + 4112\n1   UIKitCore   0x0000000104001010 -[UIApplication sendAction:] + 96\n2   Shop   0x0000000104001010 $s4shop4CartV3payyyF + 12",
			[]string{"*Shop|Shop", "-[UIApplication sendAction:]|UIKitCore", "*$s4shop4CartV3payyyF|Shop"},
		},
		"Flutter": {
			"Exception: no\n#0      Cart.pay (package:shop/cart.dart:12:5)\n#1      _InkState.handleTap (package:flutter/src/material/ink.dart:1005:21)\n<asynchronous suspension>",
			[]string{"*Cart.pay|package:shop/cart.dart", "_InkState.handleTap|package:flutter/src/material/ink.dart"},
		},
		"Dart, obfuscated": {
			"xy: no\npid: 1, tid: 2, name 1.ui\n    #00 abs 0000007d5a1c6f9b virt 00000000001e26d7 _kDartIsolateSnapshotInstructions+0x1e26d7",
			[]string{"*00000000001e26d7|_kDartIsolateSnapshotInstructions"},
		},
		"Unity": {
			"NullReferenceException: no\nShop.Cart:Pay (int) (at Assets/Cart.cs:12)\nShop.Cart+<Run>d__4:MoveNext () (at Assets/Cart.cs:30)\nUnityEngine.Events.InvokableCall:Invoke ()\nUnityEngine.EventSystems.ExecuteEvents.Execute (x a, y b) (at <0123abcd>:0)",
			[]string{"*Shop.Cart:Pay|Assets/Cart.cs", "*Shop.Cart+<Run>d__4:MoveNext|Assets/Cart.cs", "UnityEngine.Events.InvokableCall:Invoke|", "UnityEngine.EventSystems.ExecuteEvents.Execute|<0123abcd>"},
		},
		"Mono, .NET": {
			"System.InvalidOperationException: no\n  at Shop.Cart.Pay (System.Int32 n) [0x00012] in <0123abcd>:0 \n  at Shop.Cart.Pay(Int32 n) in C:\\src\\Cart.cs:line 12\n  at Shop.Cart`1[T].Add(T x) in /src/Cart.cs:line 4",
			[]string{"*Shop.Cart.Pay|<0123abcd>", "*Shop.Cart.Pay|C:\\src\\Cart.cs", "*Shop.Cart`1[T].Add|/src/Cart.cs"},
		},
		"React Native, Hermes": {
			"TypeError: undefined is not a function\n    at pay (address at index.android.bundle:1:52345)\n    at apply (native)\n    at anonymous (address at /data/user/0/com.shop/files/index.bundle:1:7)",
			[]string{"*pay|index.android.bundle", "*apply|native", "*anonymous|/data/user/0/com.shop/files/index.bundle"},
		},
		"web": {
			"TypeError: x\n    at pay (https://shop.example/app.js:1:2)\n    at async https://shop.example/app.js:3:4\nrender@https://shop.example/app.js:3:4\n@https://shop.example/app.js:9:9",
			[]string{"*pay|https://shop.example/app.js", "*|https://shop.example/app.js", "*render|https://shop.example/app.js", "*|https://shop.example/app.js"},
		},
		"Node.js": {
			"Error: no\n    at Cart.pay (/srv/shop/cart.js:1:2)\n    at new Cart (file:///srv/shop/cart.mjs:1:2)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)",
			[]string{"*Cart.pay|/srv/shop/cart.js", "*new Cart|file:///srv/shop/cart.mjs", "process.processTicksAndRejections|node:internal/process/task_queues"},
		},
		"prose": {"it failed (badly) in the end\nsee: https://shop.example/help", nil},
	} {
		if d := cmp.Diff(tt.want, crashes.Frames(tt.text)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// TestMomentary has crashes that differ in the process alone: they are of one group.
func TestMomentary(t *testing.T) {
	t.Parallel()
	dart := func(pid, base, abs, virt string) string {
		return "xy: no money\n*** *** ***\npid: " + pid + ", tid: 9" + pid + ", name 1.ui\nos: android arch: arm64 comp: yes sim: no\nbuild_id: '00ff'\nisolate_dso_base: " + base + ", vm_dso_base: " + base +
			"\nisolate_instructions: " + base + ", vm_instructions: " + base + "\n    #00 abs 0000007d" + abs + " virt " + virt + " _kDartIsolateSnapshotInstructions+0x1e26d7"
	}
	anr := func(pid string) string {
		return "ANR\n----- pid " + pid + " at 2031-01-02 03:04:0" + pid[:1] + " -----\n\"main\" prio=5 tid=1 Blocked\n  | group=\"main\" sCount=1 obj=0x7" + pid + "\n  | sysTid=" + pid + " nice=-10\n  | state=S schedstat=( " + pid + " 2 3 )\n  | stack=0x7f" + pid +
			"-0x7f stackSize=8192KB\n  at com.shop.Cart.lock(Cart.java:7)"
	}
	signature := func(text string) string { return crashes.Signature(text, "Android", false) }
	if a, b := signature(dart("4321", "7d5a0c0000", "5a1c6f9b", "00000000001e26d7")), signature(dart("77", "7100000000", "001c6f9b", "00000000001e26d7")); a != b {
		t.Error("two runs of an obfuscated program of Dart are two groups")
	}
	if a, b := signature(dart("4321", "7d5a0c0000", "5a1c6f9b", "00000000001e26d7")), signature(dart("4321", "7d5a0c0000", "5a1c6f9b", "00000000001e26ff")); a == b {
		t.Error("two places of an obfuscated program of Dart are one group")
	}
	if signature(anr("812")) != signature(anr("4711")) {
		t.Error("two processes that do not respond at the same place are two groups")
	}
	if a := signature("x\nthe state=1 | stack=2"); a == signature(strings.Replace("x\nthe state=1 | stack=2", "2", "3", 1)) {
		t.Error("what stands within a line is left out")
	}
}
