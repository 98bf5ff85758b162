package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"testing"

	"quipu/internal/api"
	"quipu/internal/store/docs"
)

type numbered struct {
	ID int `json:"_id"`
}

// cursorPage is a page of the list that cursors are tried on.
type cursorPage struct {
	Rows []numbered `json:"aaData"`
	Next *string    `json:"nextCursor"`
}

// changing is a list that changes while it is read.
type changing struct{ rows []numbered }

func (l *changing) add(g *api.Registrar) {
	type req struct{ api.List }
	api.Handle(g, "/o/changing", api.Public(), func(_ context.Context, _ api.Caller, r req) (api.Table[numbered], error) {
		q := r.Query(api.Listing{Usual: 20, Most: 20})
		page := api.PartOf(l.rows, docs.Query{Offset: q.Offset, Limit: q.Limit}, len(l.rows))
		return api.TableOf(r.List, page, api.Itself[numbered]), nil
	})
}

// TestCursorInChangingList reads lists in which rows come, go and move between two pages: all others come once, in their order.
func TestCursorInChangingList(t *testing.T) {
	t.Parallel()
	l := &changing{}
	srv := server(t, l.add)
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 1)) // not a secret
		l.rows = nil
		for id := range 80 + random.IntN(40) {
			l.rows = append(l.rows, numbered{id})
		}
		stays := map[int]bool{}
		for _, row := range l.rows {
			stays[row.ID] = true
		}
		fresh := 1000
		var read []int
		for cursor := "start"; ; {
			if len(read) >= 8 {
				for range random.IntN(12) { // new rows in front, behind and in between
					fresh++
					l.rows = slices.Insert(l.rows, random.IntN(len(l.rows)+1), numbered{fresh})
				}
				for range random.IntN(3) { // rows that go, or stand elsewhere from now on
					from := random.IntN(len(l.rows))
					row := l.rows[from]
					delete(stays, row.ID)
					if l.rows = slices.Delete(l.rows, from, from+1); random.IntN(2) == 0 {
						l.rows = slices.Insert(l.rows, random.IntN(len(l.rows)+1), row)
					}
				}
			}
			status, body, _ := get(t, srv, "/o/changing?iDisplayLength="+strconv.Itoa(1+random.IntN(12))+"&cursor="+url.QueryEscape(cursor))
			var page cursorPage
			if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK {
				t.Fatalf("seed %d: %d %s", seed, status, body)
			}
			for _, row := range page.Rows {
				read = append(read, row.ID)
			}
			if page.Next == nil {
				break
			}
			cursor = *page.Next
			if len(read) > 2000 {
				t.Fatalf("seed %d: the list does not end", seed)
			}
		}
		var got, want []int
		for _, id := range read {
			if stays[id] {
				got = append(got, id)
			}
		}
		for _, row := range l.rows {
			if stays[row.ID] {
				want = append(want, row.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: read %v, want %v", seed, got, want)
		}
	}
}

func TestCursorWhoseRowsAreGone(t *testing.T) {
	t.Parallel()
	l := &changing{}
	srv := server(t, l.add)
	for id := range 40 {
		l.rows = append(l.rows, numbered{id})
	}
	_, body, _ := get(t, srv, "/o/changing?cursor=start&iDisplayLength=10")
	var page cursorPage
	if err := json.Unmarshal([]byte(body), &page); err != nil || page.Next == nil {
		t.Fatal(body, err)
	}
	l.rows = l.rows[20:]
	status, body, header := get(t, srv, fmt.Sprintf("/o/changing?iDisplayLength=10&cursor=%s", url.QueryEscape(*page.Next)))
	if status != http.StatusBadRequest || header.Get(api.FaultHeader) != "request.cursor_gone" {
		t.Errorf("%d %s", status, body)
	}
}
