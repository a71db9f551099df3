import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { connectionsQuery } from '../../api/connections.ts';
import type { ModelConnectionRecord } from '../../api/wire.ts';
import { Select, TextArea } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { ConfigInput } from './config-input.tsx';
import type { FieldsProps } from './form-values.ts';

/** The configuration of an LLM judge. */
export function JudgeFields(fields: FieldsProps): ReactNode {
  const { form, onChange, errorAt, disabled } = fields;
  const { at, projectId } = useProject();
  const { data } = useQuery(connectionsQuery(projectId));
  const connections = data?.modelConnections ?? [];
  const choose = (connectionId: string) => {
    const chosen = connections.find(({ id }) => id === connectionId);
    onChange({ connectionId, ...(form.model === '' && chosen ? { model: chosen.model } : {}) });
  };
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label="Model connection"
          value={form.connectionId}
          disabled={disabled}
          options={connectionOptions(connections, form.connectionId)}
          onValue={choose}
          error={errorAt('/config/connectionId')}
          hint={
            data && connections.length === 0 ? (
              <>
                No model connections.{' '}
                <Link {...pages.settings(at, 'connections')} className="text-accent hover:underline">
                  Create one in Settings
                </Link>
              </>
            ) : (
              'The API that serves the judge model.'
            )
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
  connections: readonly ModelConnectionRecord[],
  chosen: string,
): ReadonlyArray<{ value: string; label: string }> {
  const known = connections.map(({ id, name, baseUrl }) => ({ value: id, label: visibleText(`${name} (${baseUrl})`) }));
  const gone = chosen !== '' && !known.some(({ value }) => value === chosen);
  return [
    { value: '', label: 'Select a connection' },
    ...(gone ? [{ value: chosen, label: 'Deleted connection' }] : []),
    ...known,
  ];
}
