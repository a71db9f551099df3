import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { useGuardrailActions } from '../../api/guardrails.ts';
import { Failure } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { emptyForm, fieldsOf } from './form-values.ts';
import { GuardrailForm } from './guardrail-form.tsx';

/** The breadcrumb of guardrail pages. */
export function GuardrailsTrail(): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.guardrails(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Guardrails /
    </Link>
  );
}

/** Creates a guardrail. */
export default function NewGuardrailPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { create } = useGuardrailActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <Page title="New guardrail" form trail={<GuardrailsTrail />}>
      {can('guardrails:manage') ? (
        <GuardrailForm
          initial={emptyForm}
          guardrailId={null}
          action="Create guardrail"
          busy={create.isPending}
          error={create.error}
          onSubmit={(form, _, done) =>
            create.mutate(fieldsOf(form), {
              onSuccess: ({ slug }) => {
                done();
                say('Guardrail created');
                void navigate(pages.guardrail(at, slug));
              },
            })
          }
        />
      ) : (
        <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission guardrails:manage')} />
      )}
    </Page>
  );
}
