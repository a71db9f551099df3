import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import type { OutlinedSpan } from '../../api/service.ts';
import { spansQuery } from '../../api/traces.ts';
import { DiffTable } from '../../content/diff-table.tsx';
import { IconButton } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Duration, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { SidePanel } from '../../design/side-panel.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { changeLabels, comparedText, tokensOf } from './compared-pairs.ts';
import type { ComparedPair } from './compared-pairs.ts';

interface PairPanelProps {
  pair: ComparedPair;
  /** Ids of the traces. */
  a: string;
  b: string;
  /** The next and the previous pair that differ; null without one. */
  next: ComparedPair | null;
  previous: ComparedPair | null;
  onOpen(pair: ComparedPair): void;
  onClose(): void;
}

/** One pair of spans: what changed, and the differences of their inputs and outputs. */
export function PairPanel({ pair, a, b, next, previous, onOpen, onClose }: PairPanelProps): ReactNode {
  const step = (to: ComparedPair | null) => () => {
    if (to !== null) onOpen(to);
  };
  usePageKeys({ n: step(next), p: step(previous) });
  const span = pair.a ?? pair.b;
  return (
    <SidePanel
      label="Pair of spans"
      wide
      title={<Visible text={span?.name ?? ''} />}
      actions={
        <>
          <IconButton label="Previous difference (P)" disabled={previous === null} onClick={step(previous)}>
            <ChevronUp aria-hidden />
          </IconButton>
          <IconButton label="Next difference (N)" disabled={next === null} onClick={step(next)}>
            <ChevronDown aria-hidden />
          </IconButton>
          <IconButton label="Close pair" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </>
      }
      onClose={onClose}
    >
      <Fields pair={pair} a={a} b={b} />
      <Contents pair={pair} a={a} b={b} />
    </SidePanel>
  );
}

type Field = ComparedPair['changes'][number];

const shown: ReadonlyArray<readonly [field: Field, title: string, value: (span: OutlinedSpan) => ReactNode]> = [
  ['status', 'Status', ({ status }) => status ?? 'ok'],
  ['errorCode', 'Error code', ({ errorCode }) => errorCode && <VisibleLine text={errorCode} />],
  ['model', 'Model', ({ model }) => model && <VisibleLine text={model} />],
  ['promptVersion', 'Prompt version', ({ promptVersion }) => promptVersion && <VisibleLine text={String(promptVersion)} />],
  ['durationMs', 'Duration', ({ durationMs }) => <Duration ms={durationMs ?? null} />],
  ['usage', 'Tokens', (span) => tokensText(span)],
  ['costUsd', 'Cost', ({ costUsd }) => (costUsd === null || costUsd === undefined ? null : <Usd value={costUsd} />)],
];

function tokensText(span: OutlinedSpan): ReactNode {
  const tokens = tokensOf(span);
  return tokens === null ? null : <Count value={tokens} />;
}

/** The compared fields of both spans; those that changed are marked. Fields that neither has are left out. */
function Fields({ pair, a, b }: Pick<PairPanelProps, 'pair' | 'a' | 'b'>): ReactNode {
  const { at } = useProject();
  const cell = (span: OutlinedSpan | null, value: (span: OutlinedSpan) => ReactNode) =>
    span === null ? <Absent why="Not in this trace" /> : (value(span) ?? <Absent why="Not recorded" />);
  const rows = shown.filter(([, , value]) => [pair.a, pair.b].some((span) => span !== null && (value(span) ?? null) !== null));
  return (
    <Card
      title={titleOf(pair)}
      aside={
        <span className="flex gap-3 text-xs">
          {(
            [
              ['A', a, pair.a],
              ['B', b, pair.b],
            ] as const
          ).map(
            ([side, traceId, span]) =>
              span !== null && (
                <Link
                  key={side}
                  {...pages.trace(at, traceId)}
                  search={{ span: span.spanId }}
                  className="text-accent hover:underline"
                >
                  Open in trace {side}
                </Link>
              ),
          )}
        </span>
      }
    >
      <PlainTable
        label="Fields of both spans"
        head={['Field', 'A', 'B']}
        rows={rows.map(([field, title, value]) => ({
          key: field,
          cells: [
            <span key="t" className={pair.changes.includes(field) ? 'font-medium text-warn' : 'text-ink-soft'}>
              {title}
            </span>,
            <span key="a">{cell(pair.a, value)}</span>,
            <span key="b" className={pair.changes.includes(field) ? 'font-medium' : ''}>
              {cell(pair.b, value)}
            </span>,
          ],
        }))}
      />
    </Card>
  );
}

function titleOf({ match, changes }: ComparedPair): string {
  if (match === 'a') return 'Only in A';
  if (match === 'b') return 'Only in B';
  return changes.length === 0 ? 'Same in both' : `Changed: ${changes.map((field) => changeLabels[field]).join(', ')}`;
}

function Contents({ pair, a, b }: Pick<PairPanelProps, 'pair' | 'a' | 'b'>): ReactNode {
  const { projectId } = useProject();
  const queryOf = (traceId: string, span: OutlinedSpan | null) => ({
    ...spansQuery(projectId, traceId, [span?.spanId ?? ''], `${span?.endTime ?? ''} ${span?.status ?? ''}`),
    enabled: span !== null,
  });
  const left = useQuery(queryOf(a, pair.a));
  const right = useQuery(queryOf(b, pair.b));
  const failed = [left, right].find((query) => failureOf(query) !== null);
  if (failed) return <Failure error={failed.error} what="Span" onRetry={() => void failed.refetch()} />;
  if ((pair.a !== null && !left.data) || (pair.b !== null && !right.data)) return <Skeleton className="h-40" />;
  const [ofA, ofB] = [left.data?.spans[0], right.data?.spans[0]];
  return (['input', 'output'] as const).map((field) => (
    <DiffTable
      key={field}
      title={field === 'input' ? 'Input' : 'Output'}
      texts={[comparedText(ofA?.[field]), comparedText(ofB?.[field])]}
      sides={['A', 'B']}
      same={comparedText(ofA?.[field]) === '' ? 'Not recorded.' : 'The same in both.'}
    />
  ));
}
