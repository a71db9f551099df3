import type { ReactNode } from 'react';
import type { ModelDetail, ModelSummary } from '../../api/wire.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Absent, Count, Duration, Moment, Usd } from '../../design/figures.tsx';
import { counted, countedExactly, formatExact, formatScore, formatShare } from '../../format/number-format.ts';
import { formatDate } from '../../format/time-format.ts';

const shareOf = (share: number | null, what: string) => (share === null ? undefined : `${formatShare(share)} of all ${what}`);

function costNote({ unpriced_calls: unpriced, total_calls: calls, share_of_cost: share }: ModelSummary): string | undefined {
  if (unpriced === calls) return 'No price configured';
  const parts = [...(unpriced > 0 ? ['partly unpriced'] : []), ...(share === null ? [] : [`${formatShare(share)} of all cost`])];
  return parts.length === 0 ? undefined : parts.join(' · ');
}

/** The summary metrics of a model. */
export function ModelStats({ summary, quality }: { summary: ModelSummary; quality: ModelDetail['quality'] }): ReactNode {
  const unpriced = summary.unpriced_calls === summary.total_calls;
  const { overall } = quality;
  return (
    <Stats roomy>
      <Stat label="Calls" value={<Count value={summary.total_calls} />} note={shareOf(summary.share_of_calls, 'calls')} />
      <Stat
        label="Cost"
        value={unpriced ? 'unpriced' : <Usd value={summary.total_cost} />}
        note={costNote(summary)}
        tone={unpriced ? 'warn' : 'plain'}
      />
      <Stat
        label="Cost per call"
        value={unpriced ? <Usd value={null} /> : <Usd value={summary.avg_cost_per_call} />}
        note={
          summary.avg_cost_per_success === null || unpriced ? undefined : (
            <>
              <Usd value={summary.avg_cost_per_success} /> per successful call
            </>
          )
        }
      />
      <Stat
        label="Latency p50"
        value={<Duration ms={summary.p50_latency} />}
        note={
          <>
            p95 <Duration ms={summary.p95_latency} />, p99 <Duration ms={summary.p99_latency} />
          </>
        }
      />
      <Stat
        label="Time to first token"
        value={
          summary.avg_ttft === null ? (
            <Absent why="No call reported its time to first token" />
          ) : (
            <Duration ms={summary.avg_ttft} />
          )
        }
        note="mean"
      />
      <Stat
        label="Error rate"
        value={formatShare(summary.error_rate)}
        note={`${formatExact(summary.error_count)} of ${countedExactly(summary.total_calls, 'call')}`}
        tone={summary.error_rate >= 0.05 ? 'bad' : 'plain'}
      />
      <Stat
        label="Quality"
        value={overall === null ? <Absent why="No evaluations" /> : formatScore(overall.avg_score)}
        note={
          overall === null
            ? 'no evaluations'
            : overall.pass_rate === null
              ? countedExactly(overall.eval_count, 'evaluation')
              : `${formatShare(overall.pass_rate)} of ${overall.eval_count} passed`
        }
      />
      <Stat
        label="Tokens"
        value={<Count value={summary.total_input_tokens + summary.total_output_tokens} />}
        note={
          <>
            <Count value={summary.total_input_tokens} /> in, <Count value={summary.total_output_tokens} /> out
          </>
        }
      />
      <Stat
        label="Cached input"
        value={summary.cache_hit_rate === null ? <Absent why="No input tokens" /> : formatShare(summary.cache_hit_rate)}
        note="of input tokens"
      />
      <Stat
        label="Used by"
        value={counted(summary.unique_agents, 'agent')}
        note={`${counted(summary.unique_operations, 'operation')}, ${counted(summary.trace_count, 'trace')}`}
      />
      <Stat
        label="Last call"
        value={summary.last_seen === null ? '–' : <Moment ago iso={summary.last_seen} />}
        note={summary.first_seen === null ? undefined : <>since {formatDate(summary.first_seen)}</>}
      />
      {summary.total_reasoning_tokens > 0 && (
        <Stat label="Reasoning tokens" value={<Count value={summary.total_reasoning_tokens} />} note="included in output" />
      )}
    </Stats>
  );
}
