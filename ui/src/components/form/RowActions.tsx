import { Button, Group } from '@mantine/core';
import type { Column } from '../table/columns';

export interface RowAction {
  label: string;
  /** What it does to which row, for those who hear it out of its place. */
  name: string;
  onClick: () => void;
  danger?: boolean;
  pending?: boolean;
}

/** The column of what can be done with a row. */
export function actionColumn<Row>(actions: (row: Row) => readonly RowAction[]): Column<Row> {
  return {
    key: 'actions',
    title: '',
    fixed: true,
    value: () => '',
    text: () => '',
    cell: (row) => (
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {actions(row).map(({ label, name, onClick, danger = false, pending = false }) => (
          <Button key={label} size="compact-sm" variant="subtle" aria-label={name} loading={pending} onClick={onClick} {...(danger ? { c: 'red' } : {})}>
            {label}
          </Button>
        ))}
      </Group>
    ),
  };
}
