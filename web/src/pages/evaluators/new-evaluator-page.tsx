import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useEvaluatorActions } from '../../api/evaluators.ts';
import { Failure } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { EvaluatorForm } from './evaluator-form.tsx';
import { emptyForm, fieldsOf } from './form-values.ts';

/** The breadcrumb of evaluator pages. */
export function EvaluatorsTrail(): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.evaluators(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Evaluators /
    </Link>
  );
}

/** Creates an evaluator. */
export default function NewEvaluatorPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { create } = useEvaluatorActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <Page title="New evaluator" form trail={<EvaluatorsTrail />}>
      {can('evaluations:manage') ? (
        <div className="max-w-3xl">
          <EvaluatorForm
            initial={emptyForm}
            action="Create evaluator"
            busy={create.isPending}
            error={create.error}
            onSubmit={(form, _, done) =>
              create.mutate(fieldsOf(form), {
                onSuccess: ({ id }) => {
                  done();
                  say('Evaluator created');
                  void navigate(pages.evaluator(at, id));
                },
              })
            }
          />
        </div>
      ) : (
        <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission evaluations:manage')} />
      )}
    </Page>
  );
}
