import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { guardrailsQuery, useGuardrailActions } from '../../api/guardrails.ts';
import type { Guardrail } from '../../api/service.ts';
import { ActionBadge } from '../../content/check-action.tsx';
import { guardrailTypeTitle, stageLabels } from '../../content/guardrail-labels.ts';
import { Badge } from '../../design/badge.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useToast } from '../../design/toast.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { CodeBadge, CodeNotice } from '../../frame/managed-by-code.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { useNow } from '../../frame/use-now.ts';
import { pages } from '../../paths.ts';
import { linkRange } from '../../range.ts';
import { ActivityTab } from './activity-tab.tsx';
import { DeleteGuardrail } from './delete-guardrail.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { changedFields, formOf } from './form-values.ts';
import { GuardrailForm } from './guardrail-form.tsx';
import { GuardrailsTrail } from './new-guardrail-page.tsx';
import type { GuardrailSearch } from './search.ts';

const from = '/o/$org/p/$project/guardrails/$slug';

/** One guardrail: what it caught, and its configuration with a test. */
export default function GuardrailPage(): ReactNode {
  const { at, projectId } = useProject();
  const { slug } = useParams({ from });
  const query = useQuery(guardrailsQuery(projectId));
  const guardrail = query.data?.guardrails.find((one) => one.slug === slug || one.id === slug);
  const missing = query.data && !guardrail ? new ApiError(404, 'not_found', 'There is no such guardrail.') : null;
  if (!guardrail) {
    return (
      <Page title="Guardrail" trail={<GuardrailsTrail />}>
        {(missing ?? query.error) ? (
          <Failure
            error={missing ?? query.error}
            what="Guardrail"
            back={<BackLink {...pages.guardrails(at)}>Back to guardrails</BackLink>}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <PageSkeleton />
        )}
      </Page>
    );
  }
  return <Body key={guardrail.id} guardrail={guardrail} />;
}

function Body({ guardrail }: { guardrail: Guardrail }): ReactNode {
  const { can } = useProject();
  const search = useSearch({ from });
  const navigate = useNavigate();
  const nowMs = useNow(search);
  const range = useMemo(() => linkRange(search), [search]);
  const { id, slug, name, type, stage, action, managedBy } = guardrail;
  const canEdit = can('guardrails:manage') && managedBy === 'dashboard';
  const tab = search.part ?? 'activity';
  return (
    <Page
      title={name}
      trail={<GuardrailsTrail />}
      badges={
        <>
          <Badge>{guardrailTypeTitle(type)}</Badge>
          <Badge>{stageLabels[stage].title.toLowerCase()}</Badge>
          <ActionBadge action={action} />
          {managedBy === 'code' && <CodeBadge />}
        </>
      }
      actions={
        <>
          {tab === 'activity' && <RangePicker />}
          <EnabledSwitch guardrail={guardrail} labelled />
          {canEdit && <DeleteGuardrail guardrail={guardrail} />}
        </>
      }
    >
      {managedBy === 'code' && <CodeNotice record={{ id, name: slug, kind: 'guardrail' }} />}
      <Tabs
        label="Guardrail views"
        value={tab}
        onValue={(next) =>
          void navigate({
            to: '.',
            search: (before: GuardrailSearch) => ({ ...before, part: next === 'activity' ? undefined : next }),
          })
        }
        tabs={[
          {
            value: 'activity',
            label: 'Activity',
            content: (
              <Panel>
                <ActivityTab {...{ guardrail, range, nowMs }} />
              </Panel>
            ),
          },
          {
            value: 'configuration',
            label: canEdit ? 'Configuration and test' : 'Configuration',
            content: (
              <Panel>
                <Change guardrail={guardrail} readOnly={!canEdit} />
              </Panel>
            ),
          },
        ]}
      />
    </Page>
  );
}

function Panel({ children }: { children: ReactNode }): ReactNode {
  return <div className="pt-3">{children}</div>;
}

function Change({ guardrail, readOnly }: { guardrail: Guardrail; readOnly: boolean }): ReactNode {
  const { projectId } = useProject();
  const { change } = useGuardrailActions(projectId);
  const say = useToast();
  const initial = useMemo(() => formOf(guardrail), [guardrail]);
  return (
    <GuardrailForm
      initial={initial}
      guardrailId={guardrail.id}
      action="Save"
      busy={change.isPending}
      error={change.error}
      readOnly={readOnly}
      onSubmit={(form, filled, done) =>
        change.mutate(
          { id: guardrail.id, ...changedFields(form, filled) },
          {
            onSuccess: () => {
              done();
              say('Saved. Checks use it within a second.');
            },
          },
        )
      }
    />
  );
}
