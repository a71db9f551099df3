import { Fragment, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { moreElements } from './show-more.tsx';
import { Button } from '../design/button.tsx';
import { Card } from '../design/card.tsx';
import { classNames } from '../design/class-names.ts';
import { visiblePart } from '../format/visible-text.ts';
import { diffRows, foldSame } from './diff-rows.ts';
import type { Block, DiffRow, Line } from './diff-rows.ts';

const rowStep = 1_000;

interface DiffTableProps {
  title: string;
  /** Baseline and candidate. */
  texts: readonly [string, string];
  sides: readonly [string, string];
  /** Text shown without differences. */
  same: string;
}

/** A line diff: side by side, or one below the other in a narrow card. Unchanged lines are folded. */
export function DiffTable({ title, texts, sides, same }: DiffTableProps): ReactNode {
  const [before, after] = texts;
  const diff = useMemo(() => (before === after ? null : diffRows(before, after)), [before, after]);
  if (diff === null) {
    return (
      <Card title={title}>
        <p className="px-3 py-3 text-ink-faint">{same}</p>
      </Card>
    );
  }
  return (
    <Card
      title={title}
      aside={
        <span className="numbers text-xs text-ink-faint">
          <span className="text-bad">−{diff.removed}</span> <span className="text-good">+{diff.added}</span> lines
        </span>
      }
    >
      {!diff.matched && (
        <p className="border-b border-line px-3 py-1.5 text-xs text-ink-faint">
          Too large for a line diff. Both versions are shown unchanged.
        </p>
      )}
      <Rows
        key={`${sides.join()} ${before.length} ${after.length}`}
        title={title}
        rows={diff.rows}
        sides={sides}
        shown={before === '' ? 'right' : after === '' ? 'left' : 'both'}
      />
    </Card>
  );
}

interface RowsProps {
  title: string;
  rows: readonly DiffRow[];
  sides: readonly [string, string];
  shown: Shown;
}

/** An empty text has no column. */
type Shown = 'both' | 'left' | 'right';

/** Two sides in a narrow card: each line in a row of its own, unchanged ones once. */
const narrow = {
  table: '@max-2xl:block',
  columns: '@max-2xl:hidden',
  rows: '@max-2xl:block',
  head: '@max-2xl:flex',
  row: '@max-2xl:grid @max-2xl:grid-cols-[2.75rem_minmax(0,1fr)]',
  whole: '@max-2xl:col-span-2',
  hidden: '@max-2xl:hidden',
};

function Rows({ title, rows, sides, shown }: RowsProps): ReactNode {
  const [count, setCount] = useState(rowStep);
  const heads = shown === 'both' ? sides : [shown === 'left' ? sides[0] : sides[1]];
  const blocks = useMemo(() => foldSame(rows.slice(0, count)), [rows, count]);
  const isPair = shown === 'both';
  return (
    <div className="scroll-thin @container overflow-x-auto" tabIndex={0} role="group" aria-label={`${title}: differences`}>
      <table
        className={classNames('w-full table-fixed font-mono text-xs leading-5', isPair && narrow.table)}
        aria-label={`${title}: ${sides.join(' and ')}`}
      >
        <colgroup className={isPair ? narrow.columns : undefined}>
          {heads.map((side) => (
            <Fragment key={side}>
              <col className="w-11" />
              <col />
            </Fragment>
          ))}
        </colgroup>
        <thead className={isPair ? narrow.rows : undefined}>
          <tr className={classNames('text-left font-sans text-ink-faint', isPair && narrow.head)}>
            {heads.map((side) => (
              <th key={side} scope="col" colSpan={2} className="border-b border-line px-3 py-1 font-medium">
                {side}
              </th>
            ))}
          </tr>
        </thead>
        {blocks.map((block, index) => (
          // Blocks have no other key and never move.
          // oxlint-disable-next-line react/no-array-index-key
          <BlockRows key={index} block={block} shown={shown} />
        ))}
      </table>
      {rows.length > count && (
        <div className="p-2 text-center">
          <Button size="small" repeatable onClick={() => setCount(count + rowStep)}>
            {moreElements(rows.length - count, rowStep, 'lines')}
          </Button>
        </div>
      )}
    </div>
  );
}

function BlockRows({ block, shown }: { block: Block; shown: Shown }): ReactNode {
  const [open, setOpen] = useState(!block.folded);
  const isPair = shown === 'both';
  if (!open) {
    return (
      <tbody className={isPair ? narrow.rows : undefined}>
        <tr className={isPair ? narrow.row : undefined}>
          <td
            colSpan={4}
            className={classNames('border-y border-line bg-sunken p-0 text-center font-sans', isPair && narrow.whole)}
          >
            <button type="button" onClick={() => setOpen(true)} className="w-full py-0.5 text-ink-soft hover:text-ink">
              Show {block.rows.length} unchanged lines
            </button>
          </td>
        </tr>
      </tbody>
    );
  }
  return (
    <tbody className={isPair ? narrow.rows : undefined}>
      {block.rows.map((row) => {
        const isChanged = row.kind !== 'same';
        return (
          <tr
            key={`${row.left?.number ?? ''}-${row.right?.number ?? ''}`}
            className={classNames('align-top', isPair && narrow.row)}
          >
            {shown !== 'right' && <Side line={row.left} changed={isChanged} tone="bad" sign="−" isPair={isPair} />}
            {shown !== 'left' && <Side line={row.right} changed={isChanged} tone="good" sign="+" isPair={isPair} />}
          </tr>
        );
      })}
    </tbody>
  );
}

const lineTones = { good: 'bg-good-soft', bad: 'bg-bad-soft' };
const wordTones = {
  good: 'rounded-sm bg-good/25 font-semibold text-ink no-underline',
  bad: 'rounded-sm bg-bad/25 font-semibold text-ink no-underline',
};

interface SideProps {
  line: Line | null;
  changed: boolean;
  tone: 'good' | 'bad';
  sign: string;
  /** There is another side. */
  isPair: boolean;
}

function Side({ line, changed, tone, sign, isPair }: SideProps): ReactNode {
  const color = line === null ? 'bg-sunken' : changed && lineTones[tone];
  const hidden = isPair && (line === null || (!changed && tone === 'good')) && narrow.hidden;
  return (
    <>
      <td className={classNames('numbers px-1 text-right text-ink-soft select-none', color, hidden)}>
        {line?.number}
        <span aria-hidden>{line !== null && changed ? sign : ' '}</span>
      </td>
      <td className={classNames('px-2 [overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:isolate]', color, hidden)}>
        {line?.pieces.map(({ text, changed: marked }, index) => {
          const Tag = marked ? (tone === 'bad' ? 'del' : 'ins') : 'span';
          return (
            // Pieces have no other key and never move.
            // oxlint-disable-next-line react/no-array-index-key
            <Tag key={index} className={marked ? wordTones[tone] : undefined}>
              {visiblePart(text)}
            </Tag>
          );
        })}
      </td>
    </>
  );
}
