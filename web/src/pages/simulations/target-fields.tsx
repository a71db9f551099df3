import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { connectionsQuery } from '../../api/connections.ts';
import { Input, Select, TextArea } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import type { ScenarioForm } from './scenario-values.ts';

/** Properties of the parts of the form. */
export interface FieldsProps {
  form: ScenarioForm;
  onChange(change: Partial<ScenarioForm>): void;
  /** The error of a field, by its path in the request body. */
  errorAt(path: string): string | null;
  disabled: boolean;
}

const methods = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map((value) => ({ value, label: value }));

/** Where a request goes, and where its answer has the output. */
export function HttpFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <>
      <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-2">
        <Select
          label="Method"
          value={form.method}
          options={methods}
          onValue={(method) => onChange({ method })}
          disabled={disabled}
        />
        <Input
          label="URL"
          value={form.url}
          onChange={(event) => onChange({ url: event.target.value })}
          placeholder="https://staging.example.com/answer"
          error={errorAt('/target/url')}
          disabled={disabled}
        />
      </div>
      <TextArea
        label="Headers"
        mono
        rows={3}
        placeholder="authorization: Bearer …"
        hint="Name: value, one a line. Values are stored encrypted and shown as ***, except for accept, accept-language, content-type, user-agent and x-request-id."
        value={form.headers}
        onChange={(event) => onChange({ headers: event.target.value })}
        error={errorAt('/target/headers')}
        disabled={disabled}
      />
      <TextArea
        label="Secrets"
        mono
        rows={2}
        placeholder="token: …"
        hint="Name: value, one a line. They fill {{secret.name}} in the query of the URL and in the body. Stored encrypted and shown as ***."
        value={form.secrets}
        onChange={(event) => onChange({ secrets: event.target.value })}
        error={errorAt('/target/secrets')}
        disabled={disabled}
      />
      <TextArea
        label="Body"
        mono
        rows={4}
        hint="JSON. {{input}}, {{input.field}}, {{metadata.field}} and {{secret.name}} are replaced. GET requests are sent without a body."
        value={form.body}
        onChange={(event) => onChange({ body: event.target.value })}
        error={errorAt('/target/body')}
        disabled={disabled}
      />
      <div className="grid grid-cols-2 gap-2">
        <Input
          label="Output path"
          hint="JSON pointer to the output in the response. Leave empty to use the whole response."
          value={form.outputPath}
          onChange={(event) => onChange({ outputPath: event.target.value })}
          error={errorAt('/target/outputPath')}
          disabled={disabled}
        />
        <Input
          label="Timeout (ms)"
          type="number"
          value={form.timeoutMs}
          onChange={(event) => onChange({ timeoutMs: event.target.value })}
          error={errorAt('/target/timeoutMs')}
          disabled={disabled}
        />
      </div>
    </>
  );
}

/** Which version of a prompt is asked, and of which model. */
export function PromptFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(connectionsQuery(projectId));
  const names = query.data?.modelConnections.map(({ name }) => name) ?? [];
  const listed = form.connection === '' || names.includes(form.connection) ? names : [form.connection, ...names];
  return (
    <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
      <Input
        label="Prompt"
        value={form.promptName}
        onChange={(event) => onChange({ promptName: event.target.value })}
        error={errorAt('/target/promptName')}
        disabled={disabled}
      />
      <Input
        label="Label"
        hint="The version with this label; latest for the newest one"
        value={form.label}
        onChange={(event) => onChange({ label: event.target.value })}
        error={errorAt('/target/label')}
        disabled={disabled}
      />
      <Select
        label="Connection"
        value={form.connection}
        options={[
          { value: '', label: 'Choose a model connection' },
          ...listed.map((value) => ({ value, label: visibleText(value) })),
        ]}
        onValue={(connection) => onChange({ connection })}
        error={errorAt('/target/connection')}
        disabled={disabled}
      />
      <Input
        label="Model"
        placeholder="Default model of the connection"
        value={form.model}
        onChange={(event) => onChange({ model: event.target.value })}
        error={errorAt('/target/model')}
        disabled={disabled}
      />
    </div>
  );
}
