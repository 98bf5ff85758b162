import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'));
const holding = (pattern: RegExp) => sources.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8'))).sort();

/** What is laid out as a table and is no list: a form of check boxes, one record before and after a change, and the fields of a parameter. */
const noLists = ['components/Changes.tsx', 'features/members/PermissionEditor.tsx', 'features/reference/OperationView.tsx'];

const table = 'components/table/DataTable.tsx';

// Whatever is shown by the one table sorts, pages, has its columns chosen and is exported: its types leave no way around that.
describe('every table', () => {
  it('is the one table', () => {
    expect(holding(/<(table|Table)[\s>]/)).toEqual([...noLists, table].sort());
    expect(holding(/from '@tanstack\/react-table'/)).toEqual([table]);
    expect(holding(/<(DataTable|ServerTable)[\s<]/).length).toBeGreaterThan(20);
  });

  it('is searched, but where a form beside it says what for', () => {
    expect(holding(/\bsearched[\s=]/)).toEqual([table, 'components/table/ServerTable.tsx']);
    expect(holding(/<ServerTable[^/]*\ssearch=/)).toEqual(['features/subjects/SubjectsPage.tsx']);
  });
});
