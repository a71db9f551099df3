import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { ComparedSide } from '../../api/wire.ts';
import { jsonSize } from '../../content/json-size.ts';
import { jsonText } from '../../content/json-text.ts';
import { ValueView } from '../../content/value-view.tsx';
import { IconButton } from '../../design/button.tsx';
import { Usd } from '../../design/figures.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Delta } from './comparison-columns.tsx';
import type { ComparisonRow } from './comparison-rows.ts';
import { MarkedText } from './marked-text.tsx';
import type { NumberedItem } from './item-columns.tsx';
import { Latency } from './run-columns.tsx';
import { RunError, RunScores } from './run-scores.tsx';
import { diffTexts } from './text-diff.ts';
import type { Part } from './text-diff.ts';

/** Differences are marked up to this total length of both outputs, in characters. */
const maxMarked = 60_000;

interface ComparedPanelProps {
  row: ComparisonRow;
  /** The dataset item; null while loading. */
  source: NumberedItem | null;
  onClose(): void;
}

/** One item in two runs, side by side. */
export function ComparedPanel({ row, source, onClose }: ComparedPanelProps): ReactNode {
  usePageKeys({ Escape: onClose });
  const { a, b } = row.compared;
  const marks = useMemo(() => marksOf(a, b), [a, b]);
  return (
    <section
      aria-label="Compared item"
      className="flex shrink-0 flex-col border-l border-line bg-surface max-lg:fixed max-lg:inset-0 max-lg:z-30 lg:w-[56%] xl:w-[64%]"
    >
      <header className="flex min-h-10 items-center gap-3 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="font-semibold">{source ? `Item ${source.number}` : 'Item'}</h2>
        {!row.differs && <span className="text-ink-faint">Unchanged</span>}
        <span className="flex-1" />
        <IconButton label="Close item" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
        {source && <ValueView title="Input" value={source.item.input} />}
        {source?.item.expectedOutput !== undefined && <ValueView title="Expected output" value={source.item.expectedOutput} />}
        <div className="grid gap-3 sm:grid-cols-2">
          <Side name="Baseline" side={a} parts={marks?.a ?? null} deltas={null} />
          <Side name="Candidate" side={b} parts={marks?.b ?? null} deltas={row.deltas} />
        </div>
      </div>
    </section>
  );
}

function marksOf(a: ComparedSide | null, b: ComparedSide | null): { a: Part[]; b: Part[] } | null {
  if (a === null || b === null || a.output === null || b.output === null) return null;
  if (jsonSize(a.output, maxMarked) + jsonSize(b.output, maxMarked) >= maxMarked) return null;
  const textOf = (output: unknown) => (typeof output === 'string' ? output : jsonText(output));
  return diffTexts(textOf(a.output), textOf(b.output));
}

interface SideProps {
  name: 'Baseline' | 'Candidate';
  side: ComparedSide | null;
  /** The output with differences marked; null if the outputs are not compared. */
  parts: readonly Part[] | null;
  /** Score changes from the baseline. */
  deltas: ReadonlyMap<string, number> | null;
}

function Side({ name, side, parts, deltas }: SideProps): ReactNode {
  const { at } = useProject();
  if (side === null) {
    return (
      <section aria-label={name}>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-ink-faint">Not in this run.</p>
      </section>
    );
  }
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
        <span className="font-semibold text-ink">{name}</span>
        <Latency ms={side.latencyMs} />
        {side.costUsd !== null && <Usd value={side.costUsd} />}
        {side.traceId !== null && (
          <Link {...pages.trace(at, side.traceId)} className="text-accent hover:underline">
            Trace
          </Link>
        )}
        {deltas && <Changes deltas={deltas} />}
      </p>
      <RunError error={side.error} />
      {parts === null ? (
        <ValueView title={`${name} output`} value={side.output} />
      ) : (
        <MarkedText label={`${name} output`} parts={parts} kind={name === 'Baseline' ? 'removed' : 'added'} />
      )}
      <RunScores scores={side.scores} />
    </section>
  );
}

function Changes({ deltas }: { deltas: ReadonlyMap<string, number> }): ReactNode {
  return [...deltas].map(([evaluator, delta]) => (
    <span key={evaluator} className="whitespace-nowrap">
      <Visible text={evaluator} className="text-ink-faint" /> <Delta value={delta} />
    </span>
  ));
}
