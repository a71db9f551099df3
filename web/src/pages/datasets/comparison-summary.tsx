import type { ReactNode } from 'react';
import type { EvaluatorDelta, RunAggregates } from '../../api/wire.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { formatDelta } from '../../format/delta-format.ts';
import { formatDuration, formatExact, formatShare, formatUsd } from '../../format/number-format.ts';
import { byClarity, deltaInWords } from './delta-words.ts';
import { IntervalChart, IntervalSides } from './interval-chart.tsx';

/** Below so many items an interval says little. */
const fewItems = 10;

interface ComparisonSummaryProps {
  deltas: readonly EvaluatorDelta[];
  /** Of the two runs, where they are known. */
  a: RunAggregates | undefined;
  b: RunAggregates | undefined;
}

/** What changed from a to b: by evaluator with its interval, and the measures of the runs. */
export function ComparisonSummary({ deltas, a, b }: ComparisonSummaryProps): ReactNode {
  const cell = 'border-t border-line px-3 py-1.5';
  const head = 'sticky top-0 bg-surface px-3 py-1.5 text-xs font-medium text-ink-faint';
  return (
    <section aria-label="Summary" className="shrink-0 border-b border-line">
      {deltas.length === 0 ? (
        <p className="px-3 py-2 text-ink-faint">
          No evaluator scored these runs, so it cannot be said which is better. Set one up for the project, or send scores with
          the traces of the items.
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
                  Change of the score, 95 % interval
                  <IntervalSides />
                </th>
                <th scope="col" className={head}>
                  In words
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
              {byClarity(deltas).map((delta) => (
                <tr key={delta.evaluator}>
                  <th scope="row" className={`${cell} max-w-48 font-medium`}>
                    <VisibleLine text={delta.evaluator} />
                  </th>
                  <td className={cell}>
                    <IntervalChart delta={delta} />
                  </td>
                  <td className={`${cell} w-full`}>
                    {deltaInWords(delta)}
                    {delta.n > 0 && delta.n < fewItems && (
                      <span className="text-ink-faint">; few items, so take it as a hint</span>
                    )}
                  </td>
                  <td className={`${cell} text-right whitespace-nowrap`}>
                    {delta.meanDelta === null ? '–' : formatDelta(delta.meanDelta)}
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
  const duration = (ms: number | null) => (ms === null ? '–' : formatDuration(ms));
  const measures: ReadonlyArray<[name: string, a: string, b: string]> = [
    ['latency p50', duration(a.latencyP50Ms), duration(b.latencyP50Ms)],
    ['p95', duration(a.latencyP95Ms), duration(b.latencyP95Ms)],
    ['cost', formatUsd(a.costUsd), formatUsd(b.costUsd)],
    ['failed', formatShare(a.errorRate), formatShare(b.errorRate)],
    ['items', formatExact(a.itemCount), formatExact(b.itemCount)],
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
