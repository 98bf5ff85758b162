package decode_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"quipu/internal/ingest/request"
)

func TestClientAddress(t *testing.T) {
	tests := []struct {
		name, peer string
		header     []string
		want       string
	}{
		{"peer", "203.0.113.9:4000", nil, "203.0.113.9"},
		{"header of a stranger", "203.0.113.9:4000", []string{"198.51.100.1"}, "203.0.113.9"},
		{"one proxy", "10.0.0.1:80", []string{"198.51.100.1"}, "198.51.100.1"},
		{"forged left part", "10.0.0.1:80", []string{"1.2.3.4, 198.51.100.1, 10.2.3.4"}, "198.51.100.1"},
		{"several lines", "10.0.0.1:80", []string{"1.2.3.4", "198.51.100.1"}, "198.51.100.1"},
		{"ipv6 proxy", "[::1]:80", []string{"2001:db8::5"}, "2001:db8::5"},
		{"with ports", "10.0.0.1:80", []string{"[2001:db8::5]:99"}, "2001:db8::5"},
		{"mapped", "[::ffff:10.0.0.1]:80", []string{"::ffff:198.51.100.1"}, "198.51.100.1"},
		{"garbage", "10.0.0.1:80", []string{"198.51.100.1, nonsense"}, "10.0.0.1"},
		{"all proxies", "10.0.0.1:80", []string{"10.0.0.2, 10.0.0.3"}, "10.0.0.2"},
		{"empty", "10.0.0.1:80", []string{" , "}, "10.0.0.1"},
		{"unknown peer", "@", nil, "invalid IP"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &sink{}
			d, _ := newDecoder(t, s)
			r := httptest.NewRequest("GET", "http://h/i?app_key=K&device_id=D", nil)
			r.RemoteAddr = tt.peer
			for _, h := range tt.header {
				r.Header.Add("X-Forwarded-For", h)
			}
			r.Header.Set("User-Agent", strings.Repeat("u", 2000))
			d.ServeHTTP(httptest.NewRecorder(), r)
			if len(s.records) != 1 || s.records[0].IP.String() != tt.want {
				t.Errorf("records %v, want address %s", s.records, tt.want)
			}
			if got := s.records[0]; len(got.UserAgent) != 1024 || got.Received != testNow.UnixMilli() || got.Kind != request.Client {
				t.Errorf("record = %+v", got)
			}
		})
	}
}
