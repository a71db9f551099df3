import type { ReactNode } from 'react';
import type { EvaluatorDelta } from '../../api/parts.ts';
import type { RunAggregates } from '../../api/service.ts';
import { Share, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatExact } from '../../format/number-format.ts';
import { Delta } from './comparison-columns.tsx';
import { byVerdict, deltaLabel } from './delta-label.ts';
import { DeltaChart, DeltaSides } from './delta-chart.tsx';
import { Latency } from './run-columns.tsx';

/** With fewer items, intervals are marked as unreliable. */
const minItems = 10;

interface ComparisonSummaryProps {
  deltas: readonly EvaluatorDelta[];
  /** Aggregates of the runs, if loaded. */
  a: RunAggregates | undefined;
  b: RunAggregates | undefined;
}

/** Score changes by evaluator with confidence intervals, and metrics of both runs. */
export function ComparisonSummary({ deltas, a, b }: ComparisonSummaryProps): ReactNode {
  const cell = 'border-t border-line px-3 py-1.5';
  const head = 'sticky top-0 bg-surface px-3 py-1.5 text-xs font-medium text-ink-faint';
  return (
    <section aria-label="Summary" className="shrink-0 border-b border-line">
      {deltas.length === 0 ? (
        <p className="px-3 py-2 text-ink-faint">
          No scores for these runs. Create an evaluator, or send scores with the traces of the items.
        </p>
      ) : (
        <div
          className="scroll-thin scroll-more max-h-[40vh] overflow-auto"
          tabIndex={0}
          role="group"
          aria-label="Summary by evaluator"
        >
          <table className="w-full text-left" aria-label="Summary by evaluator">
            <thead>
              <tr>
                <th scope="col" className={head}>
                  Evaluator
                </th>
                <th scope="col" className={head}>
                  Score change, 95% CI
                  <DeltaSides />
                </th>
                <th scope="col" className={head}>
                  Summary
                </th>
                <th scope="col" className={`${head} text-right`}>
                  Mean
                </th>
                <th scope="col" className={`${head} text-right`}>
                  Items
                </th>
              </tr>
            </thead>
            <tbody>
              {byVerdict(deltas).map((delta) => (
                <tr key={delta.evaluator}>
                  <th scope="row" className={`${cell} max-w-48 font-medium`}>
                    <VisibleLine text={delta.evaluator} />
                  </th>
                  <td className={cell}>
                    <DeltaChart delta={delta} />
                  </td>
                  <td className={`${cell} w-full min-w-72`}>
                    {deltaLabel(delta)}
                    {delta.n > 0 && delta.n < minItems && <span className="text-ink-faint"> · few items</span>}
                  </td>
                  <td className={`${cell} text-right whitespace-nowrap`}>
                    {delta.meanDelta === null ? '–' : <Delta value={delta.meanDelta} />}
                  </td>
                  <td className={`${cell} text-right`}>{formatExact(delta.n)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {a && b && <Measures a={a} b={b} />}
    </section>
  );
}

function Measures({ a, b }: { a: RunAggregates; b: RunAggregates }): ReactNode {
  const measures: ReadonlyArray<[name: string, a: ReactNode, b: ReactNode]> = [
    ['Latency p50', <Latency key="a" ms={a.latencyP50Ms} />, <Latency key="b" ms={b.latencyP50Ms} />],
    ['p95', <Latency key="a" ms={a.latencyP95Ms} />, <Latency key="b" ms={b.latencyP95Ms} />],
    ['Cost', <Cost key="a" aggregates={a} />, <Cost key="b" aggregates={b} />],
    ['Error rate', <Share key="a" value={a.errorRate} />, <Share key="b" value={b.errorRate} />],
    ['Items', formatExact(a.itemCount), formatExact(b.itemCount)],
  ];
  return (
    <p className="flex flex-wrap gap-x-5 border-t border-line px-3 py-1.5 text-ink-soft">
      {measures.map(([name, left, right]) => (
        <span key={name} className="numbers whitespace-nowrap">
          <span className="text-ink-faint">{name}</span> {left} → <span className="font-medium text-ink">{right}</span>
        </span>
      ))}
    </p>
  );
}

function Cost({ aggregates: { costUsd, unpricedCalls, partlyPricedCalls } }: { aggregates: RunAggregates }): ReactNode {
  return <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />;
}
