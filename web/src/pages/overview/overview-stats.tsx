import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedModel } from '../../api/wire.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Absent, Count, Duration, Usd } from '../../design/figures.tsx';
import { Visible } from '../../design/visible.tsx';
import { formatCount, formatScore, formatShare } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';
import { totalsOf } from './overview-figures.ts';

/** Says which models have no price: their calls add nothing to any cost shown here. */
export function UnpricedNotice({ models, search }: { models: readonly ListedModel[]; search: RangeSearch }): ReactNode {
  const { at } = useProject();
  const unpriced = models.filter((model) => model.unpriced_calls > 0);
  if (unpriced.length === 0) return null;
  const calls = unpriced.reduce((sum, model) => sum + model.unpriced_calls, 0);
  return (
    <div
      role="note"
      className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-lg border border-warn/40 bg-warn-soft px-3 py-2"
    >
      <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden />
      <span>
        <b>{formatCount(calls)} calls have no known price</b> and add nothing to the cost:
      </span>
      {unpriced.map(({ model }) => (
        <Link key={model} {...pages.model(at, model)} search={search} className="max-w-80 truncate font-medium underline">
          <Visible text={model} />
        </Link>
      ))}
      <span className="text-ink-soft">Send costUsd with them to have them counted.</span>
    </div>
  );
}

/** The project's figures over the range. */
export function OverviewStats({ models }: { models: readonly ListedModel[] }): ReactNode {
  const totals = totalsOf(models);
  const busiest = models.toSorted((left, right) => right.total_calls - left.total_calls)[0];
  return (
    <Stats>
      <Stat
        label="Cost"
        value={<Usd value={totals.costUsd} unpriced={totals.unpricedCalls} />}
        note={`${models.length} models`}
      />
      <Stat
        label="Calls"
        value={<Count value={totals.calls} />}
        note={
          <>
            <Usd value={totals.calls === 0 ? 0 : totals.costUsd / totals.calls} /> each
          </>
        }
      />
      <Stat
        label="Failed calls"
        value={formatShare(totals.calls === 0 ? 0 : totals.errors / totals.calls)}
        note={`${totals.errors} calls`}
        tone={totals.errors / Math.max(1, totals.calls) >= 0.05 ? 'bad' : 'plain'}
      />
      <Stat
        label="p50, busiest model"
        value={busiest ? <Duration ms={busiest.p50_latency} /> : '–'}
        note={busiest && <Visible text={busiest.model} />}
      />
      <Stat
        label="p95, slowest model"
        value={totals.slowest ? <Duration ms={totals.slowest.p95_latency} /> : '–'}
        note={totals.slowest && <Visible text={totals.slowest.model} />}
      />
      <Stat
        label="Quality"
        value={totals.quality === null ? <Absent why="Nothing was evaluated" /> : formatScore(totals.quality)}
        note={totals.evaluations === 0 ? 'not evaluated' : `${formatCount(totals.evaluations)} evaluations`}
      />
      <Stat
        label="Tokens"
        value={<Count value={totals.inputTokens + totals.outputTokens} />}
        note={totals.inputTokens === 0 ? undefined : `${formatShare(totals.cachedTokens / totals.inputTokens)} of input cached`}
      />
    </Stats>
  );
}
