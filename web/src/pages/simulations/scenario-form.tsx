import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { evaluatorsQuery } from '../../api/evaluators.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Input, Select, TextArea } from '../../design/field.tsx';
import { Segments } from '../../design/segments.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { Visible } from '../../design/visible.tsx';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useEditedForm } from '../../frame/use-edited-form.ts';
import { DatasetPicker } from './dataset-picker.tsx';
import { bodyProblem } from './scenario-values.ts';
import type { ScenarioForm as Form } from './scenario-values.ts';
import { HttpFields, PromptFields } from './target-fields.tsx';
import type { FieldsProps } from './target-fields.tsx';
import { TryItem } from './try-item.tsx';

const noDataset = 'Choose a dataset.';

const shownPaths = [
  '/name',
  '/description',
  '/datasetId',
  '/evaluators',
  ...['url', 'headers', 'body', 'outputPath', 'timeoutMs', 'promptName', 'label', 'connection', 'model'].map(
    (one) => `/target/${one}`,
  ),
];

interface ScenarioFormProps {
  /** The initial values. A new object updates fields that were not edited. */
  initial: Form;
  /** Label of the submit button. */
  action: string;
  busy: boolean;
  error: unknown;
  readOnly?: boolean;
  /** The stored scenario. */
  scenarioId?: string;
  /** Saves the form. @param filled the values before editing @param done marks the form as saved, which allows leaving the page */
  onSubmit(form: Form, filled: Form, done: () => void): void;
}

/** The form for a scenario. */
export function ScenarioForm({
  initial,
  action,
  busy,
  error,
  readOnly = false,
  scenarioId,
  onSubmit,
}: ScenarioFormProps): ReactNode {
  const { form, filled, change, markSaved, isUnsaved } = useEditedForm(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const errors = fieldErrors(error, '/name');
  const rest = errors.rest(shownPaths);
  const element = useErrorFocus<HTMLFormElement>(problem ?? error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = form.datasetId === '' ? noDataset : bodyProblem(form);
    setProblem(found);
    if (found === null) onSubmit(form, filled, markSaved);
  };
  const fields: FieldsProps = {
    form,
    onChange: change,
    errorAt: (path) => {
      const about = problem === noDataset ? '/datasetId' : '/target/body';
      return path === about && problem !== null ? problem : errors.at(path);
    },
    disabled: readOnly,
  };
  return (
    <div className="grid min-w-0 items-start gap-3 xl:grid-cols-2">
      <form ref={element} onSubmit={submit} className="flex max-w-3xl min-w-0 flex-col gap-3" noValidate>
        <LeaveGuard unsaved={isUnsaved} />
        <Card title="Scenario">
          <div className="flex flex-col gap-3 p-3">
            <Input
              label="Name"
              value={form.name}
              onChange={(event) => change({ name: event.target.value })}
              error={errors.at('/name')}
              disabled={readOnly}
            />
            <TextArea
              label="Description"
              rows={2}
              value={form.description}
              onChange={(event) => change({ description: event.target.value })}
              error={errors.at('/description')}
              disabled={readOnly}
            />
          </div>
        </Card>
        <Card
          title="Target"
          aside={
            !readOnly && (
              <Segments
                label="Kind of target"
                value={form.type}
                options={[
                  { value: 'http', label: 'HTTP' },
                  { value: 'prompt', label: 'Prompt' },
                ]}
                onValue={(type) => change({ type })}
              />
            )
          }
        >
          <div className="flex flex-col gap-3 p-3">
            {form.type === 'http' ? <HttpFields {...fields} /> : <PromptFields {...fields} />}
          </div>
        </Card>
        <Judging {...fields} />
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
      {!readOnly && <TryItem form={form} scenarioId={scenarioId} />}
    </div>
  );
}

/** What is sent, and what judges the outputs. */
function Judging({ form, onChange, errorAt, disabled }: FieldsProps): ReactNode {
  const { projectId } = useProject();
  const { data, isPending } = useQuery(evaluatorsQuery(projectId));
  const evaluators = data?.evaluators.map(({ slug }) => slug) ?? [];
  const toggle = (slug: string) =>
    onChange({
      evaluators: form.evaluators.includes(slug) ? form.evaluators.filter((one) => one !== slug) : [...form.evaluators, slug],
    });
  return (
    <Card title="Dataset and evaluation">
      <div className="flex flex-col gap-3 p-3">
        <DatasetPicker
          value={form.datasetId}
          onValue={(datasetId) => onChange({ datasetId })}
          error={errorAt('/datasetId')}
          disabled={disabled}
        />
        <Select
          label="Reference match"
          hint="Compares outputs with the expected ones of the dataset"
          value={form.referenceMatch}
          options={[
            { value: '', label: 'Not compared' },
            { value: 'exact', label: 'Exact: equal as JSON' },
            { value: 'fuzzy', label: 'Fuzzy: edit similarity of at least 0.8' },
          ]}
          onValue={(referenceMatch) => onChange({ referenceMatch })}
          disabled={disabled}
        />
        <fieldset className="flex flex-col gap-1" disabled={disabled}>
          <legend className="mb-1 text-xs font-medium text-ink-soft">Evaluators</legend>
          {[...new Set([...evaluators, ...form.evaluators])].map((slug) => (
            <label key={slug} className="flex items-center gap-2">
              <input
                type="checkbox"
                className="size-4 accent-(--accent)"
                checked={form.evaluators.includes(slug)}
                onChange={() => toggle(slug)}
              />
              <Visible text={slug} />
            </label>
          ))}
          {evaluators.length === 0 && !isPending && (
            <p className="text-ink-faint">{data ? 'The project has no evaluators.' : 'The evaluators can’t be loaded.'}</p>
          )}
          <ErrorText text={errorAt('/evaluators')} />
        </fieldset>
      </div>
    </Card>
  );
}
