import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { datasetsQuery, useDatasetActions } from '../../api/datasets.ts';
import { useSelections } from '../../api/jobs.ts';
import type { SelectionAction, SelectionBody } from '../../api/jobs.ts';
import type { Job } from '../../api/parts.ts';
import { useAllPages } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Input, Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { PartProps, Ready } from './bulk-part.ts';
import { EvaluatePart } from './evaluate-part.tsx';

export interface BulkDialogProps {
  type: BulkAction['type'];
  /** What is selected, in words: "3 traces". */
  counted: string;
  noun: string;
  selection: Omit<SelectionBody, 'action'>;
  onClose(): void;
  onMade(job: Job): void;
}

interface Part {
  title: string;
  action: string;
  content(props: PartProps): ReactNode;
  start: Ready | null;
}

const parts: Readonly<Record<BulkAction['type'], Part>> = {
  addToDataset: { title: 'Add to dataset', action: 'Add', content: DatasetPart, start: null },
  tags: { title: 'Tags', action: 'Apply', content: TagsPart, start: null },
  evaluate: { title: 'Evaluate', action: 'Evaluate', content: EvaluatePart, start: null },
  export: { title: 'Export', action: 'Export', content: ExportPart, start: { type: 'export', format: 'jsonl', payloads: false } },
  delete: { title: 'Delete', action: 'Delete', content: DeletePart, start: null },
};

/** Asks for what an action on a selection needs, and makes its job. */
export default function BulkDialog({ type, counted, noun, selection, onClose, onMade }: BulkDialogProps): ReactNode {
  const { projectId } = useProject();
  const { select } = useSelections(projectId);
  const { title, action, content: Content, start } = parts[type];
  const [ready, setReady] = useState<Ready | null>(() => start);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (ready === null) return;
    setBusy(true);
    setError(null);
    try {
      const found = typeof ready === 'function' ? await ready() : ready;
      onMade(await select.mutateAsync({ ...selection, action: found }));
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${title}: ${counted}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form="bulk-action"
            look={type === 'delete' ? 'danger' : 'primary'}
            busy={isBusy}
            disabled={ready === null}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id="bulk-action" onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
        {/* An action may be a function, which a state takes for its change. */}
        <Content {...{ counted, noun }} onAction={(next) => setReady(() => next)} />
        <ErrorText text={error} />
      </form>
    </Dialog>
  );
}

const newDataset = 'new';

function DatasetPart({ noun, onAction }: PartProps): ReactNode {
  const { projectId } = useProject();
  const query = useInfiniteQuery(datasetsQuery(projectId));
  useAllPages(query);
  const datasets = query.data?.pages.flatMap((page) => page.datasets);
  const { create } = useDatasetActions(projectId);
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const [expected, setExpected] = useState<'output' | 'none'>('output');
  const tell = (next: { chosen: string; name: string; expected: 'output' | 'none' }) => {
    const action = (datasetId: string): SelectionAction => ({
      type: 'addToDataset',
      datasetId,
      expectedOutput: next.expected,
    });
    if (next.chosen !== newDataset) return onAction(next.chosen === '' ? null : action(next.chosen));
    const title = next.name.trim();
    return onAction(title === '' ? null : async () => action((await create.mutateAsync({ name: title, description: null })).id));
  };
  // At once: the first field gets the focus.
  return (
    <>
      <Select
        label="Dataset"
        value={chosen}
        options={[
          { value: '', label: datasets === undefined ? 'Loading…' : 'Choose a dataset' },
          ...(datasets ?? []).map((dataset) => ({ value: dataset.id, label: visibleText(dataset.name) })),
          { value: newDataset, label: 'New dataset…' },
        ]}
        onValue={(value) => {
          setChosen(value);
          tell({ chosen: value, name, expected });
        }}
      />
      {chosen === newDataset && (
        <Input
          label="Dataset name"
          required
          maxLength={200}
          value={name}
          onChange={({ target: { value } }) => {
            setName(value);
            tell({ chosen, name: value, expected });
          }}
        />
      )}
      <Select<'output' | 'none'>
        label="Expected output"
        value={expected}
        options={[
          { value: 'output', label: `The output of the ${noun}` },
          { value: 'none', label: 'None' },
        ]}
        onValue={(value) => {
          setExpected(value);
          tell({ chosen, name, expected: value });
        }}
      />
    </>
  );
}

function TagsPart({ onAction }: PartProps): ReactNode {
  const [type, setType] = useState<'addTags' | 'removeTags'>('addTags');
  const [text, setText] = useState('');
  const tell = (action: typeof type, written: string) => {
    const tags = [...new Set(written.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
    onAction(tags.length === 0 ? null : { type: action, tags });
  };
  return (
    <>
      <Select<'addTags' | 'removeTags'>
        label="Action"
        value={type}
        options={[
          { value: 'addTags', label: 'Add tags' },
          { value: 'removeTags', label: 'Remove tags' },
        ]}
        onValue={(value) => {
          setType(value);
          tell(value, text);
        }}
      />
      <Input
        label="Tags"
        hint="Several with commas between them."
        value={text}
        spellCheck={false}
        onChange={({ target: { value } }) => {
          setText(value);
          tell(type, value);
        }}
      />
    </>
  );
}

function ExportPart({ onAction }: PartProps): ReactNode {
  const [format, setFormat] = useState<'jsonl' | 'csv'>('jsonl');
  const [payloads, setPayloads] = useState<'false' | 'true'>('false');
  const tell = (as: typeof format, whole: typeof payloads) =>
    onAction({ type: 'export', format: as, payloads: whole === 'true' });
  return (
    <>
      <Select<'jsonl' | 'csv'>
        label="Format"
        value={format}
        options={[
          { value: 'jsonl', label: 'JSON lines' },
          { value: 'csv', label: 'CSV' },
        ]}
        onValue={(value) => {
          setFormat(value);
          tell(value, payloads);
        }}
      />
      <Select<'false' | 'true'>
        label="Contents"
        value={payloads}
        options={[
          { value: 'false', label: 'The columns of the list' },
          { value: 'true', label: 'Also inputs, outputs, metadata and attributes' },
        ]}
        onValue={(value) => {
          setPayloads(value);
          tell(format, value);
        }}
      />
      <p className="text-xs text-ink-faint">The file can be downloaded for 7 days.</p>
    </>
  );
}

const confirmation = 'delete';

function DeletePart({ counted, onAction }: PartProps): ReactNode {
  const [text, setText] = useState('');
  return (
    <>
      <p className="text-ink-soft">{counted} with their spans and scores are removed from all metrics. This can’t be undone.</p>
      <Input
        label={`Type “${confirmation}” to confirm`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target: { value } }) => {
          setText(value);
          onAction(value.trim() === confirmation ? { type: 'delete' } : null);
        }}
      />
    </>
  );
}
