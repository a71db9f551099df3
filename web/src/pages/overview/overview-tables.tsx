import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ListedModel } from '../../api/wire.ts';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Duration, Unpriced, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatScore, formatShare } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';
import type { AgentFigures } from './overview-figures.ts';

const mostRows = 10;
const all = 'text-xs text-accent hover:underline';

/** The costliest models; each leads to its page. */
export function ModelsCard({ models, search }: { models: readonly ListedModel[]; search: RangeSearch }): ReactNode {
  const { at } = useProject();
  return (
    <Card
      title="Models"
      aside={
        <Link {...pages.models(at)} search={search} className={all}>
          All {models.length}
        </Link>
      }
    >
      <PlainTable
        label="Models"
        head={['Model', 'Calls', 'Cost', 'p95', 'Errors', 'Quality']}
        rows={models.slice(0, mostRows).map((row) => ({
          key: row.model,
          cells: [
            <Link
              key="m"
              {...pages.model(at, row.model)}
              search={search}
              className="font-medium hover:text-accent hover:underline"
            >
              <VisibleLine text={row.model} />
            </Link>,
            <Count key="c" value={row.total_calls} />,
            row.unpriced_calls === row.total_calls ? (
              <Unpriced key="u" />
            ) : (
              <Usd key="u" value={row.total_cost} unpriced={row.unpriced_calls} />
            ),
            <Duration key="d" ms={row.p95_latency} />,
            formatShare(row.error_rate),
            row.avg_eval_score === null ? <Absent key="q" why="Nothing was evaluated" /> : formatScore(row.avg_eval_score),
          ],
        }))}
      />
    </Card>
  );
}

/** The costliest agents; each leads to its traces. */
export function AgentsCard({ agents, search }: { agents: readonly AgentFigures[]; search: RangeSearch }): ReactNode {
  const { at } = useProject();
  return (
    <Card title="Agents">
      {agents.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">No call names an agent.</p>
      ) : (
        <PlainTable
          label="Agents"
          head={['Agent', 'Calls', 'Cost', 'Errors', 'Models']}
          rows={agents.slice(0, mostRows).map((agent) => ({
            key: agent.name,
            cells: [
              <Link
                key="a"
                {...pages.traces(at)}
                search={{ ...search, agent: agent.name }}
                className="font-medium hover:text-accent hover:underline"
              >
                <VisibleLine text={agent.name} />
              </Link>,
              <Count key="c" value={agent.calls} />,
              <Usd key="u" value={agent.costUsd} />,
              formatShare(agent.errors / Math.max(1, agent.calls)),
              agent.models,
            ],
          }))}
        />
      )}
    </Card>
  );
}
