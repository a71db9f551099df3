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
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Delta } from './comparison-columns.tsx';
import { outputsDiffer } from './comparison-rows.ts';
import type { ComparisonRow } from './comparison-rows.ts';
import { MarkedText } from './marked-text.tsx';
import type { NumberedItem } from './item-columns.tsx';
import { Latency } from './run-columns.tsx';
import { RunError, RunScores } from './run-scores.tsx';
import { diffTexts } from './text-diff.ts';
import type { Part } from './text-diff.ts';

/** Characters of both outputs whose differences are marked; larger ones are shown as they are. */
const mostMarked = 60_000;

interface ComparedPanelProps {
  row: ComparisonRow;
  /** What the dataset has of it; null while that has not been read. */
  source: NumberedItem | null;
  onClose(): void;
}

/** What two runs made of one item, side by side. */
export function ComparedPanel({ row, source, onClose }: ComparedPanelProps): ReactNode {
  const { a, b } = row.compared;
  const marks = useMemo(() => marksOf(a, b), [a, b]);
  return (
    <section aria-label="Item in both runs" className="flex w-[64%] shrink-0 flex-col border-l border-line bg-surface">
      <header className="flex min-h-10 items-center gap-3 border-b border-line py-1 pr-1.5 pl-3">
        <h2 className="font-semibold">{source ? `Item ${source.number}` : 'Item'}</h2>
        {!outputsDiffer(row.compared) && <span className="text-ink-faint">both made the same of it</span>}
        <span className="flex-1" />
        <IconButton label="Close the item" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </header>
      <div className="scroll-thin flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
        {source && <ValueView title="Input" value={source.item.input} />}
        {source?.item.expectedOutput !== undefined && <ValueView title="Expected output" value={source.item.expectedOutput} />}
        <div className="grid grid-cols-2 gap-3">
          <Side name="a" side={a} parts={marks?.a ?? null} deltas={null} />
          <Side name="b" side={b} parts={marks?.b ?? null} deltas={row.deltas} />
        </div>
      </div>
    </section>
  );
}

function marksOf(a: ComparedSide | null, b: ComparedSide | null): { a: Part[]; b: Part[] } | null {
  if (a === null || b === null || a.output === null || b.output === null) return null;
  if (jsonSize(a.output, mostMarked) + jsonSize(b.output, mostMarked) >= mostMarked) return null;
  const textOf = (output: unknown) => (typeof output === 'string' ? output : jsonText(output));
  return diffTexts(textOf(a.output), textOf(b.output));
}

interface SideProps {
  name: 'a' | 'b';
  side: ComparedSide | null;
  /** Its output with what the other one has not; null where that is not looked at. */
  parts: readonly Part[] | null;
  /** What changed from the other side. */
  deltas: ReadonlyMap<string, number> | null;
}

function Side({ name, side, parts, deltas }: SideProps): ReactNode {
  const { at } = useProject();
  if (side === null) {
    return (
      <section aria-label={`Run ${name}`}>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-ink-faint">This run lacks the item.</p>
      </section>
    );
  }
  return (
    <section aria-label={`Run ${name}`} className="flex min-w-0 flex-col gap-2">
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
        <ValueView title={`Output of ${name}`} value={side.output} />
      ) : (
        <MarkedText label={`Output of ${name}`} parts={parts} kind={name === 'a' ? 'gone' : 'new'} />
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
