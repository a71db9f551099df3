import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { ComparedSide } from '../api/parts.ts';
import { Absent, Duration, Unpriced, Usd } from '../design/figures.tsx';
import { pages } from '../paths.ts';
import type { ProjectPath } from '../paths.ts';
import { jsonSize } from './json-size.ts';
import { jsonText } from './json-text.ts';
import { MarkedText } from './marked-text.tsx';
import { RunError, RunScores } from './run-scores.tsx';
import { diffTexts } from './text-diff.ts';
import type { Part } from './text-diff.ts';
import { ValueView } from './value-view.tsx';

/** Differences are marked up to this total length of both outputs, in characters. */
const maxMarked = 60_000;

/** What a run has of an item. */
export type Result = Pick<
  ComparedSide,
  'output' | 'error' | 'latencyMs' | 'costUsd' | 'unpricedCalls' | 'partlyPricedCalls' | 'traceId'
> & {
  scores: Parameters<typeof RunScores>[0]['scores'];
};

interface ResultSidesProps {
  at: ProjectPath;
  /** null: the run does not have the item. */
  baseline: Result | null;
  candidate: Result | null;
  /** In the line of figures. */
  notes?: { baseline?: ReactNode; candidate?: ReactNode };
}

/** What two runs have of an item, side by side, with the differences of their outputs marked. */
export function ResultSides({ at, baseline, candidate, notes }: ResultSidesProps): ReactNode {
  const marks = useMemo(() => marksOf(baseline, candidate), [baseline, candidate]);
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side at={at} name="Baseline" result={baseline} parts={marks?.a ?? null} note={notes?.baseline} />
      <Side at={at} name="Candidate" result={candidate} parts={marks?.b ?? null} note={notes?.candidate} />
    </div>
  );
}

function marksOf(a: Result | null, b: Result | null): { a: Part[]; b: Part[] } | null {
  if (a === null || b === null || a.output === null || b.output === null) return null;
  if (jsonSize(a.output, maxMarked) + jsonSize(b.output, maxMarked) >= maxMarked) return null;
  const textOf = (output: unknown) => (typeof output === 'string' ? output : jsonText(output));
  return diffTexts(textOf(a.output), textOf(b.output));
}

interface SideProps {
  at: ProjectPath;
  name: 'Baseline' | 'Candidate';
  result: Result | null;
  /** The output with differences marked; null if the outputs are not compared. */
  parts: readonly Part[] | null;
  note: ReactNode;
}

function Side({ at, name, result, parts, note }: SideProps): ReactNode {
  if (result === null) {
    return (
      <section aria-label={name}>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-ink-faint">Not in this run.</p>
      </section>
    );
  }
  return (
    <section aria-label={name} className="flex min-w-0 flex-col gap-2">
      <ResultFigures at={at} result={result}>
        <span className="font-semibold text-ink">{name}</span>
        {note}
      </ResultFigures>
      <RunError error={result.error} />
      {parts === null ? (
        <ValueView title={`${name} output`} value={result.output} />
      ) : (
        <MarkedText label={`${name} output`} parts={parts} kind={name === 'Baseline' ? 'removed' : 'added'} />
      )}
      <RunScores scores={result.scores} />
    </section>
  );
}

/** Latency and cost of a result and the link to its trace. @param children at the start of the line */
export function ResultFigures({ at, result, children }: { at: ProjectPath; result: Result; children?: ReactNode }): ReactNode {
  const { latencyMs, costUsd, unpricedCalls, partlyPricedCalls, traceId } = result;
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-ink-soft">
      {children}
      {latencyMs === null ? <Absent why="No latency recorded" /> : <Duration ms={latencyMs} />}
      {costUsd === null && unpricedCalls > 0 && <Unpriced />}
      {costUsd !== null && <Usd value={costUsd} unpriced={unpricedCalls} partly={partlyPricedCalls} />}
      {traceId !== null && (
        <Link {...pages.trace(at, traceId)} className="text-accent hover:underline">
          Trace
        </Link>
      )}
    </p>
  );
}
