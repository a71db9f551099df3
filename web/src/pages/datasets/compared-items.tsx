import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { RunComparison } from '../../api/wire.ts';
import { DataTable } from '../../design/data-table.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { ComparedPanel } from './compared-panel.tsx';
import { byVerdict } from './delta-label.ts';
import { comparisonColumns } from './comparison-columns.tsx';
import { comparisonRows, sortOf } from './comparison-rows.ts';
import type { ComparisonRow } from './comparison-rows.ts';
import type { DatasetSearch } from './search.ts';
import { useItemsOf } from './use-items-of.ts';

/** The items of two runs, biggest regression first, with the selected item in a panel. */
export function ComparedItems({ datasetId, comparison }: { datasetId: string; comparison: RunComparison }): ReactNode {
  const { item: openId, order } = useSearch({ from: '/o/$org/p/$project/datasets/$datasetId' });
  const navigate = useNavigate();
  const rows = useMemo(() => comparisonRows(comparison.items), [comparison]);
  const evaluators = useMemo(() => byVerdict(comparison.byEvaluator).map(({ evaluator }) => evaluator), [comparison]);
  const sources = useItemsOf(datasetId, rows.length);
  const columns = useMemo(() => comparisonColumns(sources, evaluators, openId), [sources, evaluators, openId]);
  const change = (next: DatasetSearch) =>
    void navigate({ to: '.', search: (before: DatasetSearch) => ({ ...before, ...next }), replace: true });
  const opened = rows.find(({ compared }) => compared.datasetItemId === openId);
  const onlyInOne = rows.filter(({ compared: { a, b } }) => a === null || b === null).length;
  return (
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
            {countedExactly(rows.length, 'item')}
            {onlyInOne > 0 && `, ${formatExact(onlyInOne)} in one run only`}
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
  );
}
