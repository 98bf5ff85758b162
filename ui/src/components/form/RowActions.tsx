import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Column } from '../table/columns';

export interface RowAction {
  label: string;
  /** What it does to which row, for those who hear it out of its place. */
  name: string;
  onClick?: () => void;
  /** The page that it leads to, in place of doing something. */
  to?: string;
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
        {actions(row).map(({ label, name, onClick, to, danger = false, pending = false }) => {
          const props = { size: 'compact-sm', variant: 'subtle', 'aria-label': name, loading: pending, ...(danger ? { c: 'red' } : {}) };
          return to === undefined ? (
            <Button key={label} {...props} onClick={onClick}>
              {label}
            </Button>
          ) : (
            <Button key={label} {...props} component={Link} to={to}>
              {label}
            </Button>
          );
        })}
      </Group>
    ),
  };
}
