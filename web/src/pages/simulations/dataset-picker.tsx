import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { datasetQuery, datasetsQuery } from '../../api/datasets.ts';
import { Picker, PickerList } from '../../design/picker.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';

interface DatasetPickerProps {
  /** The id of a dataset; empty without one. */
  value: string;
  onValue(id: string): void;
  error: string | null;
  disabled: boolean;
}

/** A choice among all datasets of the project. */
export function DatasetPicker({ value, onValue, error, disabled }: DatasetPickerProps): ReactNode {
  const { projectId } = useProject();
  const chosen = useQuery({ ...datasetQuery(projectId, value), enabled: value !== '' });
  const shown = chosen.data ? <VisibleLine text={chosen.data.name} /> : chosen.error ? problemOf(chosen.error) : '…';
  return (
    <Picker label="Dataset" shown={value === '' ? 'Choose a dataset' : shown} error={error} disabled={disabled}>
      {(close) => (
        <Datasets
          value={value}
          onChoose={(id) => {
            onValue(id);
            close();
          }}
        />
      )}
    </Picker>
  );
}

function problemOf(error: Error): string {
  return error instanceof ApiError && error.status === 404 ? 'Dataset not found' : 'The dataset can’t be loaded';
}

function Datasets({ value, onChoose }: { value: string; onChoose(id: string): void }): ReactNode {
  const { projectId } = useProject();
  const [q, setQ] = useState('');
  const query = useInfiniteQuery(datasetsQuery(projectId, q === '' ? {} : { q }));
  const datasets = query.data?.pages.flatMap((page) => page.datasets) ?? [];
  return (
    <PickerList
      label="Dataset"
      value={value}
      search={{ text: q, onSearch: setQ }}
      pages={query}
      options={datasets.map(({ id, name, itemCount }) => ({
        value: id,
        label: <VisibleLine text={name} />,
        note: countedExactly(itemCount, 'item'),
      }))}
      onChoose={onChoose}
    />
  );
}
