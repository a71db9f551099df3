import type { ReactNode } from 'react';
import type { Dataset } from '../../api/service.ts';
import { Input, Select } from '../../design/field.tsx';
import { Skeleton } from '../../design/states.tsx';
import { visibleText } from '../../format/visible-text.ts';

/** Option value of a new dataset. */
export const newDataset = 'new';

interface DatasetChoiceProps {
  /** Null while loading. */
  datasets: readonly Dataset[] | null;
  chosen: string;
  /** Name of the new dataset. */
  name: string;
  error: string | undefined;
  onChoice(id: string): void;
  onName(name: string): void;
}

/** Chooses an existing dataset, or names a new one. */
export function DatasetChoice({ datasets, chosen, name, error, onChoice, onName }: DatasetChoiceProps): ReactNode {
  if (datasets === null) return <Skeleton className="h-14" />;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Select
        label="Dataset"
        value={chosen}
        options={[
          ...datasets.map((dataset) => ({ value: dataset.id, label: visibleText(dataset.name) })),
          { value: newDataset, label: 'New dataset…' },
        ]}
        onValue={onChoice}
      />
      {chosen === newDataset && (
        <Input
          label="Dataset name"
          required
          maxLength={200}
          placeholder="e.g. hard questions"
          value={name}
          onChange={(event) => onName(event.target.value)}
          error={error}
        />
      )}
    </div>
  );
}
