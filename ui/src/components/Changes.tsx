import { Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { writeJSON, type Change } from '../lib/diff';

/** What a change changed: each field as it was and as it is. */
export function Changes({ changes, label }: { changes: readonly Change[]; label: string }) {
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={300} scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'group', 'aria-label': label } }}>
      <Table fz="sm" verticalSpacing={6} layout="fixed">
        <caption className="visually-hidden">{label}</caption>
        <Table.Thead>
          <Table.Tr>
            {(['field', 'before', 'after'] as const).map((head) => (
              <Table.Th key={head} scope="col">
                {t(`changes.${head}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changes.map(({ path, before, after }) => (
            <Table.Tr key={path}>
              <Table.Th scope="row" fw={500} className="breakable">
                {path}
              </Table.Th>
              <Table.Td className="breakable changed" data-side={before === undefined ? undefined : 'before'}>
                {before === undefined ? '–' : <del>{writeJSON(before)}</del>}
              </Table.Td>
              <Table.Td className="breakable changed" data-side={after === undefined ? undefined : 'after'}>
                {after === undefined ? '–' : <ins>{writeJSON(after)}</ins>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
