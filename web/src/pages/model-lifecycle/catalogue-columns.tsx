import type { ReactNode } from 'react';
import type { ListedEntry } from '../../api/service.ts';
import { daysLabel } from '../../content/lifecycle-words.ts';
import { SourceLink } from '../../content/source-link.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatUtcDate } from '../../format/time-format.ts';
import { daysUntil } from './catalogue-rows.ts';
import { EntryMenu } from './entry-menu.tsx';

/** The columns of the catalogue. @param canManage shows the actions */
export function catalogueColumns(nowMs: number, canManage: boolean): ReadonlyArray<Column<ListedEntry>> {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 240,
      grow: true,
      value: ({ model }) => model,
      cell: ({ model, override }) => (
        <span className="flex items-center gap-2">
          <VisibleLine text={model} className="font-medium" />
          {override && (
            <Badge tone="accent" title="A date of this project. It overrides the shipped date.">
              own date
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'provider',
      title: 'Provider',
      width: 130,
      value: ({ provider }) => provider,
      cell: ({ provider }) =>
        provider === null ? <Absent why="For calls of every provider" text="every" /> : <VisibleLine text={provider} />,
    },
    {
      id: 'retires',
      title: 'Retires',
      width: 120,
      value: ({ retiresOn }) => retiresOn,
      cell: ({ retiresOn }) =>
        retiresOn === null ? (
          <Absent why="No retirement is announced" />
        ) : (
          <span className="numbers whitespace-nowrap">{formatUtcDate(retiresOn)}</span>
        ),
    },
    {
      id: 'remaining',
      title: 'Remaining',
      width: 160,
      value: ({ retiresOn }) => retiresOn,
      cell: (entry) => <Remaining entry={entry} nowMs={nowMs} />,
    },
    {
      id: 'replacement',
      title: 'Replacement',
      width: 170,
      droppable: true,
      value: ({ replacement }) => replacement,
      cell: ({ replacement }) => (replacement === null ? <Absent why="None named" /> : <VisibleLine text={replacement} />),
    },
    { id: 'source', title: 'Source', width: 110, droppable: true, cell: ({ source }) => <SourceLink source={source} /> },
    ...(canManage
      ? [
          {
            id: 'actions',
            title: '',
            width: 52,
            align: 'end' as const,
            cell: (entry: ListedEntry) => <EntryMenu entry={entry} />,
          },
        ]
      : []),
  ];
}

function Remaining({ entry: { retiresOn, certainty }, nowMs }: { entry: ListedEntry; nowMs: number }): ReactNode {
  if (retiresOn === null) return null;
  if (certainty === 'earliest') {
    return (
      <span className="text-ink-faint" title="The provider says “not sooner than” this date. It raises no finding.">
        not before this date
      </span>
    );
  }
  return <span className="numbers whitespace-nowrap text-ink-soft">{daysLabel(daysUntil(retiresOn, nowMs))}</span>;
}
