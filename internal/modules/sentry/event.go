package sentry

import "encoding/json"

// event is what is read of an event, or of a transaction.
type event struct {
	EventID     text              `json:"event_id"`
	Timestamp   stamp             `json:"timestamp"`
	Start       stamp             `json:"start_timestamp"`
	Platform    text              `json:"platform"`
	Level       text              `json:"level"`
	Logger      text              `json:"logger"`
	ServerName  text              `json:"server_name"`
	Release     text              `json:"release"`
	Dist        text              `json:"dist"`
	Environment text              `json:"environment"`
	Transaction text              `json:"transaction"`
	Message     message           `json:"message"`
	LogEntry    message           `json:"logentry"`
	Exception   values[exception] `json:"exception"`
	Threads     values[thread]    `json:"threads"`
	Breadcrumbs values[crumb]     `json:"breadcrumbs"`
	User        user              `json:"user"`
	Tags        pairs             `json:"tags"`
	Contexts    contexts          `json:"contexts"`
	Request     struct {
		URL     text  `json:"url"`
		Headers pairs `json:"headers"`
	} `json:"request"`
	Debug struct {
		Images few[image] `json:"images"`
	} `json:"debug_meta"`
	SDK struct {
		Name    text `json:"name"`
		Version text `json:"version"`
	} `json:"sdk"`
}

// message is a text, or one that is put together.
type message struct{ text string }

// UnmarshalJSON implements json.Unmarshaler.
func (m *message) UnmarshalJSON(v []byte) error {
	var t text
	_ = t.UnmarshalJSON(v) // it never fails
	if t == "" {
		var parts struct {
			Formatted text `json:"formatted"`
			Message   text `json:"message"`
		}
		_ = read(v, &parts) // nothing is then in it
		if t = parts.Formatted; t == "" {
			t = parts.Message
		}
	}
	m.text = string(t)
	return nil
}

type exception struct {
	Type      text  `json:"type"`
	Value     text  `json:"value"`
	Module    text  `json:"module"`
	Stack     stack `json:"stacktrace"`
	ThreadID  text  `json:"thread_id"`
	Mechanism struct {
		Type    text `json:"type"`
		Handled flag `json:"handled"`
		Meta    struct {
			Signal struct {
				Name text `json:"name"`
			} `json:"signal"`
		} `json:"meta"`
	} `json:"mechanism"`
}

type thread struct {
	ID      text  `json:"id"`
	Name    text  `json:"name"`
	Crashed flag  `json:"crashed"`
	Current flag  `json:"current"`
	Stack   stack `json:"stacktrace"`
}

// stack is a stack, the oldest call first.
type stack struct {
	Frames few[frame] `json:"frames"`
}

type frame struct {
	Function    text   `json:"function"`
	Module      text   `json:"module"`
	Package     text   `json:"package"`
	Filename    text   `json:"filename"`
	AbsPath     text   `json:"abs_path"`
	Line        number `json:"lineno"`
	Column      number `json:"colno"`
	Platform    text   `json:"platform"`
	Instruction text   `json:"instruction_addr"`
	Symbol      text   `json:"symbol_addr"`
	Image       text   `json:"image_addr"`
}

type crumb struct {
	Timestamp stamp           `json:"timestamp"`
	Type      text            `json:"type"`
	Category  text            `json:"category"`
	Level     text            `json:"level"`
	Message   text            `json:"message"`
	Data      json.RawMessage `json:"data"`
}

type user struct {
	ID       text `json:"id"`
	Email    text `json:"email"`
	Username text `json:"username"`
	Name     text `json:"name"`
	IP       text `json:"ip_address"`
}

type image struct {
	Type      text   `json:"type"`
	CodeFile  text   `json:"code_file"`
	DebugFile text   `json:"debug_file"`
	Name      text   `json:"name"`
	CodeID    text   `json:"code_id"`
	DebugID   text   `json:"debug_id"`
	UUID      text   `json:"uuid"`
	Addr      text   `json:"image_addr"`
	Size      number `json:"image_size"`
}

type contexts struct {
	OS struct {
		Name    text `json:"name"`
		Version text `json:"version"`
		Rooted  flag `json:"rooted"`
	} `json:"os"`
	Device struct {
		Model        text    `json:"model"`
		Brand        text    `json:"brand"`
		Manufacturer text    `json:"manufacturer"`
		Arch         text    `json:"arch"`
		Orientation  text    `json:"orientation"`
		Memory       number  `json:"memory_size"`
		Free         number  `json:"free_memory"`
		Storage      number  `json:"storage_size"`
		FreeStorage  number  `json:"free_storage"`
		Battery      *number `json:"battery_level"`
		Online       flag    `json:"online"`
	} `json:"device"`
	App struct {
		Version    text  `json:"app_version"`
		Build      text  `json:"app_build"`
		Start      stamp `json:"app_start_time"`
		Foreground flag  `json:"in_foreground"`
	} `json:"app"`
	Browser struct {
		Name    text `json:"name"`
		Version text `json:"version"`
	} `json:"browser"`
	Runtime struct {
		Name    text `json:"name"`
		Version text `json:"version"`
	} `json:"runtime"`
	Trace struct {
		Op text `json:"op"`
	} `json:"trace"`
}

// session is the state of a session, or of a program, as an SDK reports it. Duration is in seconds, of all of it.
type session struct {
	ID        text   `json:"sid"`
	User      text   `json:"did"`
	Init      flag   `json:"init"`
	Started   stamp  `json:"started"`
	Timestamp stamp  `json:"timestamp"`
	Duration  number `json:"duration"`
	Status    text   `json:"status"`
	Attrs     struct {
		Release     text `json:"release"`
		Environment text `json:"environment"`
		IP          text `json:"ip_address"`
		Agent       text `json:"user_agent"`
	} `json:"attrs"`
}
