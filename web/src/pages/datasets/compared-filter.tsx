import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { formatExact } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { outcomeLabels } from './comparison-columns.tsx';
import { outcomes } from './comparison-rows.ts';
import type { ComparisonRow, Outcome } from './comparison-rows.ts';
import type { DatasetSearch } from './search.ts';

interface ComparedFilterProps {
  /** All items of the comparison. */
  rows: readonly ComparisonRow[];
  evaluators: readonly string[];
  /** The shown outcome; undefined for all. */
  show: Outcome | undefined;
  /** The chosen evaluator; undefined for all. */
  by: string | undefined;
  onChange(change: DatasetSearch): void;
}

const alwaysShown: readonly Outcome[] = ['failing', 'regressed', 'improved', 'unchanged'];
const bad: readonly Outcome[] = ['failing', 'regressed'];

/** Filters of compared items: the outcomes with their numbers of items, and the evaluator that decides them. */
export function ComparedFilter({ rows, evaluators, show, by, onChange }: ComparedFilterProps): ReactNode {
  const counts = new Map(outcomes.map((outcome) => [outcome, rows.filter((row) => row.outcome === outcome).length]));
  return (
    <div className="flex flex-wrap items-center gap-1.5 border-b border-line px-3 py-1.5" role="group" aria-label="Filter items">
      {outcomes.map((outcome) => {
        const count = counts.get(outcome) ?? 0;
        if (count === 0 && show !== outcome && !alwaysShown.includes(outcome)) return null;
        return (
          <Button
            key={outcome}
            size="small"
            repeatable
            pressed={show === outcome}
            pressedTone={bad.includes(outcome) ? 'bad' : 'good'}
            disabled={count === 0 && show !== outcome}
            onClick={() => onChange({ show: show === outcome ? undefined : outcome })}
          >
            {outcomeLabels[outcome]} <span className="numbers">{formatExact(count)}</span>
          </Button>
        );
      })}
      {evaluators.length > 1 && (
        <Select
          label="Compare by"
          labelHidden
          className="ml-auto w-52"
          value={by ?? ''}
          options={[
            { value: '', label: 'All evaluators' },
            ...evaluators.map((evaluator) => ({ value: evaluator, label: visibleText(evaluator) })),
          ]}
          onValue={(chosen) => onChange({ evaluator: chosen === '' ? undefined : chosen })}
        />
      )}
    </div>
  );
}
