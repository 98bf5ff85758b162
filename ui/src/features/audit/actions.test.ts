import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import words from './en.json';

/** Writes that record another action than their path, or none. */
const others = ['app_users_deleteExport', 'app_users_export', 'cohorts_add', 'cohorts_add_users', 'cohorts_cleanup', 'cohorts_delete', 'cohorts_detail_metrics', 'cohorts_edit', 'cohorts_fixuid', 'cohorts_group', 'cohorts_recalculate', 'cohorts_remove_users', 'cohorts_resetRealTimeData', 'configs', 'data_subjects_erase', 'defined_events_create', 'defined_events_delete', 'defined_events_update', 'data_subjects_export', 'drill_add_bookmark', 'drill_delete_bookmark', 'drill_edit_bookmark', 'errorlogs', 'calculated_metrics_delete', 'calculated_metrics_save', 'explore_views_delete', 'explore_views_save', 'flows_calculate', 'flows_create', 'flows_delete', 'flows_edit', 'flows_updateDisabled', 'funnels_add', 'funnels_delete', 'funnels_edit', 'funnels_group', 'plugins', 'properties_edit', 'populator_templates_create', 'populator_templates_edit', 'populator_templates_remove', 'systemlogs', 'tasks_delete', 'tasks_edit', 'tasks_name', 'tasks_update', 'userconfigs', 'adjust', 'bulk', 'campaign_costs', 'campaign_create', 'campaign_delete', 'campaign_hide', 'campaign_show', 'campaign_update', 'feedback_input', 'feedback_inputs', 'sdk'];

it('has words for what every write of the server records', () => {
  const described = readFileSync(join(import.meta.dirname, '../../../../docs/reference/describe.md'), 'utf8');
  const writes = [...described.matchAll(/^- \/i\/([a-zA-Z_/-]+?)\/? —/gm)].map(([, path = '']) => path.replaceAll('/', '_'));
  expect(writes.length).toBeGreaterThan(40);
  const missing = writes.filter((name) => !(name in words.audit.actions) && !others.includes(name));
  expect(missing).toEqual([]);
});
