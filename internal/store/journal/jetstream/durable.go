package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
)

const (
	// pingFor is how long after the last answer no further one is expected.
	pingFor = 500 * time.Millisecond
	// pings is how often servers are asked at most.
	pings = 10
)

// CheckServers reports every server of JetStream that does not do for a journal: NATS acknowledges messages before they are on
// disk unless sync_interval is always, so a power cut of all servers would lose what was acknowledged. system is a connection of the
// system account, which alone may ask. want is how many servers there must be at least; they are waited for some seconds.
func CheckServers(ctx context.Context, system *nats.Conn, want int) error {
	for n := 1; ; n++ {
		found, errs, err := survey(ctx, system)
		if err != nil {
			return fmt.Errorf("check servers of the journal: %w", err)
		}
		if found < want {
			errs = append(errs, fmt.Errorf("%d servers with JetStream answer, %d are needed", found, want))
		}
		if len(errs) == 0 || n == pings {
			return errors.Join(errs...)
		}
	}
}

// survey asks all servers once. It returns how many have JetStream, and what does not do.
func survey(ctx context.Context, system *nats.Conn) (found int, errs []error, err error) {
	inbox := nats.NewInbox()
	sub, err := system.SubscribeSync(inbox)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := system.PublishRequest("$SYS.REQ.SERVER.PING.JSZ", inbox, nil); err != nil {
		return 0, nil, err
	}
	for {
		wait, cancel := context.WithTimeout(ctx, pingFor)
		msg, err := sub.NextMsgWithContext(wait)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
			return found, errs, nil
		}
		if err != nil {
			return 0, nil, err
		}
		var answer struct {
			Server struct {
				Name string `json:"name"`
			} `json:"server"`
			Data struct {
				Disabled bool `json:"disabled"`
				Config   struct {
					SyncAlways bool `json:"sync_always"`
				} `json:"config"`
			} `json:"data"`
			Error *struct {
				Description string `json:"description"`
			} `json:"error"`
		}
		if err := json.Unmarshal(msg.Data, &answer); err != nil {
			return 0, nil, err
		}
		switch {
		case answer.Error != nil:
			errs = append(errs, fmt.Errorf("server %s: %s", answer.Server.Name, answer.Error.Description))
		case answer.Data.Disabled:
		case !answer.Data.Config.SyncAlways:
			errs = append(errs, fmt.Errorf("server %s acknowledges before it syncs: set sync_interval: always in its jetstream block", answer.Server.Name))
			found++
		default:
			found++
		}
	}
}
