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

/** A side-by-side line diff. Unchanged lines are folded. */
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

function Rows({ title, rows, sides, shown }: RowsProps): ReactNode {
  const [count, setCount] = useState(rowStep);
  const heads = shown === 'both' ? sides : [shown === 'left' ? sides[0] : sides[1]];
  const blocks = useMemo(() => foldSame(rows.slice(0, count)), [rows, count]);
  return (
    <div className="scroll-thin overflow-x-auto" tabIndex={0} role="group" aria-label={`${title}: differences`}>
      <table
        className={classNames('w-full table-fixed font-mono text-xs leading-5', shown === 'both' && 'min-w-2xl')}
        aria-label={`${title}: ${sides.join(' and ')}`}
      >
        <colgroup>
          {heads.map((side) => (
            <Fragment key={side}>
              <col className="w-11" />
              <col />
            </Fragment>
          ))}
        </colgroup>
        <thead>
          <tr className="text-left font-sans text-ink-faint">
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
  if (!open) {
    return (
      <tbody>
        <tr>
          <td colSpan={4} className="border-y border-line bg-sunken p-0 text-center font-sans">
            <button type="button" onClick={() => setOpen(true)} className="w-full py-0.5 text-ink-soft hover:text-ink">
              Show {block.rows.length} unchanged lines
            </button>
          </td>
        </tr>
      </tbody>
    );
  }
  return (
    <tbody>
      {block.rows.map((row) => (
        <tr key={`${row.left?.number ?? ''}-${row.right?.number ?? ''}`} className="align-top">
          {shown !== 'right' && <Side line={row.left} changed={row.kind !== 'same'} tone="bad" sign="−" />}
          {shown !== 'left' && <Side line={row.right} changed={row.kind !== 'same'} tone="good" sign="+" />}
        </tr>
      ))}
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
}

function Side({ line, changed, tone, sign }: SideProps): ReactNode {
  const color = line === null ? 'bg-sunken' : changed && lineTones[tone];
  return (
    <>
      <td className={classNames('numbers px-1 text-right text-ink-soft select-none', color)}>
        {line?.number}
        <span aria-hidden>{line !== null && changed ? sign : ' '}</span>
      </td>
      <td className={classNames('px-2 [overflow-wrap:anywhere] whitespace-pre-wrap [unicode-bidi:isolate]', color)}>
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
