import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Guardrail } from '../../api/service.ts';
import { ActionBadge } from '../../content/check-action.tsx';
import { guardrailTypeTitle, stageLabels } from '../../content/guardrail-labels.ts';
import type { Column } from '../../design/column.ts';
import { Absent, Count } from '../../design/figures.tsx';
import { formatCount } from '../../format/number-format.ts';
import { Sparkline } from '../../design/sparkline.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { CodeBadge } from '../../frame/managed-by-code.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import { outcomeWords, recentLabel, recentOf } from './activity-figures.ts';
import type { Recent } from './activity-figures.ts';
import { configLabel } from './config-labels.ts';
import { EnabledSwitch } from './enabled-switch.tsx';

/** The days of the sparklines. */
export const recentDays = 7;

/**
 * The columns of the list of guardrails.
 *
 * @param recent what each did in the last seven days; null while it loads, undefined if it is unknown
 */
export function guardrailColumns(
  at: ProjectPath,
  recent: ReadonlyMap<string, Recent> | null | undefined,
): ReadonlyArray<Column<Guardrail>> {
  return [
    {
      id: 'name',
      title: 'Guardrail',
      width: 152,
      grow: true,
      value: ({ name }) => name,
      cell: ({ slug, name }) => (
        <Link {...pages.guardrail(at, slug)} className="flex items-baseline gap-2 hover:text-accent hover:underline">
          <Visible text={name} className="max-w-full shrink-0 truncate font-medium" />
          {slug !== name && <Visible text={slug} className="min-w-0 truncate text-xs text-ink-faint" />}
        </Link>
      ),
    },
    {
      id: 'type',
      title: 'Type',
      width: 140,
      value: ({ type }) => guardrailTypeTitle(type),
      cell: (guardrail) => (
        <span className="flex items-baseline gap-1.5">
          <span className="shrink-0">{guardrailTypeTitle(guardrail.type)}</span>
          <VisibleLine text={configLabel(guardrail)} className="text-xs text-ink-faint" />
        </span>
      ),
    },
    {
      id: 'stage',
      title: 'Stage',
      width: 128,
      value: ({ stage }) => stage,
      cell: ({ stage }) => <span title={stageLabels[stage].hint}>{stageLabels[stage].title}</span>,
    },
    {
      id: 'action',
      title: 'Action',
      width: 70,
      value: ({ action }) => action,
      cell: ({ action }) => <ActionBadge {...{ action }} />,
    },
    {
      id: 'environments',
      title: 'Environments',
      width: 110,
      droppable: true,
      value: ({ environments }) => environments?.join(', ') ?? '',
      cell: ({ environments }) =>
        environments === null ? <span className="text-ink-soft">all</span> : <VisibleLine text={environments.join(', ')} />,
    },
    {
      id: 'priority',
      title: 'Priority',
      hint: 'Lower numbers run first',
      width: 82,
      align: 'end',
      value: ({ priority }) => priority,
      cell: ({ priority }) => <span className="numbers">{priority}</span>,
    },
    {
      id: 'recent',
      title: 'Caught, 7 days',
      hint: 'Caught of all checks in the last 7 days (UTC), without checks in which it could not run',
      width: 154,
      align: 'end',
      value: ({ slug }) => (recent ? recentOf(recent, slug, recentDays).caught : null),
      cell: ({ slug }) => {
        if (recent === null) return <span className="text-ink-faint">…</span>;
        if (recent === undefined) return <Absent why="The activity could not be loaded" text="unknown" />;
        return <RecentCell recent={recentOf(recent, slug, recentDays)} />;
      },
    },
    {
      id: 'managed',
      title: 'Managed by',
      width: 110,
      droppable: true,
      value: ({ managedBy }) => managedBy,
      cell: ({ managedBy }) => (managedBy === 'code' ? <CodeBadge short /> : <span className="text-ink-soft">dashboard</span>),
    },
    {
      id: 'enabled',
      title: 'Enabled',
      width: 86,
      align: 'end',
      value: ({ enabled }) => Number(enabled),
      cell: (guardrail) => <EnabledSwitch guardrail={guardrail} />,
    },
  ];
}

function RecentCell({ recent }: { recent: Recent }): ReactNode {
  if (recent.checks === 0) return <Absent why="No checks in the last 7 days" text="no checks" />;
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <Sparkline values={recent.days} label={recentLabel(recent)} />
      <span title={outcomeWords(recent)}>
        <Count value={recent.caught} /> <span className="text-ink-faint">of</span> <Count value={recent.checks} />
        {recent.failed > 0 && <span className="text-bad"> · failed {formatCount(recent.failed)}</span>}
      </span>
    </span>
  );
}
