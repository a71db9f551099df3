import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Overview } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Duration, Score, Share, Unpriced, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';

const nameLink = 'font-medium hover:text-accent hover:underline';

interface CardProps {
  overview: Overview;
  range: FiguresSearch;
}

type Figures = Pick<
  Overview['totals'],
  'calls' | 'unpriced_calls' | 'partly_priced_calls' | 'cost' | 'errors' | 'error_rate' | 'avg_latency'
>;

function cost({ calls, unpriced_calls: unpriced, partly_priced_calls: partly, cost: usd }: Figures): ReactNode {
  return unpriced === calls ? <Unpriced /> : <Usd value={usd} unpriced={unpriced} partly={partly} />;
}

function costShare({ calls, unpriced_calls: unpriced, cost: usd }: Figures, { totals }: Overview): ReactNode {
  if (totals.cost === 0 || unpriced === calls) return <Absent why="No priced calls" />;
  return <Share value={usd / totals.cost} />;
}

function errors({ errors: failed, error_rate: rate, calls }: Figures): ReactNode {
  return (
    <span className={rate >= 0.05 ? 'text-bad' : ''}>
      <Share value={rate} note={`${formatExact(failed)} of ${countedExactly(calls, 'call')}`} />
    </span>
  );
}

function score(value: number | null): ReactNode {
  return value === null ? <Absent why="No evaluations" /> : <Score value={value} />;
}

/** The models with the highest cost, with links to their pages. */
export function ModelsCard({ overview, range }: CardProps): ReactNode {
  const { at } = useProject();
  const { models, other_models: others, totals } = overview;
  return (
    <Card
      title="Models"
      aside={
        <Link {...pages.models(at)} search={range} className="text-xs text-accent hover:underline">
          View all {totals.models}
        </Link>
      }
    >
      <PlainTable
        label="Models"
        head={['Model', 'Calls', 'Cost', 'Cost share', 'Mean latency', 'p50', 'p95', 'Error rate', 'Quality']}
        rows={[
          ...models.map((row) => ({
            key: row.model,
            cells: [
              <Link key="m" {...pages.model(at, row.model)} search={range} className={nameLink}>
                <VisibleLine text={row.model} />
              </Link>,
              <Count key="c" value={row.calls} />,
              cost(row),
              costShare(row, overview),
              <Duration key="d" ms={row.avg_latency} />,
              <Duration key="d50" ms={row.p50_latency} />,
              <Duration key="d95" ms={row.p95_latency} />,
              errors(row),
              score(row.avg_eval_score),
            ],
          })),
          ...(others === null
            ? []
            : [
                {
                  key: '',
                  cells: [
                    <span key="m" className="text-ink-faint">
                      {countedExactly(others.count, 'other')}
                    </span>,
                    <Count key="c" value={others.calls} />,
                    cost(others),
                    costShare(others, overview),
                    <Duration key="d" ms={others.avg_latency} />,
                    <Absent key="d50" why="Not available for groups" />,
                    <Absent key="d95" why="Not available for groups" />,
                    errors(others),
                    score(others.avg_eval_score),
                  ],
                },
              ]),
        ]}
      />
    </Card>
  );
}

/** The agents with the highest cost, with links to their traces. */
export function AgentsCard({ overview, range }: CardProps): ReactNode {
  const { at } = useProject();
  const { agents, other_agents: others, totals } = overview;
  const named = agents.reduce((sum, { calls }) => sum + calls, others?.calls ?? 0);
  if (agents.length === 0) {
    return (
      <Card title="Agents">
        <p className="px-3 py-4 text-ink-faint">
          No calls with an agent. Set <code className="font-mono">agentName</code> on spans, or nest calls in a span of kind{' '}
          <code className="font-mono">agent</code>.
        </p>
      </Card>
    );
  }
  return (
    <Card
      title="Agents"
      aside={
        named < totals.calls && (
          <span className="text-xs text-ink-faint">
            <Count value={totals.calls - named} /> of <Count value={totals.calls} /> calls without an agent
          </span>
        )
      }
    >
      <PlainTable
        label="Agents"
        head={['Agent', 'Calls', 'Cost', 'Cost share', 'Cost per call', 'Mean latency', 'Error rate']}
        rows={[
          ...agents.map((row) => ({ name: row.agent_name, ...row })),
          ...(others === null ? [] : [{ name: '', ...others }]),
        ].map((row) => ({
          key: row.name,
          cells: [
            row.name === '' ? (
              <span key="a" className="text-ink-faint">
                {countedExactly(others?.count ?? 0, 'other')}
              </span>
            ) : (
              <Link key="a" {...pages.traces(at)} search={{ ...range, agent: row.name }} className={nameLink}>
                <VisibleLine text={row.name} />
              </Link>
            ),
            <Count key="c" value={row.calls} />,
            cost(row),
            costShare(row, overview),
            row.unpriced_calls === row.calls ? <Unpriced key="p" /> : <Usd key="p" value={row.cost / row.calls} />,
            <Duration key="d" ms={row.avg_latency} />,
            errors(row),
          ],
        }))}
      />
    </Card>
  );
}
