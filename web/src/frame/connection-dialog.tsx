import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useConnectionActions } from '../api/connections.ts';
import { fieldErrors } from '../api/field-errors.ts';
import type { ModelConnection } from '../api/service.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { ErrorText } from '../design/error-text.tsx';
import { Input, Select } from '../design/field.tsx';
import { useToast } from '../design/toast.tsx';
import { useErrorFocus } from '../design/use-error-focus.ts';
import { useProject } from './project-context.ts';

type KeyChange = 'keep' | 'replace' | 'remove';

const keyChanges: ReadonlyArray<{ value: KeyChange; label: string }> = [
  { value: 'keep', label: 'Keep the stored key' },
  { value: 'replace', label: 'Replace the key' },
  { value: 'remove', label: 'Remove the key' },
];

/** The key in the request body: omitted keeps the stored key, null removes it. */
function keyFields(change: KeyChange, key: string): { apiKey?: string | null } {
  if (change === 'keep') return {};
  return { apiKey: change === 'remove' || key === '' ? null : key };
}

interface ConnectionDialogProps {
  /** Null for a new connection. */
  connection: ModelConnection | null;
  onClose(): void;
  onSaved?(connection: ModelConnection): void;
}

/** Creates or edits a model connection. A stored key is never shown. */
export function ConnectionDialog({ connection, onClose, onSaved }: ConnectionDialogProps): ReactNode {
  const { projectId } = useProject();
  const { create, change } = useConnectionActions(projectId);
  const [name, setName] = useState(connection?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(connection?.baseUrl ?? 'https://api.openai.com/v1');
  const [model, setModel] = useState(connection?.model ?? '');
  const [apiKey, setApiKey] = useState('');
  const [keyChange, setKeyChange] = useState<KeyChange>(connection?.hasKey === true ? 'keep' : 'replace');
  const say = useToast();
  const errors = fieldErrors(create.error ?? change.error, '/name');
  const rest = errors.rest(['/name', '/baseUrl', '/model', '/apiKey']);
  const form = useErrorFocus<HTMLFormElement>(create.error ?? change.error);
  const done = (text: string, saved: ModelConnection) => {
    say(text);
    onSaved?.(saved);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may stand in another form, to which React passes the event.
    event.stopPropagation();
    const fields = { name, baseUrl, model, ...keyFields(keyChange, apiKey) };
    if (connection === null) create.mutate(fields, { onSuccess: (saved) => done('Connection created', saved) });
    else change.mutate({ id: connection.id, ...fields }, { onSuccess: (saved) => done('Connection saved', saved) });
  };
  return (
    <Dialog open onOpenChange={onClose} title={connection === null ? 'New model connection' : 'Edit connection'}>
      <form ref={form} onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input label="Name" value={name} onChange={(event) => setName(event.target.value)} error={errors.at('/name')} />
        <Input
          label="Base URL"
          hint="OpenAI-compatible API. /chat/completions is appended."
          value={baseUrl}
          spellCheck={false}
          onChange={(event) => setBaseUrl(event.target.value)}
          error={errors.at('/baseUrl')}
        />
        <Input
          label="Model"
          hint="Default model."
          value={model}
          spellCheck={false}
          onChange={(event) => setModel(event.target.value)}
          error={errors.at('/model')}
        />
        {connection?.hasKey === true && (
          <Select<KeyChange>
            label="API key"
            value={keyChange}
            options={keyChanges}
            onValue={setKeyChange}
            error={keyChange === 'replace' ? null : errors.at('/apiKey')}
          />
        )}
        {keyChange === 'replace' && (
          <Input
            label={connection?.hasKey === true ? 'New API key' : 'API key'}
            type="password"
            autoComplete="off"
            hint="Stored encrypted and never shown again. Leave empty if not required."
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
            error={errors.at('/apiKey')}
          />
        )}
        <ErrorText text={rest} />
        <Button look="primary" type="submit" busy={create.isPending || change.isPending}>
          {connection === null ? 'Create connection' : 'Save'}
        </Button>
      </form>
    </Dialog>
  );
}
