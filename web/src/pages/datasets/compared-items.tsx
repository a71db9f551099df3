import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import type { Comparison } from '../../api/service.ts';
import { DataTable } from '../../design/data-table.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { ComparedFilter } from './compared-filter.tsx';
import { ComparedPanel } from './compared-panel.tsx';
import { byVerdict } from './delta-label.ts';
import { comparisonColumns } from './comparison-columns.tsx';
import { comparisonRows, sortOf } from './comparison-rows.ts';
import type { ComparisonRow } from './comparison-rows.ts';
import { scoreScales } from './score-scales.ts';
import type { DatasetSearch } from './search.ts';
import { useItemsOf } from './use-items-of.ts';

/** The items of two runs, greatest loss first, with filters by outcome and evaluator and the selected item in a panel. */
export function ComparedItems({ datasetId, comparison }: { datasetId: string; comparison: Comparison }): ReactNode {
  const { projectId } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const { item: openId, order, show } = search;
  const navigate = useNavigate();
  const configured = useQuery(evaluatorsQuery(projectId)).data?.evaluators;
  const evaluators = useMemo(() => byVerdict(comparison.byEvaluator).map(({ evaluator }) => evaluator), [comparison]);
  const by = evaluators.find((evaluator) => evaluator === search.evaluator);
  const scales = useMemo(() => scoreScales(comparison.items, configured ?? []), [comparison, configured]);
  const all = useMemo(() => comparisonRows(comparison.items, { scales, evaluator: by }), [comparison, scales, by]);
  const rows = useMemo(() => (show === undefined ? all : all.filter(({ outcome }) => outcome === show)), [all, show]);
  const sources = useItemsOf(datasetId, all.length);
  const columns = useMemo(
    () => comparisonColumns(sources, by === undefined ? evaluators : [by], openId),
    [sources, evaluators, by, openId],
  );
  const change = (next: DatasetSearch) =>
    void navigate({ to: '.', search: (before: DatasetSearch) => ({ ...before, ...next }), replace: true });
  const opened = all.find(({ compared }) => compared.datasetItemId === openId);
  return (
    <>
      <ComparedFilter rows={all} evaluators={evaluators} show={show} by={by} onChange={change} />
      <div className="flex min-h-0 flex-1">
        <DataTable<ComparisonRow>
          label="Compared items"
          columns={columns}
          hidden={opened ? ['a', 'b', 'latency', 'cost', ...evaluators.map((one) => `score ${one}`)] : []}
          rows={rows}
          rowKey={({ compared }) => compared.datasetItemId}
          sort={sortOf(order)}
          onSort={({ id, descending }) => {
            // Sort ascending first: regressions are negative.
            const first = sortOf(order).id !== id;
            change({ order: `${first ? '' : descending ? '-' : ''}${id}` });
          }}
          onOpen={({ compared }) => change({ item: compared.datasetItemId })}
          className="min-h-0 min-w-0 flex-1"
          footer={
            <p className="px-3 py-2 text-xs text-ink-faint">
              {show !== undefined && `${formatExact(rows.length)} of `}
              {countedExactly(all.length, 'item')}
            </p>
          }
        />
        {opened && (
          <ComparedPanel
            key={opened.compared.datasetItemId}
            row={opened}
            source={sources.get(opened.compared.datasetItemId) ?? null}
            onClose={() => change({ item: undefined })}
          />
        )}
      </div>
    </>
  );
}
