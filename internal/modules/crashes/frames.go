package crashes

import (
	"regexp"
	"slices"
	"strings"
)

// frame is a line of a stack trace that names a place in code. Neither part holds numbers of lines, addresses or offsets.
type frame struct {
	line     int    // of the trace
	function string // "" = the line does not say
	file     string // file, module or image; "" = the line does not say
	own      bool   // of the app's own code, as far as its name tells
}

// forms are how frames are written. Each names its groups fn and file. The first that matches counts.
var forms = []*regexp.Regexp{
	regexp.MustCompile(`^at (?:\([^)]*\) )?(?P<fn>[\w.+<>\x60\[\],|/$-]+) ?\([^()]*\)(?: ?\[0x[0-9a-f]+\])? in (?P<file>.+?)(?::(?:line )?\d+ *)?$`), // Mono, .NET
	regexp.MustCompile(`^at (?:[^\s(]*/)?(?P<fn>[\w$.<>\-]+)\((?P<file>[^():]*)(?::\d+)?\)`),                                                         // JVM
	regexp.MustCompile(`^(?P<fn>[\w.+<>\x60\[\],|/$]+[:.][\w.<>|$]+) ?\([^()]*\) \(at (?P<file>.+?)(?::\d+)?\)$`),                                    // Unity
	regexp.MustCompile(`^(?P<fn>[\w.+<>\x60\[\],|/$]+:[\w.<>|$]+) ?\([^()]*\)$`),                                                                     // Unity, without a file
	regexp.MustCompile(`^at (?:async )?(?P<fn>[^()]+?) \((?:address at )?(?P<file>.*?)(?::\d+){0,2}\)$`),                                             // V8, Hermes
	regexp.MustCompile(`^at (?:async )?(?P<file>\S+?)(?::\d+){1,2}$`),                                                                                // V8, without a function
	regexp.MustCompile(`^(?P<fn>[\w$.<>/*]*)@(?P<file>\S+?)(?::\d+){1,2}$`),                                                                          // Firefox, Safari
	regexp.MustCompile(`^File "(?P<file>[^"]+)", line \d+(?:, in (?P<fn>.+))?`),                                                                      // Python
	regexp.MustCompile(`^#\d+\s+abs\s+[0-9a-f]+\s+virt\s+(?P<fn>[0-9a-f]+)\s+(?P<file>_kDart\w+)`),                                                   // Dart, without symbols
	regexp.MustCompile(`^(?:native: )?#\d+\s+pc\s+[0-9a-fA-F]+\s+(?P<file>\S+)(?:\s+\((?P<fn>[^()]*?(?:\(.*?\))?)(?:\+\d+)?\))?`),                    // Android, native
	regexp.MustCompile(`^#\d+\s+(?P<fn>.+?)\s+\((?P<file>\S*?)(?::\d+){0,2}\)$`),                                                                     // Dart
	regexp.MustCompile(`^(?:\d+\s+)?(?P<file>\S+)\s+0x[0-9a-fA-F]+\s+(?P<fn>.*?)(?:\s\+\s\d+)?$`),                                                    // Apple
	regexp.MustCompile(`^#\d+\s+(?:0x[0-9a-fA-F]+ in )?(?P<fn>\S.*?)(?: at (?P<file>\S+?)(?::\d+)?)?$`),                                              // GDB
}

// foreign is code that comes with platforms, languages and widespread libraries.
var foreign = regexp.MustCompile(`(?:^|[^\w.])(?:java|javax|sun|jdk|kotlin|kotlinx|scala|groovy|android|androidx|dalvik|com\.android|com\.google\.android|libcore|okhttp3|retrofit2|io\.reactivex|org\.apache|org\.springframework|org\.eclipse|io\.netty|UnityEngine|UnityEditor|System)\.|node:internal|node_modules[/\\]|\binternal/(?:modules|process|timers)\b|react-dom|\bzone\.js\b|webpack/(?:bootstrap|runtime)|(?:^|\s)(?:UIKit|UIKitCore|Foundation|CoreFoundation|CoreGraphics|QuartzCore|GraphicsServices|MapKit|libdispatch\S*|libsystem\S*|libobjc\S*|libc\+\+\S*|libswift\S*|dyld|libc\.so|libart\.so|linker64?|libandroid_runtime\.so)(?:\b|\s|$)|/libc\.so|/libart\.so|package:flutter/|(?:^|[\s(])dart:|site-packages`)

// maxFrameLine is how long a line may be that is looked at as a frame, and maxFrames how many frames count; both keep hostile traces cheap.
const (
	maxFrameLine = 1024
	maxFrames    = 500
)

// frameOf reads a line of a trace; false when it is no frame.
func frameOf(line string) (f frame, ok bool) {
	line = strings.TrimSpace(line)
	if line == "" || len(line) > maxFrameLine {
		return f, false
	}
	for _, form := range forms {
		m := form.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for i, name := range form.SubexpNames() {
			switch name {
			case "fn":
				f.function, _ = withoutAddresses(strings.TrimSpace(m[i]))
			case "file":
				f.file, _ = withoutAddresses(m[i])
			}
		}
		f.own = !foreign.MatchString(f.function + " " + f.file)
		return f, true
	}
	return f, false
}

// trace is an error taken apart.
type trace struct {
	lines    []string
	frames   []frame
	kind     string // type of the error, as java.lang.IllegalStateException; "" = the trace names none
	message  string
	os       string
	nonfatal bool
	whole    string // normalised, when it was asked for
}

// kindOf is the type of an error in front of its message.
var kindOf = regexp.MustCompile(`^(?:Exception in thread ".*?" |Caused by: |Uncaught |Unhandled [Ee]xception: ?)?(?P<kind>[\w$]+(?:[.:]{1,2}[\w$]+)*)(?:: (?P<message>.*))?$`)

// traceOf takes an error apart.
func traceOf(text, os string, nonfatal bool) *trace {
	if len(text) > maxGrouped {
		text = text[:maxGrouped]
	}
	t := &trace{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), os: os, nonfatal: nonfatal}
	head := ""
	for i, line := range t.lines {
		f, ok := frameOf(line)
		if ok && len(t.frames) < maxFrames {
			f.line = i
			t.frames = append(t.frames, f)
			continue
		}
		trimmed := strings.TrimSpace(line)
		if head == "" && trimmed != "" && !strings.HasPrefix(trimmed, "Traceback (") || len(t.frames) > 0 && pythonHead(t.lines, i) {
			head = trimmed
		}
	}
	if len(head) > maxFrameLine {
		head = strings.ToValidUTF8(head[:maxFrameLine], "")
	}
	t.message, _ = withoutAddresses(head)
	if m := kindOf.FindStringSubmatch(head); m != nil {
		t.kind = m[kindOf.SubexpIndex("kind")]
		t.message, _ = withoutAddresses(m[kindOf.SubexpIndex("message")])
	}
	return t
}

// pythonHead reports whether a line is the error of a trace of Python, which stands last.
func pythonHead(lines []string, at int) bool {
	if !strings.HasPrefix(lines[0], "Traceback (") || strings.TrimSpace(lines[at]) == "" || strings.HasPrefix(lines[at], " ") {
		return false
	}
	return !slices.ContainsFunc(lines[at+1:], func(line string) bool { return strings.TrimSpace(line) != "" })
}
