import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useAddItem, useItemActions } from '../../api/datasets.ts';
import type { DatasetItem } from '../../api/service.ts';
import { ValueField } from '../../content/value-field.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';
import { itemBody, itemDraftOf } from '../../content/item-draft.ts';
import type { ItemField } from '../../content/item-draft.ts';

interface ItemDialogProps {
  datasetId: string;
  /** The item to edit; undefined for a new one. */
  item?: DatasetItem;
  onClose(): void;
}

/** Adds or edits an item. */
export function ItemDialog({ datasetId, item, onClose }: ItemDialogProps): ReactNode {
  const { projectId } = useProject();
  const add = useAddItem(projectId);
  const { change } = useItemActions(projectId, datasetId);
  const say = useToast();
  const [before] = useState(() => itemDraftOf(item));
  const [draft, setDraft] = useState(before);
  const [problems, setProblems] = useState<Partial<Record<ItemField, string>>>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = itemBody(draft, item ? before : null);
    setProblems('problems' in read ? read.problems : {});
    if ('problems' in read) return;
    const onSuccess = () => {
      onClose();
      say(item ? 'Item saved' : 'Item added');
    };
    if (item) change.mutate({ id: item.id, text: read.body }, { onSuccess });
    else add.mutate({ datasetId, text: read.body }, { onSuccess });
  };
  const { error, isPending } = item ? change : add;
  const field = (name: ItemField) => ({
    draft: draft[name],
    onDraft: (next: (typeof draft)[ItemField]) => setDraft({ ...draft, [name]: next }),
    error: problems[name],
  });
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={item ? 'Edit item' : 'Add item'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="item-form" busy={isPending}>
            {item ? 'Save' : 'Add'}
          </Button>
        </>
      }
    >
      <form id="item-form" onSubmit={submit} className="flex flex-col gap-4">
        <ValueField label="Input" forms={['text', 'json']} rows={7} {...field('input')} />
        <ValueField
          label="Expected output"
          forms={['text', 'json', 'none']}
          noneHint="No expected output"
          {...field('expectedOutput')}
        />
        <ValueField label="Metadata (JSON object)" forms={['json']} rows={3} {...field('metadata')} />
        {error && (
          <p role="alert" className="text-bad">
            {error.message}
          </p>
        )}
      </form>
    </Dialog>
  );
}
