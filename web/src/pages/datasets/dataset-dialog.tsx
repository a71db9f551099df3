import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useDatasetActions } from '../../api/datasets.ts';
import type { Dataset } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, TextArea } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';

interface DatasetDialogProps {
  /** The dataset to edit; undefined for a new one. */
  dataset?: Dataset;
  onClose(): void;
  onCreated?(dataset: Dataset): void;
}

/** Creates a dataset, or edits its name and description. */
export function DatasetDialog({ dataset, onClose, onCreated }: DatasetDialogProps): ReactNode {
  const { projectId } = useProject();
  const { create, change } = useDatasetActions(projectId);
  const say = useToast();
  const [name, setName] = useState(dataset?.name ?? '');
  const [description, setDescription] = useState(dataset?.description ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = { name: name.trim(), description: description.trim() === '' ? null : description };
    const onSuccess = (saved: Dataset) => {
      onClose();
      say(dataset ? 'Dataset saved' : 'Dataset created');
      onCreated?.(saved);
    };
    if (dataset) change.mutate({ id: dataset.id, ...fields }, { onSuccess });
    else create.mutate(fields, { onSuccess });
  };
  const { error, isPending } = dataset ? change : create;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={dataset ? 'Edit dataset' : 'New dataset'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="dataset-form" busy={isPending} disabled={name.trim() === ''}>
            {dataset ? 'Save' : 'Create dataset'}
          </Button>
        </>
      }
    >
      <form id="dataset-form" onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Name"
          required
          autoFocus
          maxLength={200}
          placeholder="e.g. weather questions"
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={error?.message}
        />
        <TextArea
          label="Description"
          maxLength={10_000}
          placeholder="Purpose and source of the items"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
