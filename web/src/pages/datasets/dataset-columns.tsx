import { Link } from '@tanstack/react-router';
import type { Dataset } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Count, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { momentWidth } from '../../design/moment-width.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { DatasetMenu } from './dataset-menu.tsx';

/** The columns of the list of datasets. @param canWrite adds the actions column */
export function datasetColumns(at: ProjectPath, canWrite: boolean): ReadonlyArray<Column<Dataset>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 200,
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
      width: 200,
      grow: true,
      cell: ({ description }) =>
        description ? (
          <VisibleLine text={description.slice(0, 400)} className="text-ink-soft" />
        ) : (
          <Absent why="No description" />
        ),
    },
    { id: 'items', title: 'Items', width: 66, align: 'end', cell: ({ itemCount }) => <Count value={itemCount} /> },
    {
      id: 'updated',
      title: 'Updated',
      hint: 'Last change of name or description',
      width: 100,
      align: 'end',
      cell: ({ updatedAt }) => <Moment ago iso={updatedAt} />,
    },
    {
      id: 'created',
      title: 'Created',
      width: momentWidth(130),
      droppable: true,
      align: 'end',
      cell: ({ createdAt }) => <Moment iso={createdAt} />,
    },
    ...(canWrite
      ? [
          {
            id: 'actions',
            title: 'Actions',
            width: 64,
            align: 'end' as const,
            cell: (dataset: Dataset) => <DatasetMenu dataset={dataset} size="small" />,
          },
        ]
      : []),
  ];
}
