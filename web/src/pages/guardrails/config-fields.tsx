import type { ReactNode } from 'react';
import { Editor, EditorField } from '../../content/editor-field.tsx';
import { CheckList } from '../../design/check-list.tsx';
import { Input, TextArea } from '../../design/field.tsx';
import { ListInput } from '../../design/list-input.tsx';
import { Switch } from '../../design/switch.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { allEntities, entityLabels, secretLabels } from './config-labels.ts';
import { termsOf } from './form-values.ts';
import type { FieldsProps } from './form-values.ts';
import { JudgeFields } from './judge-fields.tsx';
import { PatternFields } from './pattern-fields.tsx';

const entities = allEntities.map((value) => ({ value, label: entityLabels[value] ?? value }));
const commonRegions = [
  'US',
  'CA',
  'GB',
  'IE',
  'DE',
  'FR',
  'ES',
  'IT',
  'NL',
  'BE',
  'AT',
  'CH',
  'PL',
  'SE',
  'BR',
  'MX',
  'IN',
  'JP',
  'AU',
];

/** The configuration fields of the guardrail's type. */
export function ConfigFields(fields: FieldsProps): ReactNode {
  switch (fields.form.type) {
    case 'regex':
      return <PatternFields {...fields} />;
    case 'blocklist':
      return <TermFields {...fields} />;
    case 'pii':
      return <EntityFields {...fields} />;
    case 'secrets':
      return <SecretFields {...fields} />;
    case 'prompt_injection':
      return <NumberField {...fields} name="threshold" label="Threshold" hint="Minimum score of a phrase, 0 to 1." />;
    case 'max_length':
      return <NumberField {...fields} name="maxCharacters" label="Maximum characters" hint="An emoji counts as one character." />;
    case 'json_schema':
      return <SchemaField {...fields} />;
    case 'llm_judge':
      return <JudgeFields {...fields} />;
    default:
      return <JsonField {...fields} />;
  }
}

function NumberField({
  form,
  onChange,
  errorAt,
  disabled,
  name,
  label,
  hint,
}: FieldsProps & { name: 'threshold' | 'maxCharacters'; label: string; hint: string }): ReactNode {
  return (
    <Input
      label={label}
      hint={hint}
      inputMode="decimal"
      className="max-w-60"
      value={form[name]}
      disabled={disabled}
      onChange={(event) => onChange({ [name]: event.target.value })}
      error={errorAt(`/config/${name}`)}
    />
  );
}

/** The configuration of a type without fields of its own. */
function JsonField({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
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

function TermFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const count = termsOf(form.terms).length;
  return (
    <>
      <TextArea
        label="Terms"
        hint={`One word or phrase per line. ${countedExactly(count, 'term')}, at most 1,000.`}
        rows={8}
        spellCheck={false}
        value={form.terms}
        disabled={disabled}
        onChange={(event) => onChange({ terms: event.target.value })}
        error={errorAt('/config/terms')}
      />
      <div className="flex flex-wrap gap-x-6">
        <Switch
          label="Ignore case"
          checked={form.ignoreCase}
          disabled={disabled}
          onChange={(ignoreCase) => onChange({ ignoreCase })}
        />
        <Switch
          label="Whole words only"
          checked={form.wholeWords}
          disabled={disabled}
          onChange={(wholeWords) => onChange({ wholeWords })}
        />
      </div>
    </>
  );
}

function EntityFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <>
      <CheckList
        label="Entities"
        options={entities}
        values={form.entities}
        disabled={disabled}
        onValues={(chosen) => onChange({ entities: chosen })}
        error={errorAt('/config/entities')}
      />
      {form.entities.includes('phone') && (
        <div className="flex flex-col gap-1">
          <ListInput
            label="Phone regions"
            values={form.phoneRegions}
            suggestions={commonRegions}
            placeholder="US"
            disabled={disabled}
            onValues={(regions) => onChange({ phoneRegions: [...new Set(regions.map((region) => region.toUpperCase()))] })}
            error={errorAt('/config/phoneRegions')}
          />
          <p className="text-xs text-ink-faint">
            Two-letter codes, such as US or DE. Numbers in national form are found in these regions; international numbers are
            always found.
          </p>
        </div>
      )}
    </>
  );
}

function SecretFields({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <div className="flex flex-col gap-1">
      <ListInput
        label="Excluded formats"
        values={form.exclude}
        suggestions={secretLabels}
        placeholder="None"
        disabled={disabled}
        onValues={(exclude) => onChange({ exclude })}
        error={errorAt('/config/exclude')}
      />
      <p className="text-xs text-ink-faint">
        {secretLabels.length} formats are known, such as github_token and private_key. Exclude the ones that may appear.
      </p>
    </div>
  );
}

function SchemaField({ form, filled, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const error = errorAt('/config/schema');
  const hint = 'Draft 2020-12, or draft 7 if $schema says so.';
  if (disabled) return <TextArea label="JSON Schema" hint={hint} mono rows={12} disabled value={form.schema} />;
  return (
    <EditorField label="JSON Schema" hint={hint} error={error}>
      <Editor
        // A newer version of the guardrail replaces the text, unless it was edited.
        key={filled.schema}
        label="JSON Schema"
        tall
        language="json"
        initial={form.schema}
        invalid={error !== null}
        onText={(schema) => onChange({ schema })}
      />
    </EditorField>
  );
}
