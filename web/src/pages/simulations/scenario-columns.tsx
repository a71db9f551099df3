import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Scenario } from '../../api/service.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { PromptLink } from '../../frame/trace-links.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { RunStatus } from './run-status.tsx';
import { ScenarioMenu } from './scenario-menu.tsx';

/** What a scenario sends its items to, in a line. */
function Target({ target }: Pick<Scenario, 'target'>): ReactNode {
  if (target.type === 'http') return <VisibleLine text={`${target.method} ${target.url}`} className="text-ink-soft" />;
  return (
    <span className="flex items-baseline gap-1.5 text-ink-soft">
      <PromptLink name={target.promptName} version={null} />
      <VisibleLine text={`(${target.label})`} className="shrink-0" />
    </span>
  );
}

/** The columns of the list of scenarios. @param datasets names by id @param canWrite adds the actions column */
export function scenarioColumns(
  at: ProjectPath,
  datasets: ReadonlyMap<string, string>,
  canWrite: boolean,
): ReadonlyArray<Column<Scenario>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 150,
      grow: true,
      cell: ({ id, name }) => (
        <Link {...pages.scenario(at, id)} className="font-medium hover:text-accent hover:underline">
          <VisibleLine text={name} />
        </Link>
      ),
    },
    {
      id: 'target',
      title: 'Target',
      width: 160,
      grow: true,
      cell: ({ target }) => <Target target={target} />,
    },
    {
      id: 'dataset',
      title: 'Dataset',
      width: 140,
      cell: ({ datasetId }) => (
        <Link {...pages.dataset(at, datasetId)} className="hover:text-accent hover:underline">
          <VisibleLine text={datasets.get(datasetId) ?? 'Dataset'} />
        </Link>
      ),
    },
    {
      id: 'evaluators',
      title: 'Evaluators',
      width: 140,
      droppable: true,
      cell: ({ evaluators }) =>
        evaluators.length === 0 ? <Absent why="No evaluators" /> : <VisibleLine text={evaluators.join(', ')} />,
    },
    {
      id: 'newest',
      title: 'Newest run',
      width: 180,
      cell: ({ newestRun: run }) => {
        if (run === null) return <Absent why="No run" text="none" />;
        return (
          <Link {...pages.batchRun(at, run.id)} className="inline-flex items-center gap-2 hover:text-accent hover:underline">
            <RunStatus status={run.status} />
            <Moment ago iso={run.createdAt} />
          </Link>
        );
      },
    },
    ...(canWrite
      ? [
          {
            id: 'actions',
            title: 'Actions',
            width: 64,
            align: 'end' as const,
            cell: (scenario: Scenario) => <ScenarioMenu scenario={scenario} />,
          },
        ]
      : []),
  ];
}
