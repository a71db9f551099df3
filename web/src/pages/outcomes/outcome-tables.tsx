import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OutcomeSummary } from '../../api/service.ts';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Money, Share, missingCost, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';
import { kindsWithCurrencies, mostFirst } from './outcome-figures.ts';

const nameLink = 'font-medium hover:text-accent hover:underline';

interface TableProps {
  summary: OutcomeSummary;
  range: FiguresSearch;
}

type PerSuccess = Pick<OutcomeSummary['totals'][number], 'costPerSuccess' | 'unpricedCalls' | 'partlyPricedCalls'>;

function valueOf({ value, currency }: { value: number; currency: string }): ReactNode {
  return value === 0 ? <Absent key="v" why="No value" /> : <Money key="v" value={value} currency={currency} />;
}

function perSuccess({ costPerSuccess, unpricedCalls, partlyPricedCalls }: PerSuccess): ReactNode {
  if (costPerSuccess !== null) return <Usd key="p" value={costPerSuccess} />;
  const missing = missingCost(unpricedCalls, partlyPricedCalls);
  return <Absent key="p" why={missing === null ? 'No successful outcome' : `The cost is not known whole: ${missing}`} />;
}

/** The outcomes by kind and currency; each kind opens the page of it alone. */
export function KindsCard({ summary: { totals }, range }: TableProps): ReactNode {
  const { at } = useProject();
  const severalCurrencies = kindsWithCurrencies(totals);
  return (
    <Card title="By kind">
      <PlainTable
        label="By kind"
        head={['Kind', 'Outcomes', 'Success rate', 'Cost per success', 'Value', 'Successful', 'Cost', 'Cost per outcome']}
        rows={mostFirst(totals).map((row) => ({
          key: `${row.kind} ${row.currency}`,
          cells: [
            <span key="k" className="block">
              <Link {...pages.outcomes(at)} search={{ ...range, kind: row.kind }} className={nameLink}>
                <VisibleLine text={row.kind} />
              </Link>
              {severalCurrencies.has(row.kind) && <span className="block text-xs text-ink-faint">{row.currency}</span>}
            </span>,
            <Count key="c" value={row.count} />,
            row.successRate === null ? (
              <Absent key="r" why="No outcome has a success or failure" />
            ) : (
              <span key="r" className="block">
                <Share value={row.successRate} />
                <span className="block text-xs text-ink-faint">
                  of <Count value={row.judgedCount} /> that {row.judgedCount === 1 ? 'says' : 'say'} so
                </span>
              </span>
            ),
            perSuccess(row),
            valueOf(row),
            <Count key="s" value={row.successCount} />,
            <Usd key="u" value={row.cost} unpriced={row.unpricedCalls} partly={row.partlyPricedCalls} />,
            row.costPerOutcome === null ? <Absent key="o" why="No outcomes" /> : <Usd key="o" value={row.costPerOutcome} />,
          ],
        }))}
      />
    </Card>
  );
}

type Member = OutcomeSummary['byAgent'][number] | OutcomeSummary['byModel'][number];
const nameOf = (row: Member) => ('agent' in row ? row.agent : row.model);

interface MembersCardProps {
  by: 'agent' | 'model';
  rows: readonly Member[];
  range: FiguresSearch;
}

/** The outcomes of the traces of each agent, or of the traces that called each model. */
export function MembersCard({ by, rows, range }: MembersCardProps): ReactNode {
  const severalCurrencies = kindsWithCurrencies(rows);
  return (
    <Card title={`By ${by}`}>
      {rows.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">No {by}s. No spans of these traces are stored.</p>
      ) : (
        <PlainTable
          label={`By ${by}`}
          head={[by === 'agent' ? 'Agent' : 'Model', 'Outcomes', 'Successful', 'Cost per success', 'Value', 'Cost']}
          rows={mostFirst(rows).map((row) => ({
            key: `${nameOf(row)} ${row.kind} ${row.currency}`,
            cells: [
              <span key="n" className="block">
                <MemberLink by={by} name={nameOf(row)} range={range} />
                <span className="block text-xs text-ink-faint">
                  <VisibleLine text={severalCurrencies.has(row.kind) ? `${row.kind}, ${row.currency}` : row.kind} />
                </span>
              </span>,
              <Count key="c" value={row.count} />,
              <Count key="s" value={row.successCount} />,
              perSuccess(row),
              valueOf(row),
              <Usd key="u" value={row.cost} unpriced={row.unpricedCalls} partly={row.partlyPricedCalls} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

function MemberLink({ by, name, range }: Pick<MembersCardProps, 'by' | 'range'> & { name: string }): ReactNode {
  const { at } = useProject();
  const text = <VisibleLine text={name} />;
  return by === 'agent' ? (
    <Link {...pages.traces(at)} search={{ ...range, agent: name }} className={nameLink}>
      {text}
    </Link>
  ) : (
    <Link {...pages.model(at, name)} search={range} className={nameLink}>
      {text}
    </Link>
  );
}
