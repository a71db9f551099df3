import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { datasetsQuery, useAddItem, useDatasetActions } from '../../api/datasets.ts';
import type { TraceDetail, TraceSpan } from '../../api/wire.ts';
import { draftOf } from '../../content/value-draft.ts';
import { ValueField } from '../../content/value-field.tsx';
import { ValueView } from '../../content/value-view.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { DatasetChoice, newDataset } from './dataset-choice.tsx';
import { itemSource, sourceBody } from './dataset-source.ts';

interface AddToDatasetDialogProps {
  detail: TraceDetail;
  /** The selected span. */
  span: TraceSpan | null;
  onClose(): void;
}

/** Creates a dataset item from a trace or span. The expected output can be edited. */
export default function AddToDatasetDialog({ detail, span, onClose }: AddToDatasetDialogProps): ReactNode {
  const { projectId } = useProject();
  const say = useToast();
  const datasets = useAllDatasets();
  const [part, setPart] = useState<'span' | 'trace'>(span ? 'span' : 'trace');
  const source = itemSource(detail, part === 'span' ? span : null);
  const [before, setBefore] = useState(() => draftOf(source.output));
  const [draft, setDraft] = useState(before);
  const [problem, setProblem] = useState<string | undefined>();
  const [choice, setChoice] = useState<string | null>(null);
  const [name, setName] = useState('');
  const { create } = useDatasetActions(projectId);
  const add = useAddItem(projectId);
  const chosen = choice ?? datasets?.[0]?.id ?? newDataset;
  const choosePart = (next: 'span' | 'trace') => {
    const recorded = draftOf(itemSource(detail, next === 'span' ? span : null).output);
    setPart(next);
    setBefore(recorded);
    setDraft(recorded);
    setProblem(undefined);
  };
  const addTo = (datasetId: string, datasetName: string, text: string) =>
    add.mutate(
      { datasetId, text },
      {
        onSuccess: () => {
          onClose();
          say(`Added to ${visibleText(datasetName)}`);
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = sourceBody(source, draft, before);
    setProblem('problem' in read ? read.problem : undefined);
    if ('problem' in read) return;
    if (chosen !== newDataset) {
      addTo(chosen, datasets?.find(({ id }) => id === chosen)?.name ?? '', read.body);
      return;
    }
    create.mutate(
      { name: name.trim(), description: null },
      {
        onSuccess: (created) => {
          // A retry after a failed item adds to this dataset.
          setChoice(created.id);
          addTo(created.id, created.name, read.body);
        },
      },
    );
  };
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title="Add to dataset"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            form="add-to-dataset"
            busy={create.isPending || add.isPending}
            disabled={datasets === null || (chosen === newDataset && name.trim() === '')}
          >
            Add
          </Button>
        </>
      }
    >
      <form id="add-to-dataset" onSubmit={submit} className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <DatasetChoice {...{ datasets, chosen, name }} error={create.error?.message} onChoice={setChoice} onName={setName} />
          {span && (
            <Select<'span' | 'trace'>
              label="Source"
              value={part}
              options={[
                { value: 'span', label: `Span ${visibleText(span.name).slice(0, 80)}` },
                { value: 'trace', label: 'Entire trace' },
              ]}
              onValue={choosePart}
            />
          )}
        </div>
        <ValueField
          key={part}
          label="Expected output"
          forms={['text', 'json']}
          draft={draft}
          onDraft={setDraft}
          rows={6}
          error={problem}
        />
        <p className="-mt-2 text-xs text-ink-faint">The recorded output. Edit this to the correct answer.</p>
        <ValueView key={`input of ${part}`} title="Input" value={source.input} />
        {add.error && (
          <p role="alert" className="text-bad">
            {add.error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** All datasets of the project; null while loading. */
function useAllDatasets() {
  const { projectId } = useProject();
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(datasetsQuery(projectId));
  useEffect(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return data?.pages.flatMap((page) => page.datasets) ?? null;
}
