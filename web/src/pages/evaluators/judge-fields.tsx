import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { connectionsQuery } from '../../api/connections.ts';
import type { ModelConnection } from '../../api/service.ts';
import { Select, TextArea } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { ConnectionDialog } from '../../frame/connection-dialog.tsx';
import { useProject } from '../../frame/project-context.ts';
import { ConfigInput } from './config-input.tsx';
import type { FieldsProps } from './form-values.ts';

/** The configuration of an LLM judge. */
export function JudgeFields(fields: FieldsProps): ReactNode {
  const { form, onChange, errorAt, disabled } = fields;
  const { projectId, can } = useProject();
  const [creating, setCreating] = useState(false);
  const { data } = useQuery(connectionsQuery(projectId));
  const connections = data?.modelConnections ?? [];
  const select = (chosen: ModelConnection | undefined) =>
    onChange({ connectionId: chosen?.id ?? '', ...(form.model === '' && chosen ? { model: chosen.model } : {}) });
  return (
    <>
      {creating && <ConnectionDialog connection={null} onSaved={select} onClose={() => setCreating(false)} />}
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Model connection"
          value={form.connectionId}
          disabled={disabled}
          options={connectionOptions(connections, form.connectionId, data === undefined)}
          onValue={(chosen) => select(connections.find(({ id }) => id === chosen))}
          error={errorAt('/config/connectionId')}
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
        <ConfigInput {...{ fields }} name="model" label="Model" hint="Model ID as the provider names it." />
      </div>
      <TextArea
        label="Instructions"
        hint="Scoring criteria. Input, output and expected output are added automatically."
        rows={6}
        value={form.instructions}
        disabled={disabled}
        onChange={(event) => onChange({ instructions: event.target.value })}
        error={errorAt('/config/instructions')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <ConfigInput {...{ fields }} name="scaleMin" label="Min score" inputMode="decimal" path="/config/scale" />
        <ConfigInput {...{ fields }} name="scaleMax" label="Max score" inputMode="decimal" path="/config/scale/1" />
      </div>
    </>
  );
}

function connectionOptions(
  connections: readonly ModelConnection[],
  chosen: string,
  isMissing: boolean,
): ReadonlyArray<{ value: string; label: string }> {
  const known = connections.map(({ id, name, baseUrl }) => ({ value: id, label: visibleText(`${name} (${baseUrl})`) }));
  const gone = chosen !== '' && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: 'Select a connection' },
    ...(gone ? [{ value: chosen, label: isMissing ? 'Current connection' : 'Deleted connection' }] : []),
    ...known,
  ];
}
