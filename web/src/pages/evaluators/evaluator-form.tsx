import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Input, Select } from '../../design/field.tsx';
import { Switch } from '../../design/switch.tsx';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { ConfigFields } from './config-fields.tsx';
import { targetNames, targetWords, typeNames, typeWords } from './evaluator-words.ts';
import { FilterFields } from './filter-fields.tsx';
import { refilled, same, unreadable } from './form-values.ts';
import type { FieldsProps, FormValues } from './form-values.ts';

interface EvaluatorFormProps {
  /** What it is filled with. Another one fills in what was not typed. */
  initial: FormValues;
  /** What the button says. */
  action: string;
  busy: boolean;
  error: unknown;
  /** The viewer may look only. */
  readOnly?: boolean;
  /** `filled`: what the form was filled with. `done` makes what is typed count as saved, and lets the page be left. */
  onSubmit(form: FormValues, filled: FormValues, done: () => void): void;
}

const shownFields = ['/slug', '/name', '/type', '/target', '/config', '/filter', '/sampleRate', '/passThreshold', '/idleMinutes'];

/** Makes or changes an evaluator: what is refused stands at its field. */
export function EvaluatorForm({ initial, action, busy, error, readOnly = false, onSubmit }: EvaluatorFormProps): ReactNode {
  const [form, setForm] = useState(initial);
  const [filled, setFilled] = useState(initial);
  const [shown, setShown] = useState(initial);
  if (initial !== shown) {
    setShown(initial);
    setFilled(initial);
    setForm(refilled(form, filled, initial));
  }
  const saved = useRef(initial);
  const [unread, setUnread] = useState<{ path: string; message: string } | null>(null);
  const errors = fieldErrors(error, '/slug');
  const errorAt = (path: string) => (unread?.path === path ? unread.message : errors.at(path));
  const rest = errors.rest(shownFields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = unreadable(form);
    setUnread(problem);
    if (problem !== null) return;
    onSubmit(form, filled, () => {
      saved.current = form;
      setFilled((now) => refilled(form, filled, now));
    });
  };
  const fields: FieldsProps = {
    form,
    onChange: (change) => setForm((before) => ({ ...before, ...change })),
    errorAt,
    disabled: readOnly,
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-3" noValidate>
      <LeaveGuard unsaved={() => !same(form, filled) && form !== saved.current} />
      <Card title="Evaluator" aside={<Enabled {...fields} />}>
        <div className="flex flex-col gap-3 p-3">
          <Identity {...fields} />
          <ConfigFields {...fields} />
        </div>
      </Card>
      <Card title="What it looks at">
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

function Identity({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-2">
        <Input
          label="Slug"
          hint="Names its scores, such as answer-relevance."
          value={form.slug}
          disabled={disabled}
          onChange={(event) => onChange({ slug: event.target.value })}
          error={errorAt('/slug')}
        />
        <Input
          label="Name"
          hint="For people; without one it goes by its slug."
          value={form.name}
          disabled={disabled}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorAt('/name')}
        />
      </div>
      <Select
        label="Type"
        hint={typeWords[form.type].says}
        value={form.type}
        disabled={disabled}
        options={typeNames.map((value) => ({ value, label: typeWords[value].title }))}
        onValue={(type) => onChange({ type })}
        error={errorAt('/type')}
      />
    </>
  );
}

function shareHint(text: string): string {
  const share = Number(text.replace(',', '.'));
  return share >= 0 && share <= 1 && text.trim() !== '' ? `${Number((share * 100).toFixed(2))} % of them.` : 'From 0 to 1.';
}

function Selection({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Select
        label="Target"
        hint={targetWords[form.target].says}
        value={form.target}
        disabled={disabled}
        options={targetNames.map((value) => ({ value, label: targetWords[value].title }))}
        onValue={(target) => onChange({ target })}
        error={errorAt('/target')}
      />
      <Input
        label="Sampled share"
        inputMode="decimal"
        hint={shareHint(form.sampleRate)}
        value={form.sampleRate}
        disabled={disabled}
        onChange={(event) => onChange({ sampleRate: event.target.value })}
        error={errorAt('/sampleRate')}
      />
      <Input
        label="Pass threshold"
        inputMode="decimal"
        hint="A score from this on has passed, where it does not say so itself."
        placeholder="none"
        value={form.passThreshold}
        disabled={disabled}
        onChange={(event) => onChange({ passThreshold: event.target.value })}
        error={errorAt('/passThreshold')}
      />
      {form.target === 'session' && (
        <Input
          label="Idle minutes"
          inputMode="numeric"
          hint="Silence after which a session is complete."
          value={form.idleMinutes}
          disabled={disabled}
          onChange={(event) => onChange({ idleMinutes: event.target.value })}
          error={errorAt('/idleMinutes')}
        />
      )}
    </div>
  );
}
