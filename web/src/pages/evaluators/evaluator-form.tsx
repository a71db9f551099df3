import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { evaluatorTypesQuery } from '../../api/evaluators.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { EvaluatorTypeDoc, EvaluatorTypeName } from '../../api/parts.ts';
import { jsonText } from '../../content/json-text.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Input, Select } from '../../design/field.tsx';
import { Share } from '../../design/figures.tsx';
import { Switch } from '../../design/switch.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { useEditedForm } from '../../frame/use-edited-form.ts';
import { ConfigFields } from './config-fields.tsx';
import { offeredTypes, targetNames, targetLabels, typeLabel } from './evaluator-labels.ts';
import { FilterFields } from './filter-fields.tsx';
import { emptyForm, hasOwnFields, jsonProblem } from './form-values.ts';
import type { FieldsProps, FormValues } from './form-values.ts';

interface EvaluatorFormProps {
  /** The initial values. A new object updates fields that were not edited. */
  initial: FormValues;
  /** Label of the submit button. */
  action: string;
  busy: boolean;
  error: unknown;
  /** Disables all fields. */
  readOnly?: boolean;
  /** Saves the form. @param filled the values before editing @param done marks the form as saved, which allows leaving the page */
  onSubmit(form: FormValues, filled: FormValues, done: () => void): void;
}

const shownFields = ['/slug', '/name', '/type', '/target', '/config', '/filter', '/sampleRate', '/passThreshold', '/idleMinutes'];

/** The form for an evaluator. Shows errors at their fields. */
export function EvaluatorForm({ initial, action, busy, error, readOnly = false, onSubmit }: EvaluatorFormProps): ReactNode {
  const { form, filled, change, markSaved, isUnsaved } = useEditedForm(initial);
  const [invalid, setInvalid] = useState<{ path: string; message: string } | null>(null);
  const errors = fieldErrors(error, '/slug');
  const errorAt = (path: string) => (invalid?.path === path ? invalid.message : errors.at(path));
  const rest = errors.rest(shownFields);
  const element = useErrorFocus<HTMLFormElement>(invalid ?? error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = jsonProblem(form);
    setInvalid(problem);
    if (problem !== null) return;
    onSubmit(form, filled, markSaved);
  };
  const fields: FieldsProps = {
    form,
    onChange: change,
    errorAt,
    disabled: readOnly,
  };
  return (
    <form ref={element} onSubmit={submit} className="flex min-w-0 flex-col gap-3" noValidate>
      <LeaveGuard unsaved={isUnsaved} />
      <Card title="Evaluator" aside={<Enabled {...fields} />}>
        <div className="flex flex-col gap-3 p-3">
          <Identity {...fields} />
          <ConfigFields {...fields} />
        </div>
      </Card>
      <Card title="Scope">
        <div className="flex flex-col gap-3 p-3">
          <Selection {...fields} />
          <FilterFields {...fields} />
        </div>
      </Card>
      {rest !== null && (
        <p role="alert" className="text-bad">
          {rest}
        </p>
      )}
      {!readOnly && (
        <div>
          <Button look="primary" type="submit" busy={busy}>
            {action}
          </Button>
        </div>
      )}
    </form>
  );
}

function Enabled({ form, onChange, disabled }: FieldsProps): ReactNode {
  return <Switch label="Enabled" checked={form.enabled} disabled={disabled} onChange={(enabled) => onChange({ enabled })} />;
}

const noDocs: readonly EvaluatorTypeDoc[] = [];

function Identity({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const { data: docs = noDocs } = useQuery(evaluatorTypesQuery);
  const choose = (type: EvaluatorTypeName) => {
    const example = hasOwnFields(type) ? undefined : docs.find((doc) => doc.type === type)?.example;
    const untouched = form.config === emptyForm.config || docs.some((doc) => form.config === jsonText(doc.example));
    onChange({ type, ...(untouched && example !== undefined ? { config: jsonText(example) } : {}) });
  };
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Slug"
          hint="ID of its scores, e.g. answer-relevance."
          value={form.slug}
          disabled={disabled}
          onChange={(event) => onChange({ slug: event.target.value })}
          error={errorAt('/slug')}
        />
        <Input
          label="Name"
          hint="Display name. Defaults to the slug."
          value={form.name}
          disabled={disabled}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorAt('/name')}
        />
      </div>
      <Select
        label="Type"
        hint={typeLabel(form.type, docs).hint}
        value={form.type}
        disabled={disabled}
        options={offeredTypes(docs, form.type).map((value) => ({ value, label: typeLabel(value, docs).title }))}
        onValue={choose}
        error={errorAt('/type')}
      />
    </>
  );
}

/** The sample rate as a percentage. */
function sampleRateHint(text: string): ReactNode {
  const share = Number(text.replace(',', '.'));
  return share >= 0 && share <= 1 && text.trim() !== '' ? <Share value={share} /> : '0 to 1';
}

function Selection({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Select
        label="Target"
        hint={targetLabels[form.target].hint}
        value={form.target}
        disabled={disabled}
        options={targetNames.map((value) => ({ value, label: targetLabels[value].title }))}
        onValue={(target) => onChange({ target })}
        error={errorAt('/target')}
      />
      <Input
        label="Sample rate"
        inputMode="decimal"
        hint={sampleRateHint(form.sampleRate)}
        value={form.sampleRate}
        disabled={disabled}
        onChange={(event) => onChange({ sampleRate: event.target.value })}
        error={errorAt('/sampleRate')}
      />
      <Input
        label="Pass threshold"
        inputMode="decimal"
        hint="Scores at or above this pass."
        placeholder="None"
        value={form.passThreshold}
        disabled={disabled}
        onChange={(event) => onChange({ passThreshold: event.target.value })}
        error={errorAt('/passThreshold')}
      />
      {form.target === 'session' && (
        <Input
          label="Idle minutes"
          inputMode="numeric"
          hint="Inactivity after which a session is complete."
          value={form.idleMinutes}
          disabled={disabled}
          onChange={(event) => onChange({ idleMinutes: event.target.value })}
          error={errorAt('/idleMinutes')}
        />
      )}
    </div>
  );
}
