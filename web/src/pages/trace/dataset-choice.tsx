import type { ReactNode } from 'react';
import type { Dataset } from '../../api/wire.ts';
import { Input, Select } from '../../design/field.tsx';
import { Skeleton } from '../../design/states.tsx';
import { visibleText } from '../../format/visible-text.ts';

/** Stands for a dataset that is still to be made. */
export const newDataset = 'new';

interface DatasetChoiceProps {
  /** null while they are read. */
  datasets: readonly Dataset[] | null;
  chosen: string;
  /** Of a new one. */
  name: string;
  error: string | undefined;
  onChoice(id: string): void;
  onName(name: string): void;
}

/** One of the datasets, or a new one with its name. */
export function DatasetChoice({ datasets, chosen, name, error, onChoice, onName }: DatasetChoiceProps): ReactNode {
  if (datasets === null) return <Skeleton className="h-14" />;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Select
        label="Dataset"
        value={chosen}
        options={[
          ...datasets.map((dataset) => ({ value: dataset.id, label: visibleText(dataset.name) })),
          { value: newDataset, label: 'A new dataset…' },
        ]}
        onValue={onChoice}
      />
      {chosen === newDataset && (
        <Input
          label="Name of the new dataset"
          required
          maxLength={200}
          placeholder="hard questions"
          value={name}
          onChange={(event) => onName(event.target.value)}
          error={error}
        />
      )}
    </div>
  );
}
