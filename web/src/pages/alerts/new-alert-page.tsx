import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAlertActions } from '../../api/alerts.ts';
import { ApiError } from '../../api/client.ts';
import type { AlertRule } from '../../api/service.ts';
import { Failure } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { emptyForm, fieldsOf } from './form-values.ts';
import { RuleForm } from './rule-form.tsx';
import { newSecrets, SecretsDialog } from './secrets-dialog.tsx';

/** The breadcrumb of rule pages. */
export function AlertsTrail(): ReactNode {
  const { at } = useProject();
  return (
    <Link {...pages.alerts(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Alerts /
    </Link>
  );
}

/** Creates an alert rule. */
export default function NewAlertPage(): ReactNode {
  const { at, projectId, can } = useProject();
  const { create } = useAlertActions(projectId);
  const [created, setCreated] = useState<AlertRule | null>(null);
  const navigate = useNavigate();
  const say = useToast();
  const open = ({ id }: AlertRule) => void navigate(pages.alert(at, id));
  return (
    <Page title="New alert rule" form trail={<AlertsTrail />}>
      {can('alerts:manage') ? (
        <RuleForm
          initial={emptyForm}
          action="Create rule"
          busy={create.isPending || created !== null}
          error={create.error}
          onSubmit={(form, _, done) =>
            create.mutate(fieldsOf(form), {
              onSuccess: (rule) => {
                done();
                say('Alert rule created');
                if (newSecrets(rule).length > 0) setCreated(rule);
                else open(rule);
              },
            })
          }
        />
      ) : (
        <Failure error={new ApiError(403, 'forbidden', 'Your role lacks the permission alerts:manage')} />
      )}
      {created && <SecretsDialog secrets={newSecrets(created)} onClose={() => open(created)} />}
    </Page>
  );
}
