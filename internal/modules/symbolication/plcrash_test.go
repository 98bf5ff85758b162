package symbolication_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"quipu/internal/modules/symbolication"
)

// protobuf writes a message of protocol buffers: numbers and texts by their fields.
func protobuf(pairs ...any) string {
	var b []byte
	for i := 0; i < len(pairs); i += 2 {
		num, _ := pairs[i].(int)
		switch v := pairs[i+1].(type) {
		case uint64:
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(num)<<3), v) // small
		case string:
			b = append(binary.AppendUvarint(binary.AppendUvarint(b, uint64(num)<<3|2), uint64(len(v))), v...) // small
		}
	}
	return string(b)
}

// TestBinaryReports has binary reports of PLCrashReporter in both places where they may stand, and finds their functions by the id of the image.
func TestBinaryReports(t *testing.T) {
	k := newKit(t, symbolication.Config{})
	data, id, pay := library(t)
	raw, err := hex.DecodeString(id[:32])
	if err != nil {
		t.Fatal(err)
	}
	const load = uint64(0x104000000)
	report := "plcrash\x01" + protobuf(
		1, protobuf(1, uint64(1), 2, "17.2", 3, uint64(6)), 2, protobuf(2, "77", 3, "2.4.0"),
		3, protobuf(1, uint64(0), 2, protobuf(3, load+pay+4), 2, protobuf(3, load+pay+5), 3, uint64(1)),
		4, protobuf(1, load, 2, uint64(0x100000), 3, "/var/libshop.so", 4, string(raw)), 6, protobuf(1, "SIGSEGV", 2, "SEGV_MAPERR", 3, uint64(16)), 7, protobuf(1, "shop"),
	)
	packed := base64.StdEncoding.EncodeToString([]byte(report))
	const name = "SIGSEGV SEGV_MAPERR at 0x10"
	group := k.report(name, fmt.Sprintf(`{"_error":%q,"_plcrash":true}`, packed))
	if other := k.report(name, fmt.Sprintf(`{"_binary_crash_dump":%q,"_plcrash":true}`, packed)); other != group {
		t.Error("a report in place of the dump has another group")
	}
	g := k.group(group)
	if text, _ := g["error"].(string); g["os"] != "iOS" || g["reports"] != 2.0 || !strings.Contains(text, "Thread 0 Crashed:\nlibshop.so") {
		t.Errorf("%v %v %s", g["os"], g["reports"], text)
	}
	if r, _ := g["data"].([]any)[0].(object); r["app_version"] != "2.4.0" || r["app_build"] != "77" || r["cpu"] != "arm64" || r["os_version"] != "17.2" {
		t.Errorf("report is %v", r)
	}
	k.add("ios", "any", sent{"symbols", "libshop.so", data})
	if text, _ := k.group(group)["error"].(string); strings.Count(text, "shop::Cart::pay(int) const (") != 2 {
		t.Errorf("with symbols: %s", text)
	}
	k.report("Report of PLCrashReporter that cannot be read", fmt.Sprintf(`{"_error":%q}`, base64.StdEncoding.EncodeToString([]byte(report[:40]))))
}
