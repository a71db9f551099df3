import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors } from '../../api/field-errors.ts';
import { guardrailsQuery } from '../../api/guardrails.ts';
import { useGuardrailCheck } from '../../content/use-guardrail-check.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Switch } from '../../design/switch.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { same } from '../../format/edited-values.ts';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useEditedForm } from '../../frame/use-edited-form.ts';
import { checkInput, companionsOf, draftOf, draftSlug, testStages } from './check-draft.ts';
import { ConfigFields } from './config-fields.tsx';
import { problemAt, shownProblems } from './engine-problems.ts';
import { jsonProblem } from './form-values.ts';
import type { FieldsProps, FormValues } from './form-values.ts';
import { IdentityFields, ScopeFields } from './identity-fields.tsx';
import { TestBox } from './test-box.tsx';
import type { TestSettings } from './test-box.tsx';

interface GuardrailFormProps {
  /** The initial values. A new object updates fields that were not edited. */
  initial: FormValues;
  /** The ID of the guardrail; null for a new one. */
  guardrailId: string | null;
  /** Label of the submit button. */
  action: string;
  busy: boolean;
  error: unknown;
  /** Disables all fields. The test stays usable. */
  readOnly?: boolean;
  /** Saves the form. @param filled the values before editing @param done marks the form as saved, which allows leaving the page */
  onSubmit(form: FormValues, filled: FormValues, done: () => void): void;
}

const shownFields = ['/slug', '/name', '/type', '/stage', '/action', '/onError', '/priority', '/environments', '/config'];

/** The form for a guardrail beside its test. Shows errors of the service and of the engine at their fields. */
export function GuardrailForm(props: GuardrailFormProps): ReactNode {
  const { initial, guardrailId, action, busy, error, readOnly = false, onSubmit } = props;
  const { form, filled, change, markSaved, isUnsaved } = useEditedForm(initial);
  const [sentForm, setSentForm] = useState<FormValues | null>(null);
  const [unsent, setUnsent] = useState<{ path: string; message: string } | null>(null);
  const test = useTest(form, guardrailId);
  const errors = fieldErrors(error);
  const syntax = jsonProblem(form);
  const problems = shownProblems(test.problems, test.draft ?? {}, sentForm !== null);
  // An error of the service is about the values that were sent; the engine's about the present ones.
  const configSent = sentForm !== null && test.draft !== null && same(draftOf(sentForm)?.config, test.draft.config);
  const errorAt = (path: string) => {
    if (syntax?.path === path) return syntax.message;
    const found = problemAt(problems, path);
    return found ?? (path.startsWith('/config') && !configSent ? null : errors.at(path));
  };
  const rest = errors.rest(shownFields);
  const element = useErrorFocus<HTMLFormElement>(unsent ?? error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUnsent(syntax);
    if (syntax !== null) return;
    setSentForm(form);
    onSubmit(form, filled, markSaved);
  };
  const fields: FieldsProps = {
    form,
    filled,
    onChange: change,
    errorAt,
    disabled: readOnly,
  };
  return (
    <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1.1fr)_minmax(22rem,1fr)]">
      <form ref={element} onSubmit={submit} className="flex min-w-0 flex-col gap-3" noValidate>
        <LeaveGuard unsaved={isUnsaved} />
        <Card
          title="Guardrail"
          aside={
            // The page of a guardrail has a switch of its own, which needs no saving.
            guardrailId === null && (
              <Switch label="Enabled" checked={form.enabled} onChange={(enabled) => fields.onChange({ enabled })} />
            )
          }
        >
          <div className="flex flex-col gap-3 p-3">
            <IdentityFields {...fields} isNew={guardrailId === null} />
            <ConfigFields {...fields} />
          </div>
        </Card>
        <Card title="Scope and action">
          <div className="flex flex-col gap-3 p-3">
            <ScopeFields {...fields} />
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
      <div className="min-w-0 xl:sticky xl:top-16">
        <TestBox
          settings={test.settings}
          onSettings={test.change}
          stages={testStages(form.stage)}
          type={form.type}
          slug={test.draft?.slug ?? draftSlug}
          check={test.check}
          companions={test.companions.length}
          invalid={syntax !== null || test.problems.length > 0}
        />
      </div>
    </div>
  );
}

/** The test of a form: what is typed there, and the engine's answer. */
function useTest(form: FormValues, guardrailId: string | null) {
  const { projectId } = useProject();
  const { data } = useQuery(guardrailsQuery(projectId));
  const [settings, setSettings] = useState<TestSettings>({ text: '', stage: 'input', together: false });
  const companions = useMemo(() => companionsOf(form, guardrailId, data?.guardrails ?? []), [form, guardrailId, data]);
  const { text, stage, together } = settings;
  const input = useMemo(
    () => checkInput(form, { text, stage, companions: together ? companions : [] }),
    [form, text, stage, together, companions],
  );
  const check = useGuardrailCheck(input);
  const draft = useMemo(() => draftOf(form), [form]);
  const slug = draft?.slug ?? draftSlug;
  return {
    settings,
    change: (change: Partial<TestSettings>) => setSettings((before) => ({ ...before, ...change })),
    companions,
    draft,
    check,
    problems: draft === null ? [] : (check.answer?.reply.problems[slug] ?? []),
  };
}
