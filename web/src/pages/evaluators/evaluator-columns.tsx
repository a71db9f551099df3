import { Link } from '@tanstack/react-router';
import type { EvaluatorRecord } from '../../api/wire.ts';
import type { Column } from '../../design/column.ts';
import { Absent } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { formatShare } from '../../format/number-format.ts';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { EnabledSwitch } from './enabled-switch.tsx';
import { configInWords, filterInWords, targetWords, typeWords } from './evaluator-words.ts';
import { RecentPassRate } from './recent-pass-rate.tsx';

/** The columns of the list of evaluators. */
export function evaluatorColumns(at: ProjectPath): ReadonlyArray<Column<EvaluatorRecord>> {
  return [
    {
      id: 'name',
      title: 'Evaluator',
      width: 200,
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
      width: 230,
      value: ({ type }) => type,
      cell: (evaluator) => (
        <span className="flex items-baseline gap-1.5">
          <span className="shrink-0">{typeWords[evaluator.type].title}</span>
          <VisibleLine text={configInWords(evaluator)} className="text-xs text-ink-faint" />
        </span>
      ),
    },
    { id: 'target', title: 'Target', width: 90, value: ({ target }) => target, cell: ({ target }) => targetWords[target].title },
    {
      id: 'filter',
      title: 'Filter',
      width: 180,
      cell: ({ filter }) => {
        const words = filterInWords(filter);
        return words === '' ? (
          <Absent why="It looks at everything of its target" text="everything" />
        ) : (
          <VisibleLine text={words} />
        );
      },
    },
    {
      id: 'sampled',
      title: 'Sampled',
      hint: 'Share of traces, or of sessions, that is evaluated online',
      width: 90,
      align: 'end',
      value: ({ sampleRate }) => sampleRate,
      cell: ({ sampleRate }) => formatShare(sampleRate),
    },
    {
      id: 'passed',
      title: 'Passed lately',
      hint: 'Of its latest 100 runs',
      width: 130,
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
