import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { itemChoiceQuery } from '../../api/datasets.ts';
import { ValuePreview } from '../../content/value-preview.tsx';
import { Picker, PickerList } from '../../design/picker.tsx';
import { useProject } from '../../frame/project-context.ts';

interface ItemChoiceProps {
  datasetId: string;
  /** The id of an item; empty: the first one. */
  value: string;
  onValue(id: string): void;
  error: string | null;
}

function noneOf({ isLoadingError }: { isLoadingError: boolean }): string {
  return isLoadingError ? 'The items can’t be loaded' : 'The dataset has no items';
}

/** A choice among the items of a dataset. */
export function ItemChoice({ datasetId, value, onValue, error }: ItemChoiceProps): ReactNode {
  const { projectId } = useProject();
  const query = useInfiniteQuery(itemChoiceQuery(projectId, datasetId));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const chosen = items.find(({ id }) => id === value) ?? items[0];
  return (
    <Picker
      label="Item"
      error={error}
      shown={chosen ? <ValuePreview value={chosen.input} /> : query.isPending ? '…' : noneOf(query)}
    >
      {(close) => (
        <PickerList
          label="Item"
          value={chosen?.id ?? ''}
          pages={query}
          options={items.map(({ id, input }, index) => ({
            value: id,
            label: <ValuePreview value={input} />,
            note: `Item ${index + 1}`,
          }))}
          onChoose={(id) => {
            onValue(id);
            close();
          }}
        />
      )}
    </Picker>
  );
}
