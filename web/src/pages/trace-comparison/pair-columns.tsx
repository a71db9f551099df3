import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OutlinedSpan } from '../../api/service.ts';
import { kindColor, kindIcons } from '../../content/span-kinds.ts';
import { Badge } from '../../design/badge.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Duration, Usd } from '../../design/figures.tsx';
import { formatShare } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { changeLabels, shareOfChange } from './compared-pairs.ts';
import type { ComparedPair } from './compared-pairs.ts';

/** The columns of the pairs of spans. @param opened number of the opened pair, beside which there is room for few */
export function pairColumns(opened: number | undefined): ReadonlyArray<Column<ComparedPair>> {
  if (opened !== undefined) {
    return [
      {
        id: 'span',
        title: 'Span',
        width: 140,
        grow: true,
        cell: (pair) => <SpanCell span={pair.a ?? pair.b} pair={pair} opened={opened} isLink />,
      },
      { id: 'changes', title: 'What changed', width: 230, cell: (pair) => <Changes pair={pair} /> },
    ];
  }
  return [
    {
      id: 'a',
      title: 'Span in A',
      width: 200,
      grow: true,
      cell: (pair) => <SpanCell span={pair.a} pair={pair} opened={opened} isLink={pair.a !== null} />,
    },
    {
      id: 'b',
      title: 'Span in B',
      width: 200,
      grow: true,
      cell: (pair) => <SpanCell span={pair.b} pair={pair} opened={opened} isLink={pair.a === null} />,
    },
    { id: 'changes', title: 'What changed', width: 340, cell: (pair) => <Changes pair={pair} /> },
    {
      id: 'duration',
      title: 'Duration',
      hint: 'In A, then in B',
      width: 140,
      droppable: true,
      align: 'end',
      cell: ({ a, b }) => (
        <Both a={a && <Duration ms={a.durationMs ?? null} />} b={b && <Duration ms={b.durationMs ?? null} />} />
      ),
    },
    {
      id: 'cost',
      title: 'Cost',
      hint: 'In A, then in B',
      width: 150,
      droppable: true,
      align: 'end',
      cell: ({ a, b }) => <Both a={costOf(a)} b={costOf(b)} />,
    },
  ];
}

function costOf(span: OutlinedSpan | null): ReactNode {
  return span?.costUsd === undefined || span.costUsd === null ? null : <Usd value={span.costUsd} />;
}

function Both({ a, b }: { a: ReactNode; b: ReactNode }): ReactNode {
  if (a === null && b === null) return null;
  return (
    <span className="text-xs text-ink-soft">
      {a ?? '–'} <span className="text-ink-faint">→</span> {b ?? '–'}
    </span>
  );
}

const indentClasses = ['pl-0', 'pl-3', 'pl-6', 'pl-9', 'pl-12', 'pl-15', 'pl-18', 'pl-21', 'pl-24'] as const;

interface SpanCellProps {
  span: OutlinedSpan | null;
  pair: ComparedPair;
  opened: number | undefined;
  /** One of the two opens the pair by the keyboard. */
  isLink: boolean;
}

function SpanCell({ span, pair, opened, isLink }: SpanCellProps): ReactNode {
  if (span === null) return <span className="text-ink-faint">–</span>;
  const Icon = kindIcons[span.kind];
  const isFailed = span.status === 'error';
  const name = <bdi className={classNames('truncate', isFailed && 'font-medium text-bad')}>{visibleText(span.name)}</bdi>;
  const isOpen = pair.number === opened;
  return (
    <span
      className={classNames('flex min-w-0 items-center gap-1.5', indentClasses[Math.min(span.depth, indentClasses.length - 1)])}
    >
      <Icon className="size-3.5 shrink-0" style={{ color: kindColor(span.kind) }} role="img" aria-label={span.kind} />
      {isLink ? (
        <Link
          to="."
          search={(before: { pair?: number | undefined }) => ({ ...before, pair: pair.number })}
          replace
          aria-current={isOpen ? 'true' : undefined}
          className="flex min-w-0 hover:text-accent hover:underline"
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {isFailed && <Badge tone="bad">failed</Badge>}
    </span>
  );
}

function Changes({ pair }: { pair: ComparedPair }): ReactNode {
  if (pair.match === 'same') return <span className="text-ink-faint">same</span>;
  if (pair.match === 'a') return <Badge tone="bad">only in A</Badge>;
  if (pair.match === 'b') return <Badge tone="good">only in B</Badge>;
  return (
    // Two lines of badges are as high as a row.
    <span
      className="flex min-w-0 flex-wrap items-center gap-x-1"
      title={pair.changes.map((field) => labelOf(pair, field)).join(', ')}
    >
      {pair.changes.map((field) => (
        <Badge key={field} tone="warn">
          {labelOf(pair, field)}
        </Badge>
      ))}
    </span>
  );
}

function labelOf(pair: ComparedPair, field: ComparedPair['changes'][number]): string {
  return changeLabels[field] + shareText(pair, field);
}

/** By how much a duration or a cost changed. */
function shareText({ a, b }: ComparedPair, field: ComparedPair['changes'][number]): string {
  if (field !== 'durationMs' && field !== 'costUsd') return '';
  const share = shareOfChange(a?.[field], b?.[field]);
  return share === null ? '' : ` ${share < 0 ? '−' : '+'}${formatShare(Math.abs(share))}`;
}
