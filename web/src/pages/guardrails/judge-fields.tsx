import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { connectionsQuery } from '../../api/connections.ts';
import { Input, Select, TextArea } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { ConnectionDialog } from '../../frame/connection-dialog.tsx';
import { useProject } from '../../frame/project-context.ts';
import type { FieldsProps } from './form-values.ts';

/** The configuration of an LLM judge. It names its connection, as policy files do. */
export function JudgeFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const { projectId, can } = useProject();
  const [creating, setCreating] = useState(false);
  const { data } = useQuery(connectionsQuery(projectId));
  const connections = data?.modelConnections ?? [];
  const model = connections.find(({ name }) => name === form.connection)?.model;
  const isGone = data !== undefined && form.connection !== '' && !connections.some(({ name }) => name === form.connection);
  return (
    <>
      {creating && (
        <ConnectionDialog
          connection={null}
          onSaved={({ name }) => onChange({ connection: name })}
          onClose={() => setCreating(false)}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Model connection"
          value={form.connection}
          disabled={disabled}
          options={[
            { value: '', label: 'Select a connection' },
            ...(isGone || !data ? [{ value: form.connection, label: visibleText(form.connection) }] : []).filter(
              ({ value }) => value !== '',
            ),
            ...connections.map(({ name, baseUrl }) => ({ value: name, label: visibleText(`${name} (${baseUrl})`) })),
          ]}
          onValue={(connection) => onChange({ connection })}
          error={errorAt('/config/connection') ?? (isGone ? 'Connection not found.' : null)}
          hint={
            <>
              {data && connections.length === 0 ? 'No model connections. ' : 'The API that serves the judge model. '}
              {!disabled && can('connections:manage') && (
                <button type="button" className="text-accent hover:underline" onClick={() => setCreating(true)}>
                  New connection
                </button>
              )}
            </>
          }
        />
        <Input
          label="Model"
          placeholder={model ?? ''}
          hint="Optional. Defaults to the connection's model."
          spellCheck={false}
          value={form.model}
          disabled={disabled}
          onChange={(event) => onChange({ model: event.target.value })}
          error={errorAt('/config/model')}
        />
      </div>
      <TextArea
        label="Instructions"
        hint="When to trigger, for example: Trigger if the answer gives medical advice. The text is added automatically."
        rows={6}
        value={form.instructions}
        disabled={disabled}
        onChange={(event) => onChange({ instructions: event.target.value })}
        error={errorAt('/config/instructions')}
      />
    </>
  );
}
