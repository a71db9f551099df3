import { Link } from '@tanstack/react-router';
import { ListTree } from 'lucide-react';
import type { DatasetItem } from '../../api/service.ts';
import { ValuePreview } from '../../content/value-preview.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { ItemLink } from './item-link.tsx';

/** An item with its 1-based position in the dataset. */
export interface NumberedItem {
  item: DatasetItem;
  number: number;
}

/** The columns of the items tab. @param openId the selected item */
export function itemColumns(at: ProjectPath, openId: string | undefined): ReadonlyArray<Column<NumberedItem>> {
  return [
    {
      id: 'number',
      title: '#',
      width: 50,
      cell: ({ item, number }) => <ItemLink id={item.id} number={number} openId={openId} />,
    },
    { id: 'input', title: 'Input', width: 200, grow: true, cell: ({ item }) => <ValuePreview value={item.input} /> },
    {
      id: 'expected',
      title: 'Expected output',
      width: 190,
      grow: true,
      cell: ({ item }) =>
        item.expectedOutput === undefined ? (
          <Absent why="No expected output" />
        ) : (
          <ValuePreview value={item.expectedOutput} className="text-ink-soft" />
        ),
    },
    {
      id: 'metadata',
      title: 'Metadata',
      width: 140,
      cell: ({ item }) =>
        isEmpty(item.metadata) ? (
          <Absent why="No metadata" />
        ) : (
          <ValuePreview value={item.metadata} className="font-mono text-xs text-ink-soft" />
        ),
    },
    {
      id: 'source',
      title: 'Source',
      hint: 'The trace that the item was created from',
      width: 84,
      cell: ({ item }) =>
        item.source ? (
          <Link
            {...pages.trace(at, item.source.traceId)}
            search={{ span: item.source.spanId }}
            className="inline-flex items-center gap-1 align-middle text-accent hover:underline"
          >
            <ListTree className="size-3.5" aria-hidden />
            Trace
          </Link>
        ) : (
          <Absent why="Not created from a trace" />
        ),
    },
    { id: 'created', title: 'Added', width: momentWidth(130), align: 'end', cell: ({ item }) => <Moment iso={item.createdAt} /> },
  ];
}

/** Whether metadata is empty. */
export function isEmpty(metadata: unknown): boolean {
  return typeof metadata !== 'object' || metadata === null || Object.keys(metadata).length === 0;
}
