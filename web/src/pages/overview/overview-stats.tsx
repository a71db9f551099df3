import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Overview } from '../../api/service.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Badge } from '../../design/badge.tsx';
import { Absent, Count, Counted, Duration, missingCost, Score, Share, Usd } from '../../design/figures.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';

/** Lists models with calls whose cost is not known, or known in part. */
export function UnpricedNotice({ overview, range }: { overview: Overview; range: FiguresSearch }): ReactNode {
  const { at } = useProject();
  const { totals, unpriced } = overview;
  const all = totals.unpriced_calls + totals.partly_priced_calls;
  if (all === 0) return null;
  const named = unpriced.reduce((sum, model) => sum + model.unpriced_calls + model.partly_priced_calls, 0);
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-warn/40 bg-warn-soft px-3 py-2"
    >
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
      <span>
        <b>
          <Counted value={all} noun="call" />
        </b>{' '}
        partly or wholly unpriced (no price, or no token counts):
      </span>
      {unpriced.map(({ model }) => (
        <Link key={model} {...pages.model(at, model)} search={range} className="max-w-80 truncate font-medium underline">
          <Visible text={model} />
        </Link>
      ))}
      {named < all && <span>and other models.</span>}
      <span className="text-ink-soft">
        <Link {...pages.settings(at, 'prices')} className="underline">
          Set a price
        </Link>
        , or send <code className="font-mono">costUsd</code>.
      </span>
    </div>
  );
}

/** The metrics of the project in the time range. */
export function OverviewStats({ overview: { totals, models } }: { overview: Overview }): ReactNode {
  const missing = missingCost(totals.unpriced_calls, totals.partly_priced_calls);
  const slowest = models.toSorted((left, right) => right.p95_latency - left.p95_latency)[0];
  return (
    <Stats>
      <Stat
        label="Cost"
        value={<Usd value={totals.cost} />}
        note={
          <>
            {missing !== null && (
              <Badge tone="warn" title={missing}>
                partly unpriced
              </Badge>
            )}{' '}
            <span className="inline-block">
              <Counted value={totals.models} noun="model" />, <Counted value={totals.agents} noun="agent" />
            </span>
          </>
        }
      />
      <Stat
        label="Calls"
        value={<Count value={totals.calls} />}
        note={
          <>
            <Usd value={totals.cost / totals.calls} /> per call
          </>
        }
      />
      <Stat
        label="Error rate"
        value={<Share value={totals.error_rate} />}
        note={<Counted value={totals.errors} noun="failed call" />}
        tone={totals.error_rate >= 0.05 ? 'bad' : 'plain'}
      />
      <Stat
        label="Latency p50"
        value={<Duration ms={totals.p50_latency} />}
        note={
          <>
            mean <Duration ms={totals.avg_latency} />
          </>
        }
      />
      <Stat
        label="Latency p95"
        value={<Duration ms={totals.p95_latency} />}
        note={
          slowest && (
            <span title={visibleText(slowest.model)}>
              slowest model <Duration ms={slowest.p95_latency} />
            </span>
          )
        }
      />
      <Stat
        label="Quality"
        value={totals.avg_eval_score === null ? <Absent why="No evaluations" /> : <Score value={totals.avg_eval_score} />}
        note={
          totals.eval_count === 0 ? (
            'no evaluations'
          ) : (
            <>
              mean of all evaluators, <Counted value={totals.eval_count} noun="evaluation" />
            </>
          )
        }
      />
      <Stat
        label="Tokens"
        value={<Count value={totals.input_tokens + totals.output_tokens} />}
        note={
          totals.input_tokens === 0 ? undefined : (
            <>
              <Share value={totals.cached_tokens / totals.input_tokens} /> of input tokens cached
            </>
          )
        }
      />
    </Stats>
  );
}
