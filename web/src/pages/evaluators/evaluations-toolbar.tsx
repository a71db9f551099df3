import { useQuery } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import { Button } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { targetTypeLabels } from './evaluations-search.ts';
import type { EvaluationsSearch } from './evaluations-search.ts';
import { evaluationStatuses, evaluationTargetTypes } from '../../../../src/contract/kinds.ts';

interface EvaluationsToolbarProps {
  search: EvaluationsSearch;
  refreshing: boolean;
  onChange(change: Partial<EvaluationsSearch>): void;
  onRefresh(): void;
}

/** The filters of the list of evaluations. */
export function EvaluationsToolbar({ search, refreshing, onChange, onRefresh }: EvaluationsToolbarProps): ReactNode {
  const { projectId } = useProject();
  const { data } = useQuery(evaluatorsQuery(projectId));
  const evaluators = (data?.evaluators ?? []).map(({ slug, name }) => ({ value: slug, label: visibleText(name) }));
  const chosen = search.evaluator ?? '';
  const known = chosen === '' || evaluators.some(({ value }) => value === chosen);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <Select
        label="Evaluator"
        labelHidden
        className="w-52"
        value={chosen}
        options={[
          { value: '', label: 'All evaluators' },
          ...(known ? [] : [{ value: chosen, label: visibleText(chosen) }]),
          ...evaluators,
        ]}
        onValue={(evaluator) => onChange({ evaluator: evaluator === '' ? undefined : evaluator })}
      />
      <Select
        label="Status"
        labelHidden
        className="w-36"
        value={search.status ?? ''}
        options={[{ value: '', label: 'All statuses' }, ...evaluationStatuses.map((value) => ({ value, label: value }))]}
        onValue={(status) => onChange({ status: status === '' ? undefined : status })}
      />
      <Select
        label="Target"
        labelHidden
        className="w-36"
        value={search.target ?? ''}
        options={[
          { value: '', label: 'All targets' },
          ...evaluationTargetTypes.map((value) => ({ value, label: targetTypeLabels[value] })),
        ]}
        onValue={(target) => onChange({ target: target === '' ? undefined : target })}
      />
      <Button className="ml-auto" repeatable onClick={onRefresh} disabled={refreshing}>
        <RefreshCw aria-hidden />
        Refresh
      </Button>
    </div>
  );
}
