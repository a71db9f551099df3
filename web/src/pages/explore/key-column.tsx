import type { ReactNode } from 'react';
import type { Column } from '../../design/column.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Names } from './cells.tsx';

interface WithColumns {
  columns?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The column of a key of metadata or attributes. @param id `metadata.tenant` */
export function keyColumn<Row extends WithColumns>(id: string): Column<Row> {
  return {
    id,
    title: keyTitle(id),
    hint: visibleText(id),
    width: 130,
    cell: ({ columns }) => <Values values={columns?.[id]} what={keyTitle(id)} />,
  };
}

/** The key without the field that it is of. */
export function keyTitle(id: string): string {
  return visibleText(id.replace(/^(?:metadata|attribute)\./, ''));
}

/** Nothing until the answer with the values is there. */
function Values({ values, what }: { values: readonly string[] | undefined; what: string }): ReactNode {
  return values === undefined ? null : <Names names={values} what={what} />;
}
