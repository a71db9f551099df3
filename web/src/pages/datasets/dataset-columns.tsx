import { Link } from '@tanstack/react-router';
import type { Dataset } from '../../api/wire.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { DatasetMenu } from './dataset-menu.tsx';

/** The columns of the list of datasets. @param writes the viewer may change them */
export function datasetColumns(at: ProjectPath, writes: boolean): ReadonlyArray<Column<Dataset>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 260,
      grow: true,
      cell: ({ id, name }) => (
        <Link {...pages.dataset(at, id)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={name} />
        </Link>
      ),
    },
    {
      id: 'description',
      title: 'Description',
      width: 320,
      grow: true,
      cell: ({ description }) =>
        description ? (
          <VisibleLine text={description.slice(0, 400)} className="text-ink-soft" />
        ) : (
          <Absent why="Nobody described it" />
        ),
    },
    { id: 'items', title: 'Items', width: 90, align: 'end', cell: ({ itemCount }) => <Count value={itemCount} /> },
    {
      id: 'updated',
      title: 'Changed',
      hint: 'Its name or description; adding items does not count',
      width: 130,
      align: 'end',
      cell: ({ updatedAt }) => <Moment ago iso={updatedAt} />,
    },
    { id: 'created', title: 'Made', width: 160, align: 'end', cell: ({ createdAt }) => <Moment iso={createdAt} /> },
    ...(writes
      ? [
          {
            id: 'actions',
            title: 'Actions',
            width: 76,
            align: 'end' as const,
            cell: (dataset: Dataset) => <DatasetMenu dataset={dataset} size="small" />,
          },
        ]
      : []),
  ];
}
