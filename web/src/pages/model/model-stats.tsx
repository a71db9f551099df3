import type { ReactNode } from 'react';
import type { ModelDetail, ModelSummary } from '../../api/service.ts';
import { classNames } from '../../design/class-names.ts';
import { Absent, Count, Duration, Moment, Score, Share, Unpriced, Usd } from '../../design/figures.tsx';
import { formatDate } from '../../format/time-format.ts';

interface GroupProps {
  title: string;
  /** The main figure, with its label. */
  label: string;
  value: ReactNode;
  tone?: 'plain' | 'bad';
  rows: ReadonlyArray<readonly [label: string, value: ReactNode]>;
}

/** Figures that belong together: one large, the others in rows. */
function Group({ title, label, value, tone = 'plain', rows }: GroupProps): ReactNode {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2 shadow-card">
      <h2 className="text-xs font-semibold text-ink-soft">{title}</h2>
      <dl className="mt-1">
        <div>
          <dt className="sr-only">{label}</dt>
          <dd className="flex items-baseline gap-1.5">
            <span className={classNames('numbers text-xl font-semibold tracking-tight', tone === 'bad' && 'text-bad')}>
              {value}
            </span>
            <span className="truncate text-xs text-ink-faint" aria-hidden>
              {label}
            </span>
          </dd>
        </div>
        {rows.map(([name, figure]) => (
          <div key={name} className="flex items-baseline justify-between gap-3 text-xs">
            <dt className="truncate text-ink-faint">{name}</dt>
            <dd className="numbers shrink-0">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const share = (value: number | null, why: string) => (value === null ? <Absent why={why} /> : <Share value={value} />);

/** The summary of a model in groups: traffic, cost, latency, quality and use. */
export function ModelStats({ summary, quality }: { summary: ModelSummary; quality: ModelDetail['quality'] }): ReactNode {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(13rem,1fr))] gap-2">
      <Traffic summary={summary} />
      <Cost summary={summary} />
      <Group
        title="Latency"
        label="median"
        value={<Duration ms={summary.p50_latency} />}
        rows={[
          ['p95', <Duration key="95" ms={summary.p95_latency} />],
          ['p99', <Duration key="99" ms={summary.p99_latency} />],
          [
            'Time to first token, mean',
            summary.avg_ttft === null ? (
              <Absent key="t" why="No call reported its time to first token" />
            ) : (
              <Duration key="t" ms={summary.avg_ttft} />
            ),
          ],
        ]}
      />
      <Quality overall={quality.overall} />
      <Use summary={summary} />
    </div>
  );
}

function Traffic({ summary }: { summary: ModelSummary }): ReactNode {
  return (
    <Group
      title="Traffic"
      label={summary.total_calls === 1 ? 'call' : 'calls'}
      value={<Count value={summary.total_calls} />}
      rows={[
        ['Share of all calls', share(summary.share_of_calls, 'No calls')],
        [
          'Error rate',
          <span key="e" className={summary.error_rate >= 0.05 ? 'text-bad' : ''}>
            <Share value={summary.error_rate} /> · <Count value={summary.error_count} /> failed
          </span>,
        ],
        [
          'Last call',
          summary.last_seen === null ? <Absent key="l" why="No calls" /> : <Moment key="l" ago iso={summary.last_seen} />,
        ],
        ['First call', summary.first_seen === null ? <Absent key="f" why="No calls" /> : formatDate(summary.first_seen)],
      ]}
    />
  );
}

function Cost({ summary }: { summary: ModelSummary }): ReactNode {
  const { unpriced_calls: unpriced, partly_priced_calls: partly, total_calls: calls } = summary;
  if (unpriced === calls) {
    return (
      <Group
        title="Cost"
        label="no price configured"
        value={<Unpriced />}
        rows={[['Unpriced calls', <Count key="u" value={unpriced} />]]}
      />
    );
  }
  return (
    <Group
      title="Cost"
      label="total"
      value={<Usd value={summary.total_cost} partly={partly} />}
      rows={[
        ['Share of all cost', share(summary.share_of_cost, 'No priced calls')],
        ['Per call', <Usd key="c" value={summary.avg_cost_per_call} />],
        [
          'Per successful call',
          summary.avg_cost_per_success === null ? (
            <Absent key="s" why="Every call failed" />
          ) : (
            <Usd key="s" value={summary.avg_cost_per_success} />
          ),
        ],
        ...(unpriced > 0 ? [['Unpriced calls', <Count key="u" value={unpriced} />] as const] : []),
      ]}
    />
  );
}

function Quality({ overall }: { overall: ModelDetail['quality']['overall'] }): ReactNode {
  if (overall === null) return <Group title="Quality" label="no evaluations" value={<Absent why="No evaluations" />} rows={[]} />;
  return (
    <Group
      title="Quality"
      label="mean score"
      value={<Score value={overall.avg_score} />}
      rows={[
        ['Pass rate', share(overall.pass_rate, 'No evaluation says whether it passed')],
        ['Passed', <Count key="p" value={overall.pass_count} />],
        ['Failed', <Count key="f" value={overall.fail_count} />],
        ['Evaluations', <Count key="e" value={overall.eval_count} />],
      ]}
    />
  );
}

function Use({ summary }: { summary: ModelSummary }): ReactNode {
  const figures: ReadonlyArray<readonly [string, ReactNode]> = [
    ['Input, output', <InOut key="i" summary={summary} />],
    ['Cached input', share(summary.cache_hit_rate, 'No input tokens')],
    ...(summary.total_reasoning_tokens > 0
      ? [['Reasoning, in output', <Count key="r" value={summary.total_reasoning_tokens} />] as const]
      : []),
    ['Agents', <Count key="a" value={summary.unique_agents} />],
    ['Operations', <Count key="o" value={summary.unique_operations} />],
    ['Traces', <Count key="t" value={summary.trace_count} />],
  ];
  return (
    <Group
      title="Use"
      label="tokens"
      value={<Count value={summary.total_input_tokens + summary.total_output_tokens} />}
      rows={figures}
    />
  );
}

function InOut({ summary }: { summary: ModelSummary }): ReactNode {
  return (
    <span>
      <Count value={summary.total_input_tokens} />, <Count value={summary.total_output_tokens} />
    </span>
  );
}
