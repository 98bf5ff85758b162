import { describe, expect, it } from 'vitest';
import type { Settings } from './api';
import { complete, draftOf, keeps, listOf, sent, withTracker } from './values';

const none: Settings = {
  set_up: false, tracker: '', address: '', project: '', auth: '', user: '', type: '', labels: [], todo: [], doing: [], done: [],
  resolve_groups: true, reopen_groups: true, close_issues: true, reopen_issues: true, has_token: false, jira_address: '',
};
const github: Settings = { ...none, set_up: true, tracker: 'github', address: 'https://github.com', project: 'acme/shop', auth: 'token', has_token: true };

describe('the settings of a tracker', () => {
  it('begin with GitHub, and need a project and a token', () => {
    const d = draftOf(none);
    expect(d).toMatchObject({ tracker: 'github', address: 'https://github.com', auth: 'token', close_issues: true });
    expect(complete(d, none)).toBe(false);
    expect(complete({ ...d, project: 'acme/shop' }, none)).toBe(false);
    expect(complete({ ...d, project: 'acme/shop', token: 'x' }, none)).toBe(true);
  });
  it('keep the token for the same address and account alone', () => {
    const d = draftOf(github);
    expect(keeps({ ...d, address: 'https://github.com/' }, github)).toBe(true);
    expect(complete(d, github)).toBe(true);
    expect(complete({ ...d, address: 'https://git.example.org' }, github)).toBe(false);
    expect(complete({ ...withTracker(d, 'gitlab'), project: 'a/b' }, github)).toBe(false);
  });
  it('need an account of Jira, or the login of the server', () => {
    const d = { ...withTracker(draftOf(none), 'jira'), project: 'SHOP', address: 'https://a.example.org', token: 'x' };
    expect(complete(d, none)).toBe(false);
    expect(complete({ ...d, user: 'dev@example.org' }, none)).toBe(true);
    expect(complete({ ...d, auth: 'oauth' }, none)).toBe(false);
    expect(complete({ ...d, auth: 'oauth', token: '' }, { ...none, jira_address: 'https://a.example.org' })).toBe(true);
  });
  it('are sent without what another tracker has', () => {
    expect(listOf(' a, ,b c ,')).toEqual(['a', 'b c']);
    expect(sent({ ...draftOf(github), user: 'x', done: 'Done', labels: 'crash, app' })).toMatchObject({ user: '', type: '', done: [], labels: ['crash', 'app'] });
    expect(sent({ ...withTracker(draftOf(github), 'jira'), done: 'Done, Shipped', user: ' dev@example.org ' })).toMatchObject({ user: 'dev@example.org', type: 'Bug', done: ['Done', 'Shipped'] });
  });
});
