package minidump

import "fmt"

// Codes of Windows that are looked at.
const (
	accessViolation = 0xc0000005
	inPageError     = 0xc0000006
)

// Reason says why the process ended in the words of its system, such as "SIGSEGV / SEGV_MAPERR"; "" when it did not crash.
func (p *Dump) Reason() string {
	e := p.Exception
	if e == nil {
		return ""
	}
	switch p.OS {
	case Linux, Android:
		return linuxReason(e)
	case Windows:
		return windowsReason(e)
	case Mac, IOS:
		return macReason(e)
	}
	return fmt.Sprintf("unknown 0x%08x / 0x%08x", e.Code, e.Flags)
}

// dumpRequested is the code by which Breakpad and Crashpad mark dumps of processes that run on.
const dumpRequested = 0xffffffff

func linuxReason(e *Exception) string {
	if e.Code == dumpRequested {
		return "DUMP_REQUESTED"
	}
	signals := map[uint32]string{
		1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV",
		12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM", 16: "SIGSTKFLT", 17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP", 20: "SIGTSTP", 21: "SIGTTIN",
		22: "SIGTTOU", 23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 26: "SIGVTALRM", 27: "SIGPROF", 28: "SIGWINCH", 29: "SIGIO", 30: "SIGPWR", 31: "SIGSYS",
	}
	name := signals[e.Code]
	if name == "" {
		return fmt.Sprintf("signal %d", e.Code)
	}
	details := map[uint32][]string{
		4:  {"ILL_ILLOPC", "ILL_ILLOPN", "ILL_ILLADR", "ILL_ILLTRP", "ILL_PRVOPC", "ILL_PRVREG", "ILL_COPROC", "ILL_BADSTK"},
		7:  {"BUS_ADRALN", "BUS_ADRERR", "BUS_OBJERR", "BUS_MCEERR_AR", "BUS_MCEERR_AO"},
		8:  {"FPE_INTDIV", "FPE_INTOVF", "FPE_FLTDIV", "FPE_FLTOVF", "FPE_FLTUND", "FPE_FLTRES", "FPE_FLTINV", "FPE_FLTSUB"},
		11: {"SEGV_MAPERR", "SEGV_ACCERR", "SEGV_BNDERR", "SEGV_PKUERR"},
	}[e.Code]
	if n := int(e.Flags); n >= 1 && n <= len(details) {
		return name + " / " + details[n-1]
	}
	switch e.Flags {
	case 0: // another process sent it
		return name
	case 0x80:
		return name + " / SI_KERNEL"
	case 1<<32 - 1:
		return name + " / SI_QUEUE"
	case 1<<32 - 6:
		return name + " / SI_TKILL"
	}
	return fmt.Sprintf("%s / 0x%08x", name, e.Flags)
}

func windowsReason(e *Exception) string {
	names := map[uint32]string{
		0x80000001: "EXCEPTION_GUARD_PAGE", 0x80000002: "EXCEPTION_DATATYPE_MISALIGNMENT", 0x80000003: "EXCEPTION_BREAKPOINT", 0x80000004: "EXCEPTION_SINGLE_STEP",
		accessViolation: "EXCEPTION_ACCESS_VIOLATION", inPageError: "EXCEPTION_IN_PAGE_ERROR", 0xc0000008: "EXCEPTION_INVALID_HANDLE",
		0xc000001d: "EXCEPTION_ILLEGAL_INSTRUCTION", 0xc0000025: "EXCEPTION_NONCONTINUABLE_EXCEPTION", 0xc0000026: "EXCEPTION_INVALID_DISPOSITION",
		0xc000008c: "EXCEPTION_BOUNDS_EXCEEDED", 0xc000008d: "EXCEPTION_FLT_DENORMAL_OPERAND", 0xc000008e: "EXCEPTION_FLT_DIVIDE_BY_ZERO",
		0xc000008f: "EXCEPTION_FLT_INEXACT_RESULT", 0xc0000090: "EXCEPTION_FLT_INVALID_OPERATION", 0xc0000091: "EXCEPTION_FLT_OVERFLOW",
		0xc0000092: "EXCEPTION_FLT_STACK_CHECK", 0xc0000093: "EXCEPTION_FLT_UNDERFLOW", 0xc0000094: "EXCEPTION_INT_DIVIDE_BY_ZERO",
		0xc0000095: "EXCEPTION_INT_OVERFLOW", 0xc0000096: "EXCEPTION_PRIV_INSTRUCTION", 0xc00000fd: "EXCEPTION_STACK_OVERFLOW",
		0xc0000194: "EXCEPTION_POSSIBLE_DEADLOCK", 0xc0000374: "EXCEPTION_HEAP_CORRUPTION", 0xc0000409: "EXCEPTION_STACK_BUFFER_OVERRUN",
		0xc000000d: "STATUS_INVALID_PARAMETER", 0xe06d7363: "unhandled C++ Exception", 0x517a7ed: "Simulated Exception",
	}
	name := names[e.Code]
	if name == "" {
		return fmt.Sprintf("0x%08x", e.Code)
	}
	if (e.Code == accessViolation || e.Code == inPageError) && len(e.info) > 0 {
		if how := map[uint64]string{0: "_READ", 1: "_WRITE", 8: "_EXEC"}[e.info[0]]; how != "" {
			return name + how
		}
	}
	return name
}

func macReason(e *Exception) string {
	kinds := []string{"", "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_EMULATION", "EXC_SOFTWARE", "EXC_BREAKPOINT", "EXC_SYSCALL", "EXC_MACH_SYSCALL", "EXC_RPC_ALERT", "EXC_CRASH", "EXC_RESOURCE", "EXC_GUARD"}
	if e.Code == 0 || int(e.Code) >= len(kinds) {
		return fmt.Sprintf("unknown 0x%08x / 0x%08x", e.Code, e.Flags)
	}
	name := kinds[e.Code]
	if e.Code == 1 {
		if how := map[uint32]string{1: "KERN_INVALID_ADDRESS", 2: "KERN_PROTECTION_FAILURE", 8: "KERN_NO_ACCESS", 9: "KERN_MEMORY_FAILURE", 10: "KERN_MEMORY_ERROR", 50: "KERN_CODESIGN_ERROR"}[e.Flags]; how != "" {
			return name + " / " + how
		}
	}
	return fmt.Sprintf("%s / 0x%08x", name, e.Flags)
}
