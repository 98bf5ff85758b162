package sentry

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// error returns the title and the stack of an event, in the forms in which crashes of each platform are symbolicated.
func (e *event) error() (title, trace string) {
	list := e.Exception.list
	if len(list) == 0 {
		return e.messageTrace()
	}
	var b strings.Builder
	for i := len(list) - 1; i >= 0; i-- { // the last was thrown, those before it are its causes
		x := &list[i]
		head := x.title()
		if i == len(list)-1 {
			title = head
		} else {
			b.WriteString("Caused by: ")
		}
		b.WriteString(head)
		b.WriteByte('\n')
		frames := x.Stack.Frames
		if len(frames) == 0 {
			frames = e.threadOf(x.ThreadID)
		}
		e.frames(&b, frames)
	}
	return title, strings.TrimRight(b.String(), "\n")
}

func (x *exception) title() string {
	name := string(x.Type)
	if x.Module != "" && name != "" && !strings.Contains(name, ".") && !strings.ContainsAny(string(x.Module), "/ ") {
		name = string(x.Module) + "." + name
	}
	switch {
	case name == "" && x.Value == "":
		return first(x.Mechanism.Meta.Signal.Name, "Error")
	case name == "":
		return string(x.Value)
	case x.Value == "":
		return name
	}
	return name + ": " + string(x.Value)
}

// messageTrace is the message of an event without an exception, and the stack of its thread if it has one.
func (e *event) messageTrace() (title, trace string) {
	title = e.LogEntry.text
	if title == "" {
		title = e.Message.text
	}
	if title == "" {
		title = first(e.Transaction, e.Logger, "Unknown")
	}
	var b strings.Builder
	b.WriteString(title)
	b.WriteByte('\n')
	e.frames(&b, e.threadOf(""))
	return title, strings.TrimRight(b.String(), "\n")
}

// threadOf returns the stack of a thread: that of the id, else the one that crashed, else the current one.
func (e *event) threadOf(id text) []frame {
	for _, want := range []func(*thread) bool{
		func(t *thread) bool { return id != "" && t.ID == id },
		func(t *thread) bool { return t.Crashed.is != nil && *t.Crashed.is },
		func(t *thread) bool { return t.Current.is != nil && *t.Current.is },
	} {
		for i := range e.Threads.list {
			if t := &e.Threads.list[i]; want(t) && len(t.Stack.Frames) > 0 {
				return t.Stack.Frames
			}
		}
	}
	return nil
}

// frames writes frames, the latest call first.
func (e *event) frames(b *strings.Builder, list []frame) {
	for i := len(list) - 1; i >= 0; i-- {
		f := &list[i]
		platform := f.Platform
		if platform == "" {
			platform = e.Platform
		}
		b.WriteString(e.frame(f, string(platform), len(list)-1-i))
		b.WriteByte('\n')
	}
}

func (e *event) frame(f *frame, platform string, n int) string {
	if addr, ok := addressOf(f.Instruction); ok {
		return e.native(f, addr, n)
	}
	function := first(f.Function, "?")
	where := first(f.AbsPath, f.Filename, f.Module)
	line := ""
	if f.Line > 0 {
		line = ":" + strconv.Itoa(int(f.Line))
	}
	switch platform {
	case "java", "android":
		if f.Module != "" {
			function = string(f.Module) + "." + function
		}
		return "\tat " + function + "(" + first(f.Filename, "Unknown Source") + line + ")"
	case "python":
		return fmt.Sprintf("  File %q, line %d, in %s", where, int(f.Line), function)
	}
	if f.Column > 0 && line != "" {
		line += ":" + strconv.Itoa(int(f.Column))
	}
	if platform != "javascript" && platform != "node" && f.Module != "" {
		function = string(f.Module) + "." + function
	}
	if where == "" {
		return "    at " + function
	}
	return "    at " + function + " (" + where + line + ")"
}

// native is a frame of native code, as Apple writes it.
func (e *event) native(f *frame, addr uint64, n int) string {
	name, load := path.Base(first(f.Package, "?")), uint64(0)
	for i := range e.Debug.Images {
		img := &e.Debug.Images[i]
		if start, ok := addressOf(img.Addr); ok && addr >= start && (img.Size > 0 && addr < start+uint64(img.Size) || f.Image == img.Addr) {
			name, load = img.name(), start
			break
		}
	}
	if start, ok := addressOf(f.Image); ok && load == 0 {
		load = start
	}
	name = strings.ReplaceAll(name, " ", "_")
	line := fmt.Sprintf("%-4d%-30s 0x%016x ", n, name, addr)
	symbol, _ := addressOf(f.Symbol)
	switch {
	case f.Function != "" && symbol > 0 && symbol <= addr:
		return line + string(f.Function) + " + " + strconv.FormatUint(addr-symbol, 10)
	case f.Function != "":
		return line + string(f.Function)
	case load > 0 && load <= addr:
		return line + "0x" + strconv.FormatUint(load, 16) + " + " + strconv.FormatUint(addr-load, 10)
	}
	return line + "0x0 + 0"
}
