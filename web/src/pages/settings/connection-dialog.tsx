import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { useConnectionActions } from '../../api/connections.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { ModelConnectionRecord } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input, Select } from '../../design/field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useProject } from '../../frame/project-context.ts';

type KeyChange = 'keep' | 'replace' | 'remove';

const keyChanges: ReadonlyArray<{ value: KeyChange; label: string }> = [
  { value: 'keep', label: 'Keep the key that is stored' },
  { value: 'replace', label: 'Put in another key' },
  { value: 'remove', label: 'Remove the key' },
];

/** What is sent of the key: nothing leaves the stored one, null removes it. */
function keyFields(change: KeyChange, key: string): { apiKey?: string | null } {
  if (change === 'keep') return {};
  return { apiKey: change === 'remove' || key === '' ? null : key };
}

/** Makes a model connection, or changes one. A stored key is not shown: it stays, is replaced, or goes. */
export function ConnectionDialog({
  connection,
  onClose,
}: {
  connection: ModelConnectionRecord | null;
  onClose(): void;
}): ReactNode {
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
  const done = (said: string) => {
    say(said);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const fields = { name, baseUrl, model, ...keyFields(keyChange, apiKey) };
    if (connection === null) create.mutate(fields, { onSuccess: () => done('The connection was made.') });
    else change.mutate({ id: connection.id, ...fields }, { onSuccess: () => done('The connection was changed.') });
  };
  return (
    <Dialog open onOpenChange={onClose} title={connection === null ? 'New model connection' : 'Edit this connection'}>
      <form onSubmit={submit} className="flex flex-col gap-3" noValidate>
        <Input label="Name" value={name} onChange={(event) => setName(event.target.value)} error={errors.at('/name')} />
        <Input
          label="Base URL"
          hint="An OpenAI-compatible API; /chat/completions is added to it."
          value={baseUrl}
          spellCheck={false}
          onChange={(event) => setBaseUrl(event.target.value)}
          error={errors.at('/baseUrl')}
        />
        <Input
          label="Model"
          hint="Asked where an evaluator names no other."
          value={model}
          spellCheck={false}
          onChange={(event) => setModel(event.target.value)}
          error={errors.at('/model')}
        />
        {connection?.hasKey === true && (
          <Select<KeyChange>
            label="Key"
            value={keyChange}
            options={keyChanges}
            onValue={setKeyChange}
            error={keyChange === 'replace' ? null : errors.at('/apiKey')}
          />
        )}
        {keyChange === 'replace' && (
          <Input
            label={connection?.hasKey === true ? 'New key' : 'Key'}
            type="password"
            autoComplete="off"
            hint="Kept encrypted and never shown again. Leave it empty for a server that takes none."
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
            error={errors.at('/apiKey')}
          />
        )}
        {rest !== null && (
          <p role="alert" className="text-xs text-bad">
            {rest}
          </p>
        )}
        <Button look="primary" type="submit" busy={create.isPending || change.isPending}>
          {connection === null ? 'Make the connection' : 'Save'}
        </Button>
      </form>
    </Dialog>
  );
}
