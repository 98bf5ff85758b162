package duck

import (
	"context"
	"fmt"

	"quipu/internal/model"
	"quipu/internal/store/events"
)

// Bound sets the numbers of an app's event rows that are beyond the bounds to the bounds, and
// those that are none to 0. Only a repair calls it: rows do not change otherwise.
func (s *Store) Bound(ctx context.Context, app model.AppID, b events.Bounds) error {
	err := s.step(ctx, func(t *tx) error {
		p, ok := t.apps.of(app)
		if !ok {
			return nil
		}
		for _, table := range p.ofEvents() {
			if err := t.conn.exec(ctx, "UPDATE "+table+" SET c = greatest(-?, least(c, ?)) WHERE "+p.mine()+" AND c NOT BETWEEN -? AND ?", b.Count, b.Count, b.Count, b.Count); err != nil {
				return err
			}
			for column, most := range map[string]float64{"s": b.Sum, "dur": b.Dur} {
				statement := fmt.Sprintf("UPDATE %s SET %s = CASE WHEN isnan(%[2]s) THEN 0 ELSE greatest(-?, least(%[2]s, ?)) END WHERE %[3]s AND %[2]s NOT BETWEEN -? AND ?", table, column, p.mine())
				if err := t.conn.exec(ctx, statement, most, most, most, most); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("bound numbers of app %s in event store: %w", app, err)
	}
	return nil
}
