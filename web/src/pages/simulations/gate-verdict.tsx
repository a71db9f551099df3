import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GateCheck } from '../../api/parts.ts';
import type { BatchRun, GateResult } from '../../api/service.ts';
import { ValuePreview } from '../../content/value-preview.tsx';
import { Badge } from '../../design/badge.tsx';
import { Absent, Duration, Share, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { LimitChart } from './limit-chart.tsx';
import { ItemStatus } from './run-status.tsx';

const titles: Readonly<Record<GateCheck['name'], string>> = {
  pass_rate_drop: 'Pass rate drop',
  min_pass_rate: 'Least pass rate',
  max_error_rate: 'Error rate',
  p95_latency_increase: 'p95 latency increase',
  cost_increase: 'Cost increase',
  completed: 'Completed',
};
const tones = { pass: 'good', fail: 'bad', inconclusive: 'warn' } as const;

/** What a gate found: each check against its limit, and the items that passed before and do not now. */
export function GateVerdict({ run, result }: { run: BatchRun; result: GateResult }): ReactNode {
  const { at } = useProject();
  const { verdict, passed, checks, regressions, compared, onlyInOne } = result;
  return (
    <section aria-label="Verdict" className="flex flex-col gap-2">
      <p role="status" className="flex flex-wrap items-center gap-2">
        <Badge tone={tones[verdict]}>{verdict}</Badge>
        {passed ? 'The gate lets this run pass.' : 'The gate refuses this run.'}
        <span className="text-ink-faint">
          {countedExactly(compared, 'item')} compared{onlyInOne > 0 && `, ${countedExactly(onlyInOne, 'item')} in one run alone`}
        </span>
      </p>
      <PlainTable
        label="Checks"
        head={['Check', 'Verdict', 'Baseline', 'Candidate', 'Against the limit', 'Limit']}
        rows={checks.map((check) => ({
          key: check.name,
          cells: [
            titles[check.name],
            <Verdict key="verdict" check={check} compared={compared} />,
            figure(check.name, check.baseline),
            figure(check.name, check.candidate),
            <LimitChart key="chart" check={check} />,
            check.limit === null ? <Absent key="limit" why="No limit" /> : <Share key="limit" value={check.limit} />,
          ],
        }))}
      />
      {regressions.length > 0 && (
        <PlainTable
          label="Regressions"
          texts
          head={['Regressed item', 'Baseline', 'Candidate']}
          rows={regressions.map(({ datasetItemId, baseline, candidate }) => ({
            key: datasetItemId,
            cells: [
              <Link
                key="item"
                {...pages.dataset(at, run.datasetId)}
                search={{ item: datasetItemId }}
                className="font-mono text-xs text-accent hover:underline"
              >
                {datasetItemId.slice(-8)}
              </Link>,
              <Output key="baseline" {...baseline} />,
              <Output key="candidate" {...candidate} />,
            ],
          }))}
        />
      )}
    </section>
  );
}

function Output({ status, output }: GateResult['regressions'][number]['baseline']): ReactNode {
  return output === null && status !== 'passed' ? <ItemStatus status={status} /> : <ValuePreview value={output} />;
}

function Verdict({ check, compared }: { check: GateCheck; compared: number }): ReactNode {
  const { verdict, itemsNeeded } = check;
  return (
    <Badge tone={tones[verdict]}>
      {verdict}
      {typeof itemsNeeded === 'number' && `; about ${countedExactly(itemsNeeded, 'item')} in all would decide (${compared} now)`}
    </Badge>
  );
}

function figure(name: GateCheck['name'], value: number | null): ReactNode {
  if (value === null) return <Absent why="Not known" />;
  if (name === 'p95_latency_increase') return <Duration ms={value} />;
  return name === 'cost_increase' ? <Usd value={value} /> : <Share value={value} />;
}
