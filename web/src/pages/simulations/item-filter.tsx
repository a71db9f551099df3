import type { ReactNode } from 'react';
import type { BatchItemChange } from '../../api/parts.ts';
import type { BatchRun, Distributions } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { formatExact } from '../../format/number-format.ts';
import { changeLabels } from './item-columns.tsx';
import { RunPicker } from './run-picker.tsx';
import { itemChanges, itemStatuses } from './search.ts';
import type { BatchRunSearch } from './search.ts';

interface ItemFilterProps {
  run: BatchRun;
  search: BatchRunSearch;
  /** How many items changed; null without a baseline. */
  changes: Distributions['changes'];
  onChange(change: BatchRunSearch): void;
}

const bad: readonly BatchItemChange[] = ['newly_failing', 'regressed'];
const hints: Readonly<Record<BatchItemChange, string>> = {
  newly_failing: 'An error now, and none in the baseline',
  regressed: 'Passed in the baseline, and does not now',
  improved: 'Better than in the baseline',
  unchanged: 'As in the baseline',
};

/** Filters of items: the status, the run to compare with, and how items changed from it. */
export function ItemFilter({ run, search, changes, onChange }: ItemFilterProps): ReactNode {
  const { status, baseline, change } = search;
  const filter = (next: BatchRunSearch) => onChange({ item: undefined, ...next });
  return (
    <div className="flex flex-wrap items-end gap-2 border-b border-line px-3 pt-1.5 pb-2" role="group" aria-label="Filter items">
      <Select
        label="Status"
        className="w-36"
        value={status ?? ''}
        options={[{ value: '', label: 'All statuses' }, ...itemStatuses.map((one) => ({ value: one, label: one }))]}
        onValue={(next) => filter({ status: next === '' ? undefined : next })}
      />
      <RunPicker
        label="Compared with"
        className="w-72"
        none="No other run"
        value={baseline ?? ''}
        filter={{ datasetId: run.datasetId }}
        except={run.id}
        onValue={(id) => filter({ baseline: id === '' ? undefined : id, change: undefined })}
      />
      {baseline !== undefined && (
        <div className="flex flex-wrap gap-1.5">
          {itemChanges.map((one) => (
            <Button
              key={one}
              repeatable
              title={hints[one]}
              pressed={change === one}
              pressedTone={bad.includes(one) ? 'bad' : 'good'}
              disabled={changes?.[one] === 0 && change !== one}
              onClick={() => filter({ change: change === one ? undefined : one })}
            >
              {changeLabels[one]} <span className="numbers">{changes ? formatExact(changes[one]) : ''}</span>
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
