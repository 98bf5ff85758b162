package app

import (
	"context"
	"crypto/tls"
	"net"
)

// Dial makes a connection, as net.Dialer does.
type Dial = func(ctx context.Context, network, address string) (net.Conn, error)

// Engine is one of the servers that keep what a cluster has.
type Engine string

// The engines of a cluster to which connections can be led another way.
const (
	EnginePostgreSQL Engine = "postgres"
	EngineClickHouse Engine = "clickhouse"
	EngineJournal    Engine = "journal"
)

// dialOf is how an engine is reached; nil = in the ordinary way.
func dialOf(dial func(Engine) Dial, e Engine) Dial {
	if dial == nil {
		return nil
	}
	return dial(e)
}

// natsDialer dials for a client of NATS, which has no context.
type natsDialer struct{ dial Dial }

// Dial implements nats.CustomDialer.
func (d natsDialer) Dial(network, address string) (net.Conn, error) {
	return d.dial(context.Background(), network, address)
}

// secured is dial with TLS on top, if there is a configuration.
func secured(dial Dial, config *tls.Config) Dial {
	if config == nil {
		return dial
	}
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		own := config.Clone()
		if own.ServerName == "" {
			if own.ServerName, _, err = net.SplitHostPort(address); err != nil {
				return nil, err
			}
		}
		return tls.Client(conn, own), nil
	}
}
