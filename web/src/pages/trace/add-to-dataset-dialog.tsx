import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { datasetsQuery, useAddItem, useDatasetActions } from '../../api/datasets.ts';
import type { TraceDetail, TraceSpan } from '../../api/service.ts';
import { useAllPages } from '../../api/use-pages.ts';
import { ValueField } from '../../content/value-field.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { ConfirmLeave, LeaveGuard } from '../../frame/leave-guard.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DatasetChoice, newDataset } from './dataset-choice.tsx';
import { isEdited, itemSource, sourceBody, sourceDraft } from './dataset-source.ts';
import type { SourceProblems } from './dataset-source.ts';
import { lastDataset, rememberDataset } from './last-dataset.ts';

interface AddToDatasetDialogProps {
  detail: TraceDetail;
  /** The selected span. */
  span: TraceSpan | null;
  onClose(): void;
}

/** Creates a dataset item from a trace or span. Input and expected output can be edited. Preselects the dataset that was last used. */
export default function AddToDatasetDialog({ detail, span, onClose }: AddToDatasetDialogProps): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const say = useToast();
  const datasets = useAllDatasets();
  const [part, setPart] = useState<'span' | 'trace'>(span ? 'span' : 'trace');
  const source = itemSource(detail, part === 'span' ? span : null);
  const [before, setBefore] = useState(() => sourceDraft(source));
  const [draft, setDraft] = useState(before);
  const [problems, setProblems] = useState<SourceProblems>({});
  const [choice, setChoice] = useState<string | null>(null);
  const [last] = useState(() => lastDataset(projectId));
  const [name, setName] = useState('');
  const { create } = useDatasetActions(projectId);
  const add = useAddItem(projectId);
  const [leaving, setLeaving] = useState(false);
  const isUnsaved = () => !add.isSuccess && (isEdited(draft, before) || name.trim() !== '');
  const close = () => (isUnsaved() ? setLeaving(true) : onClose());
  const remembered = datasets?.find(({ id }) => id === last);
  const chosen = choice ?? (remembered ?? datasets?.[0])?.id ?? newDataset;
  const choosePart = (next: 'span' | 'trace') => {
    const recorded = sourceDraft(itemSource(detail, next === 'span' ? span : null));
    setPart(next);
    setBefore(recorded);
    setDraft(recorded);
    setProblems({});
  };
  const addTo = (datasetId: string, datasetName: string, text: string) =>
    add.mutate(
      { datasetId, text },
      {
        onSuccess: () => {
          onClose();
          rememberDataset(projectId, datasetId);
          say(`Added to ${visibleText(datasetName)}`, 'good', {
            label: 'Open dataset',
            onSelect: () => void navigate(pages.dataset(at, datasetId)),
          });
        },
      },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = sourceBody(source, draft, before);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return;
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
      onOpenChange={close}
      title="Add to dataset"
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
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
      <LeaveGuard unsaved={isUnsaved} />
      {leaving && <ConfirmLeave onStay={() => setLeaving(false)} onLeave={onClose} />}
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
          key={`input of ${part}`}
          label="Input"
          forms={['text', 'json']}
          draft={draft.input}
          onDraft={(input) => setDraft({ ...draft, input })}
          rows={6}
          error={problems.input}
        />
        <ValueField
          key={`output of ${part}`}
          label="Expected output"
          forms={before.expectedOutput.form === 'none' ? ['none', 'text', 'json'] : ['text', 'json']}
          draft={draft.expectedOutput}
          onDraft={(expectedOutput) => setDraft({ ...draft, expectedOutput })}
          rows={6}
          error={problems.expectedOutput}
        />
        <p className="-mt-2 text-xs text-ink-faint">
          {before.expectedOutput.form === 'none'
            ? 'No output was recorded. Choose Text or JSON to add the correct answer.'
            : 'The recorded output. Edit this to the correct answer.'}
        </p>
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
  const query = useInfiniteQuery(datasetsQuery(projectId));
  useAllPages(query);
  return query.data?.pages.flatMap((page) => page.datasets) ?? null;
}
