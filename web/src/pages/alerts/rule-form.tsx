import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { previewQuery } from '../../api/alerts.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import type { AlertBody } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { useErrorFocus } from '../../design/use-error-focus.ts';
import { same } from '../../format/edited-values.ts';
import { alertTypes } from '../../content/alert-words.ts';
import { LeaveGuard } from '../../frame/leave-guard.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useEditedForm } from '../../frame/use-edited-form.ts';
import { ChannelFields } from './channel-fields.tsx';
import { ConditionFields, FiringFields } from './condition-fields.tsx';
import { fieldsOf, previewFields, shownPaths } from './form-values.ts';
import type { FieldsProps, FormValues } from './form-values.ts';
import { PreviewCard } from './preview-card.tsx';
import type { LivePreview } from './preview-card.tsx';
import { useDebounced } from './use-debounced.ts';

interface RuleFormProps {
  /** The initial values. A new object updates fields that were not edited. */
  initial: FormValues;
  /** Label of the submit button. */
  action: string;
  /** Beside the submit button. */
  note?: ReactNode;
  busy: boolean;
  error: unknown;
  /** Disables all fields and the preview. */
  readOnly?: boolean;
  /** Saves the form. @param filled the values before editing @param done marks the form as saved, which allows leaving the page */
  onSubmit(form: FormValues, filled: FormValues, done: () => void): void;
}

/** The form for an alert rule beside its preview. Errors of both are shown at the fields. */
export function RuleForm({ initial, action, note, busy, error, readOnly = false, onSubmit }: RuleFormProps): ReactNode {
  const { form, filled, change, markSaved, isUnsaved } = useEditedForm(initial);
  const [sent, setSent] = useState<FormValues | null>(null);
  const live = usePreview(form, !readOnly);
  const errors = fieldErrors(error, '/name');
  const errorAt = (path: string) => {
    // An error of a save is about the values that were sent; the preview's about the present ones.
    const isCurrent = sent !== null && same(atPath(fieldsOf(sent), path), atPath(fieldsOf(form), path));
    const found = live.errorAt(path) ?? (isCurrent ? errors.at(path) : null);
    return found !== null && alertTypes[form.type].unit === 'share'
      ? found.replace('a fraction from 0 to 1', 'from 0 to 100%')
      : found;
  };
  const rest = errors.rest(shownPaths);
  const element = useErrorFocus<HTMLFormElement>(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(form);
    onSubmit(form, filled, markSaved);
  };
  const fields: FieldsProps = {
    form,
    onChange: change,
    errorAt,
    disabled: readOnly,
  };
  return (
    <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,1.3fr)_minmax(22rem,1fr)]">
      <form ref={element} onSubmit={submit} className="flex min-w-0 flex-col gap-3" noValidate>
        <LeaveGuard unsaved={isUnsaved} />
        <Card title="Condition">
          <div className="flex flex-col gap-3 p-3">
            <ConditionFields {...fields} />
          </div>
        </Card>
        {alertTypes[form.type].isEvaluated && (
          <Card title="Firing">
            <div className="p-3">
              <FiringFields {...fields} />
            </div>
          </Card>
        )}
        <ChannelFields {...fields} />
        {rest !== null && (
          <p role="alert" className="text-bad">
            {rest}
          </p>
        )}
        {!readOnly && (
          <div className="flex flex-wrap items-center gap-3">
            <Button look="primary" type="submit" busy={busy}>
              {action}
            </Button>
            {note}
          </div>
        )}
      </form>
      {!readOnly && (
        <div className="min-w-0 xl:sticky xl:top-16">
          <PreviewCard type={form.type} live={live} />
        </div>
      )}
    </div>
  );
}

/** The part of a body at a JSON pointer of one name; deeper pointers stand for their first name. */
function atPath(fields: Required<AlertBody>, path: string): unknown {
  const name = path.split('/')[1] as keyof AlertBody | undefined;
  return name === undefined ? undefined : fields[name];
}

/** Time without a key press after which the preview is evaluated. */
const pauseMs = 500;

/** The preview of a form, evaluated when the reader stops typing. */
function usePreview(form: FormValues, enabled: boolean): LivePreview & { errorAt(path: string): string | null } {
  const { projectId } = useProject();
  const line = JSON.stringify(previewFields(form));
  const settled = useDebounced(line, pauseMs);
  const fields = useMemo(() => JSON.parse(settled) as AlertBody | null, [settled]);
  const query = useQuery({
    ...previewQuery(projectId, fields ?? { name: '', type: 'model-lifecycle' }),
    enabled: enabled && fields !== null,
    placeholderData: keepPreviousData,
  });
  const isCurrent = line === settled;
  const error = isCurrent && fields !== null ? query.error : null;
  const errors = fieldErrors(error);
  return {
    preview: query.data,
    isRunning: enabled && line !== 'null' && (!isCurrent || query.isFetching),
    problem: error === null ? null : (errors.rest(shownPaths) ?? 'Correct the fields to see when the rule would have fired.'),
    isEmpty: line === 'null',
    errorAt: errors.at,
  };
}
