import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import type { ModelDetail } from '../../api/service.ts';
import { comparisonLabel } from '../../content/model-comparison.ts';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Duration, Score, Share, Unpriced, Usd } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { TracesLink } from '../../frame/trace-links.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { pages } from '../../paths.ts';
import type { FiguresSearch } from '../../range.ts';
import type { FilterSearch } from '../../trace-filters.ts';
import { lowScores } from './low-scores.ts';

type Usage = ModelDetail['usage']['agents'][number] | ModelDetail['usage']['operations'][number];

interface UsageTableProps {
  title: string;
  rows: readonly Usage[];
  /** No call of the model has a price. */
  unpriced: boolean;
  nameOf(row: Usage): string;
  /** The filter of the traces that a name leads to. */
  filterOf?(name: string): FilterSearch;
}

/** The agents or operations that call the model. */
export function UsageTable({ title, rows, unpriced, nameOf, filterOf }: UsageTableProps): ReactNode {
  return (
    <Card title={title}>
      {rows.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">None recorded.</p>
      ) : (
        <PlainTable
          label={title}
          head={['Name', 'Calls', 'Cost', 'Mean latency', 'Error rate']}
          rows={rows.map((row) => ({
            key: nameOf(row),
            cells: [
              filterOf === undefined ? (
                <VisibleLine key="n" text={nameOf(row)} />
              ) : (
                <TracesLink key="n" filter={filterOf(nameOf(row))} text={nameOf(row)} />
              ),
              <Count key="c" value={row.calls} />,
              unpriced ? (
                <Unpriced key="u" />
              ) : (
                <Usd key="u" value={row.cost} unpriced={row.unpriced_calls} partly={row.partly_priced_calls} />
              ),
              <Duration key="d" ms={row.avg_latency} />,
              <Share key="s" value={row.error_rate} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** Error codes of failed calls, with a link to the traces. */
export function ErrorTable({ detail, range }: { detail: ModelDetail; range: FiguresSearch }): ReactNode {
  const { at } = useProject();
  const { errorBreakdown, summary, model } = detail;
  return (
    <Card
      title="Errors"
      aside={
        errorBreakdown.length > 0 && (
          <Link
            {...pages.traces(at)}
            search={{ ...range, model, status: 'error' as const }}
            className="text-xs text-accent hover:underline"
          >
            View traces
          </Link>
        )
      }
    >
      {errorBreakdown.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">No failed calls.</p>
      ) : (
        <PlainTable
          label="Errors"
          head={['Error code', 'Calls', 'Share of errors']}
          rows={errorBreakdown.map(({ error_code: code, count }) => ({
            key: code,
            cells: [
              <VisibleLine key="e" text={code} />,
              <Count key="c" value={count} />,
              <Share key="s" value={count / Math.max(1, summary?.error_count ?? 0)} />,
            ],
          }))}
        />
      )}
    </Card>
  );
}

/** Scores by evaluator, with links to traces with low scores. */
export function EvaluatorTable({ detail, range }: { detail: ModelDetail; range: FiguresSearch }): ReactNode {
  const { at, projectId } = useProject();
  const { quality, model } = detail;
  const { data } = useQuery(evaluatorsQuery(projectId));
  return (
    <Card title="Quality by evaluator">
      {quality.hasData ? (
        <PlainTable
          label="Quality by evaluator"
          head={['Evaluator', 'Mean score', 'Evaluations', 'Passed', 'Failed', 'Traces']}
          rows={quality.byEvaluator.map((row) => {
            const low = lowScores(
              row,
              data?.evaluators.find(({ slug }) => slug === row.evaluator_slug),
            );
            return {
              key: row.evaluator_slug,
              cells: [
                <VisibleLine key="e" text={row.evaluator_slug} />,
                <Score key="s" value={row.avg_score} />,
                <Count key="c" value={row.eval_count} />,
                <Count key="p" value={row.pass_count} />,
                <Count key="f" value={row.fail_count} />,
                <Link
                  key="t"
                  {...pages.traces(at)}
                  search={{ ...range, model, evaluator: row.evaluator_slug, ...low }}
                  className="text-accent hover:underline"
                  aria-label={visibleText(`View traces with ${low ? 'low scores' : 'scores'} of ${row.evaluator_slug}`)}
                >
                  {low ? 'Low scores' : 'View'}
                </Link>,
              ],
            };
          })}
        />
      ) : (
        <p className="px-3 py-4 text-ink-faint">No evaluations. Send scores with your spans, or create an evaluator.</p>
      )}
    </Card>
  );
}

interface ComparisonTableProps {
  frontier: ModelDetail['frontier'];
  range: FiguresSearch;
  /** Models without a price. */
  unpriced: ReadonlySet<string>;
}

/** All other models compared with this one. */
export function ComparisonTable({ frontier, range, unpriced }: ComparisonTableProps): ReactNode {
  const { at } = useProject();
  return (
    <Card title="Compared with other models">
      {frontier.points.length === 0 ? (
        <p className="px-3 py-4 text-ink-faint">No other models in this time range.</p>
      ) : (
        <PlainTable
          label="Compared with other models"
          head={['Comparison', 'Cost per call', 'Mean score']}
          rows={frontier.points.map((point) => ({
            key: point.model,
            cells: [
              <span key="m" className="block">
                <Link {...pages.model(at, point.model)} search={range} className="hover:text-accent hover:underline">
                  <VisibleLine text={point.model} />
                </Link>
                <span className="block text-xs whitespace-normal text-ink-faint">
                  {comparisonLabel(point, unpriced.has(point.model) || unpriced.has(frontier.thisModel?.model ?? ''))}
                </span>
              </span>,
              unpriced.has(point.model) ? (
                <Unpriced key="u" />
              ) : (
                <Usd key="u" value={point.avgCostUsd} unpriced={point.unpricedCalls} partly={point.partlyPricedCalls} />
              ),
              point.avgEvalScore === null ? (
                <Absent key="q" why="No evaluations" />
              ) : (
                <Score key="q" value={point.avgEvalScore} />
              ),
            ],
          }))}
        />
      )}
    </Card>
  );
}
