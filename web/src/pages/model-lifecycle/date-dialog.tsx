import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { useLifecycleActions } from '../../api/model-lifecycle.ts';
import type { ListedEntry } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';

interface DateDialogProps {
  /** The entry whose date is set; undefined for another model. */
  entry?: ListedEntry;
  onClose(): void;
}

const paths = ['/model', '/retiresOn', '/provider', '/replacement', '/source'];

/** Sets the project's own retirement date of a model. */
export function DateDialog({ entry, onClose }: DateDialogProps): ReactNode {
  const { projectId } = useProject();
  const { setDate, scan } = useLifecycleActions(projectId);
  const say = useToast();
  const [form, setForm] = useState({
    model: entry?.model ?? '',
    retiresOn: entry?.retiresOn ?? '',
    provider: entry?.provider ?? '',
    replacement: entry?.replacement ?? '',
    source: entry?.override === true ? (entry.source ?? '') : '',
  });
  const [missing, setMissing] = useState(false);
  const errors = fieldErrors(setDate.error);
  const rest = errors.rest(paths);
  const element = useErrorFocus<HTMLFormElement>(setDate.error);
  const field = (name: keyof typeof form) => ({
    value: form[name],
    error: missing && form[name] === '' && (name === 'model' || name === 'retiresOn') ? 'Required.' : errors.at(`/${name}`),
    onChange: (event: { target: { value: string } }) => setForm((before) => ({ ...before, [name]: event.target.value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { model, retiresOn, ...texts } = form;
    // A model is part of the path: the service would answer that there is no such page.
    if (model.trim() === '' || retiresOn === '') {
      setMissing(true);
      return;
    }
    const given = Object.entries(texts).filter(([, value]) => value.trim() !== '');
    setDate.mutate(
      { model: model.trim(), retiresOn, ...Object.fromEntries(given.map(([name, value]) => [name, value.trim()])) },
      {
        onSuccess: () => {
          onClose();
          say('Date saved. It counts from the next scan on.', 'good', { label: 'Scan now', onSelect: () => scan.mutate() });
        },
      },
    );
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Own retirement date"
      description="Counts for more than the date of the shipped catalogue, in this project."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="date-form" busy={setDate.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form ref={element} id="date-form" onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input label="Model" hint="As it is called." disabled={entry !== undefined} spellCheck={false} {...field('model')} />
        <Input label="Retires on" type="date" {...field('retiresOn')} />
        <Input label="Provider" hint="Leave empty for every provider." spellCheck={false} {...field('provider')} />
        <Input label="Replacement" spellCheck={false} {...field('replacement')} />
        <Input label="Source" placeholder="Who says so, such as a link" {...field('source')} />
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
