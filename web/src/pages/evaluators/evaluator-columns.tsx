import { Link } from '@tanstack/react-router';
import type { Evaluator } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Share } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { EnabledSwitch } from './enabled-switch.tsx';
import { configLabel, filterLabel, targetLabels, typeLabel } from './evaluator-labels.ts';
import { RecentPassRate } from './recent-pass-rate.tsx';

/** The columns of the list of evaluators. */
export function evaluatorColumns(at: ProjectPath): ReadonlyArray<Column<Evaluator>> {
  return [
    {
      id: 'name',
      title: 'Evaluator',
      width: 170,
      grow: true,
      value: ({ name }) => name,
      cell: ({ id, slug, name }) => (
        <Link {...pages.evaluator(at, id)} className="flex items-baseline gap-2 hover:text-accent hover:underline">
          <Visible text={name} className="truncate font-medium" />
          {slug !== name && <Visible text={slug} className="max-w-1/2 shrink-0 truncate text-xs text-ink-faint" />}
        </Link>
      ),
    },
    {
      id: 'type',
      title: 'Type',
      width: 180,
      value: ({ type }) => type,
      cell: (evaluator) => (
        <span className="flex items-baseline gap-1.5">
          <span className="shrink-0">{typeLabel(evaluator.type).title}</span>
          <VisibleLine text={configLabel(evaluator)} className="text-xs text-ink-faint" />
        </span>
      ),
    },
    { id: 'target', title: 'Target', width: 84, value: ({ target }) => target, cell: ({ target }) => targetLabels[target].title },
    {
      id: 'filter',
      title: 'Filter',
      width: 150,
      droppable: true,
      cell: ({ filter }) => {
        const label = filterLabel(filter);
        return label === '' ? <Absent why="No filter" text="none" /> : <VisibleLine text={label} />;
      },
    },
    {
      id: 'sampled',
      title: 'Sample rate',
      hint: 'Share of traces or sessions that are evaluated',
      width: 118,
      align: 'end',
      value: ({ sampleRate }) => sampleRate,
      cell: ({ sampleRate }) => <Share value={sampleRate} />,
    },
    {
      id: 'passed',
      title: 'Recent pass rate',
      hint: 'Of the latest 100 evaluations',
      width: 136,
      align: 'end',
      cell: ({ id }) => <RecentPassRate evaluatorId={id} />,
    },
    {
      id: 'enabled',
      title: 'Enabled',
      width: 96,
      align: 'end',
      value: ({ enabled }) => Number(enabled),
      cell: (evaluator) => <EnabledSwitch evaluator={evaluator} />,
    },
  ];
}
