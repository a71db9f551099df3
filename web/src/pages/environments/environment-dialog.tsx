import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useEnvironmentActions } from '../../api/environments.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { Environment } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, TextArea } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { useProject } from '../../frame/project-context.ts';

interface EnvironmentDialogProps {
  /** The environment to edit; undefined for a new one. */
  environment?: Environment;
  onClose(): void;
}

/** Creates an environment, or edits its description. The name never changes. */
export function EnvironmentDialog({ environment, onClose }: EnvironmentDialogProps): ReactNode {
  const { projectId } = useProject();
  const { create, change } = useEnvironmentActions(projectId);
  const say = useToast();
  const [name, setName] = useState(environment?.name ?? '');
  const [description, setDescription] = useState(environment?.description ?? '');
  const { error, isPending } = environment ? change : create;
  const errors = fieldErrors(error, environment ? undefined : '/name');
  const rest = errors.rest(['/name', '/description']);
  const form = useErrorFocus<HTMLFormElement>(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      onClose();
      say(environment ? 'Environment saved' : 'Environment created');
    };
    if (environment) change.mutate({ id: environment.id, description }, { onSuccess });
    else create.mutate({ name: name.trim(), description }, { onSuccess });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={environment ? 'Edit environment' : 'New environment'}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="environment-form" busy={isPending}>
            {environment ? 'Save' : 'Create environment'}
          </Button>
        </>
      }
    >
      <form ref={form} id="environment-form" onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input
          label="Name"
          autoFocus={environment === undefined}
          disabled={environment !== undefined}
          hint={environment ? "Can't be changed." : "As your application sends it, e.g. production. Can't be changed later."}
          spellCheck={false}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={errors.at('/name')}
        />
        <TextArea
          label="Description"
          maxLength={2_000}
          placeholder="Purpose and owner"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          error={errors.at('/description')}
        />
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
      </form>
    </Dialog>
  );
}
