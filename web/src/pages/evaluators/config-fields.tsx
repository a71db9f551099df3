import type { ReactNode } from 'react';
import { TextArea } from '../../design/field.tsx';
import { Switch } from '../../design/switch.tsx';
import { ConfigInput } from './config-input.tsx';
import type { FieldsProps } from './form-values.ts';
import { JudgeFields } from './judge-fields.tsx';

function IgnoreCase({ form, onChange, disabled }: FieldsProps): ReactNode {
  return (
    <Switch
      label="Ignore case"
      checked={form.ignoreCase}
      disabled={disabled}
      onChange={(ignoreCase) => onChange({ ignoreCase })}
    />
  );
}

/** The configuration fields of the evaluator type. */
export function ConfigFields(fields: FieldsProps): ReactNode {
  const { form, onChange, errorAt, disabled } = fields;
  switch (form.type) {
    case 'exact':
      return <IgnoreCase {...fields} />;
    case 'fuzzy':
      return (
        <ConfigInput {...{ fields }} name="threshold" label="Threshold" inputMode="decimal" hint="Minimum similarity, 0 to 1." />
      );
    case 'contains':
      return (
        <>
          <TextArea
            label="Text"
            rows={3}
            value={form.value}
            disabled={disabled}
            onChange={(event) => onChange({ value: event.target.value })}
            error={errorAt('/config/value')}
          />
          <IgnoreCase {...fields} />
        </>
      );
    case 'regex':
      return (
        <div className="grid gap-3 sm:grid-cols-[1fr_8rem]">
          <ConfigInput {...{ fields }} name="pattern" label="Pattern" hint="RE2 syntax, without lookaround and backreferences." />
          <ConfigInput {...{ fields }} name="flags" label="Flags" hint="Any of i, m, s, u." />
        </div>
      );
    case 'json_schema':
      return (
        <TextArea
          label="Schema"
          hint="JSON Schema 2020-12, or draft-07 if $schema says so."
          mono
          rows={12}
          spellCheck={false}
          value={form.schema}
          disabled={disabled}
          onChange={(event) => onChange({ schema: event.target.value })}
          error={errorAt('/config/schema')}
        />
      );
    case 'latency':
      return <ConfigInput {...{ fields }} name="maxMs" label="Maximum (ms)" inputMode="decimal" />;
    case 'cost':
      return <ConfigInput {...{ fields }} name="maxUsd" label="Maximum ($)" inputMode="decimal" />;
    case 'llm_judge':
      return <JudgeFields {...fields} />;
    default:
      return (
        <TextArea
          label="Configuration"
          hint="JSON."
          mono
          rows={8}
          spellCheck={false}
          value={form.config}
          disabled={disabled}
          onChange={(event) => onChange({ config: event.target.value })}
          error={errorAt('/config')}
        />
      );
  }
}
