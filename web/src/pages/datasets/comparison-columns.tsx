import type { ReactNode } from 'react';
import type { ComparedSide } from '../../api/parts.ts';
import { ValuePreview } from '../../content/value-preview.tsx';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Absent } from '../../design/figures.tsx';
import { formatDelta } from '../../format/delta-format.ts';
import { formatDuration, formatExact, formatScore, formatUsdPrecise } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { measureDelta } from './comparison-rows.ts';
import type { ComparisonRow, Outcome } from './comparison-rows.ts';
import type { NumberedItem } from './item-columns.tsx';
import { sourceColumns } from './source-columns.tsx';

/** Evaluators with a column. The item panel shows all. */
const maxEvaluators = 3;

/** The columns of a comparison. @param sources the dataset's items by their ids */
export function comparisonColumns(
  sources: ReadonlyMap<string, NumberedItem>,
  evaluators: readonly string[],
  openId: string | undefined,
): ReadonlyArray<Column<ComparisonRow>> {
  return [
    ...sourceColumns({ sources, openId, idOf: ({ compared }) => compared.datasetItemId, widths: { number: 56, input: 130 } }),
    {
      id: 'a',
      title: 'Baseline output',
      width: 130,
      grow: true,
      cell: ({ compared }) => <Output side={compared.a} name="baseline" />,
    },
    {
      id: 'b',
      title: 'Candidate output',
      width: 130,
      grow: true,
      cell: ({ compared, differs }) =>
        compared.b === null || differs ? (
          <Output side={compared.b} name="candidate" />
        ) : (
          <span className="text-ink-faint">Unchanged</span>
        ),
    },
    ...evaluators.slice(0, maxEvaluators).map(scoreColumn),
    {
      id: 'loss',
      title: 'Biggest regression',
      hint: 'The largest drop in score, relative to the scale of its evaluator',
      width: 172,
      align: 'end',
      value: ({ rank }) => rank,
      cell: (row) => <Loss row={row} />,
    },
    {
      id: 'latency',
      title: 'Latency',
      hint: 'Candidate − baseline',
      width: 90,
      align: 'end',
      value: ({ compared }) => measureDelta(compared, 'latencyMs'),
      cell: ({ compared }) => (
        <MeasureDelta
          value={measureDelta(compared, 'latencyMs')}
          why="Not recorded in both runs"
          unit="ms"
          format={formatDuration}
        />
      ),
    },
    {
      id: 'cost',
      title: 'Cost',
      hint: 'Candidate − baseline',
      width: 104,
      align: 'end',
      value: ({ compared }) => measureDelta(compared, 'costUsd'),
      cell: ({ compared }) => (
        <MeasureDelta
          value={measureDelta(compared, 'costUsd')}
          why="Not known in both runs"
          unit="USD"
          format={formatUsdPrecise}
        />
      ),
    },
  ];
}

/** Names of the outcomes of an item. */
export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  failing: 'New errors',
  regressed: 'Regressed',
  improved: 'Improved',
  unscored: 'No score to compare',
  unchanged: 'Unchanged',
  single: 'In one run only',
};

/** What stands for an outcome in a row without a regression, where it is not the name of the filter. */
const withoutLoss: Partial<Record<Outcome, string>> = { unscored: 'Differs, not scored', single: 'Not compared' };

function Loss({ row: { worst, outcome } }: { row: ComparisonRow }): ReactNode {
  if (outcome === 'failing') return <Badge tone="bad">New error</Badge>;
  if (worst === null) return <span className="text-ink-faint">{withoutLoss[outcome] ?? outcomeLabels[outcome]}</span>;
  const scale = worst.scale.map(formatScore).join('–');
  const name = visibleText(worst.evaluator);
  return (
    <span
      className="flex items-baseline justify-end gap-1.5"
      title={`${name} ${formatExact(worst.delta)} on a scale of ${scale}`}
    >
      <bdi className="truncate text-xs text-ink-faint">{name}</bdi>
      <Delta value={worst.delta} />
      <span className="shrink-0 text-xs text-ink-faint">of {scale}</span>
    </span>
  );
}

function Output({ side, name }: { side: ComparedSide | null; name: string }): ReactNode {
  if (side === null) return <Absent why={`Not in the ${name} run`} text="not in run" />;
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      {side.error !== null && <Badge tone="bad">failed</Badge>}
      {(side.output !== null || side.error === null) && <ValuePreview value={side.output} className="text-ink-soft" />}
    </span>
  );
}

/** A score change with its sign, green if better and red if worse. */
export function Delta({ value }: { value: number }): ReactNode {
  return (
    <span
      className={classNames('numbers font-medium', value > 0 && 'text-good', value < 0 && 'text-bad')}
      title={formatExact(value)}
    >
      {formatDelta(value)}
    </span>
  );
}

interface MeasureDeltaProps {
  value: number | null;
  /** Why there is none. */
  why: string;
  unit: string;
  format(value: number): string;
}

function MeasureDelta({ value, why, unit, format }: MeasureDeltaProps): ReactNode {
  if (value === null) return <Absent why={why} />;
  return (
    <span className="numbers text-ink-soft" title={`${formatExact(value)} ${unit}`}>
      {value === 0 ? format(0) : `${value < 0 ? '−' : '+'}${format(Math.abs(value))}`}
    </span>
  );
}

function scoreColumn(evaluator: string): Column<ComparisonRow> {
  return {
    id: `score ${evaluator}`,
    title: visibleText(evaluator),
    hint: 'Candidate − baseline',
    width: 120,
    align: 'end',
    value: ({ deltas }) => deltas.get(evaluator) ?? null,
    cell: ({ deltas }) => {
      const delta = deltas.get(evaluator);
      return delta === undefined ? <Absent why="Not scored in both runs" /> : <Delta value={delta} />;
    },
  };
}
