import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useRecordChange } from '../../api/changes.ts';
import { environmentsQuery } from '../../api/environments.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { changeKindLabels } from '../../content/change-words.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select, TextArea } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { changeFields, emptyForm, formPaths } from './change-form.ts';
import type { ChangeForm } from './change-form.ts';
import { changeKinds } from '../../../../src/contract/kinds.ts';

/** Records a change by hand. */
export function RecordChange({ onClose }: { onClose(): void }): ReactNode {
  const { at, projectId, user } = useProject();
  const record = useRecordChange(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const [form, setForm] = useState<ChangeForm>(emptyForm);
  const errors = fieldErrors(record.error);
  const rest = errors.rest(formPaths);
  const element = useErrorFocus<HTMLFormElement>(record.error);
  const field = (name: Exclude<keyof ChangeForm, 'kind'>) => ({
    value: form[name],
    error: errors.at(`/${name}`),
    onChange: (event: { target: { value: string } }) => setForm((before) => ({ ...before, [name]: event.target.value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    record.mutate(changeFields(form, user.email), {
      onSuccess: ({ id }) => {
        onClose();
        say('Change recorded');
        void navigate(pages.change(at, id));
      },
    });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Record change"
      description="Charts mark its time. Its page compares the hours before and after it."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="change-form" busy={record.isPending}>
            Record change
          </Button>
        </>
      }
    >
      <form ref={element} id="change-form" onSubmit={submit} className="grid gap-3 sm:grid-cols-2" noValidate>
        <Select
          label="Kind"
          value={form.kind}
          options={changeKinds.map((value) => ({ value, label: changeKindLabels[value] }))}
          onValue={(kind) => setForm((before) => ({ ...before, kind }))}
          error={errors.at('/kind')}
        />
        <EnvironmentInput {...field('environment')} />
        <Input label="Service" hint="As service.name of spans. Empty: all." spellCheck={false} {...field('service')} />
        <Input label="Version" placeholder="e.g. 2.4.1" spellCheck={false} {...field('version')} />
        <Input label="Commit" spellCheck={false} {...field('commitSha')} />
        <Input label="Time" type="datetime-local" hint="Empty: now." {...field('at')} />
        <Input label="Link" type="url" placeholder="https://…" className="sm:col-span-2" {...field('url')} />
        <TextArea label="Description" maxLength={2_000} className="sm:col-span-2" {...field('description')} />
        {rest !== null && (
          <p role="alert" className="text-bad sm:col-span-2">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}

interface EnvironmentInputProps {
  value: string;
  error: string | null;
  onChange(event: { target: { value: string } }): void;
}

function EnvironmentInput(props: EnvironmentInputProps): ReactNode {
  const { projectId } = useProject();
  const { data } = useInfiniteQuery(environmentsQuery(projectId));
  const list = useId();
  return (
    <div>
      <Input label="Environment" hint="Empty: all." spellCheck={false} list={list} {...props} />
      <datalist id={list}>
        {data?.pages.flatMap((page) => page.environments.map(({ id, name }) => <option key={id} value={name} />))}
      </datalist>
    </div>
  );
}
