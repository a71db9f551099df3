import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { alertQuery, useAlertActions } from '../../api/alerts.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { AlertRule } from '../../api/service.ts';
import { alertTypes, conditionText } from '../../content/alert-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { DeleteRule } from './delete-rule.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { EnabledSwitch } from './enabled-switch.tsx';
import { changedFields, formOf } from './form-values.ts';
import { AlertsTrail } from './new-alert-page.tsx';
import { RuleForm } from './rule-form.tsx';
import { LastValue, RuleState } from './rule-state.tsx';
import type { AlertSearch } from './search.ts';
import { newSecrets, SecretsDialog } from './secrets-dialog.tsx';
import type { NewSecret } from './secrets-dialog.tsx';

const from = '/o/$org/p/$project/alerts/$alertId';

/** One alert rule: its state, its form with a preview, and its deliveries. */
export default function AlertPage(): ReactNode {
  const { at, projectId } = useProject();
  const { alertId } = useParams({ from });
  const query = useQuery(alertQuery(projectId, alertId));
  const failure = failureOf(query);
  if (query.data && !failure) return <Body key={query.data.id} rule={query.data} />;
  return (
    <Page title="Alert rule" trail={<AlertsTrail />}>
      {failure ? (
        <Failure
          error={failure}
          what="Alert rule"
          back={<BackLink {...pages.alerts(at)}>Back to alerts</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function Body({ rule }: { rule: AlertRule }): ReactNode {
  const { can } = useProject();
  const search = useSearch({ from });
  const navigate = useNavigate();
  const canEdit = can('alerts:manage');
  return (
    <Page
      title={rule.name}
      trail={<AlertsTrail />}
      badges={
        <>
          <Badge>{alertTypes[rule.type].title.toLowerCase()}</Badge>
          <RuleState rule={rule} />
        </>
      }
      actions={
        <>
          {canEdit && <SendTest rule={rule} />}
          <EnabledSwitch rule={rule} labelled />
          {canEdit && <DeleteRule rule={rule} />}
        </>
      }
    >
      <Status rule={rule} />
      <Tabs
        label="Rule views"
        value={search.panel ?? 'rule'}
        onValue={(next) =>
          void navigate({
            to: '.',
            search: (before: AlertSearch) => ({ ...before, panel: next === 'deliveries' ? next : undefined }),
          })
        }
        tabs={[
          {
            value: 'rule',
            label: 'Rule',
            content: (
              <div className="pt-3">
                <Change rule={rule} readOnly={!canEdit} />
              </div>
            ),
          },
          {
            value: 'deliveries',
            label: 'Deliveries',
            content: (
              <div className="pt-3">
                <DeliveriesTab rule={rule} />
              </div>
            ),
          },
        ]}
      />
    </Page>
  );
}

/** The last evaluation in one line, and why it failed. */
function Status({ rule }: { rule: AlertRule }): ReactNode {
  const { at } = useProject();
  const { lastEvaluatedAt, lastError, type } = rule;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft">
        <span className="numbers">{conditionText(rule)}</span>
        {alertTypes[type].isEvaluated && (
          <>
            <LastValue rule={rule} />
            <span className="text-xs text-ink-faint">
              {lastEvaluatedAt === null ? (
                'Not evaluated yet'
              ) : (
                <>
                  Evaluated <Moment ago iso={lastEvaluatedAt} />
                </>
              )}
            </span>
            <Link {...pages.incidents(at)} search={{ rule: rule.id }} className="text-xs text-accent hover:underline">
              View incidents
            </Link>
          </>
        )}
        {!alertTypes[type].isEvaluated && (
          <Link {...pages.modelLifecycle(at)} className="text-xs text-accent hover:underline">
            View findings
          </Link>
        )}
      </p>
      {lastError !== null && (
        <p role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          The last evaluation failed: <Visible text={lastError} /> The state is that of the evaluation before.
        </p>
      )}
    </div>
  );
}

function SendTest({ rule }: { rule: AlertRule }): ReactNode {
  const { projectId } = useProject();
  const { sendTest } = useAlertActions(projectId);
  const navigate = useNavigate();
  const say = useToast();
  const send = () =>
    sendTest.mutate(rule.id, {
      onSuccess: () => {
        say('Test message queued for every channel');
        void navigate({ to: '.', search: { panel: 'deliveries' } });
      },
      onError: (error) => say(error.message, 'bad'),
    });
  const isEmpty = rule.channels.length === 0;
  return (
    <Button
      busy={sendTest.isPending}
      disabled={isEmpty}
      onClick={send}
      {...(isEmpty ? { title: 'The rule has no channels' } : {})}
    >
      <Send aria-hidden />
      Send test
    </Button>
  );
}

function Change({ rule, readOnly }: { rule: AlertRule; readOnly: boolean }): ReactNode {
  const { projectId } = useProject();
  const { change } = useAlertActions(projectId);
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  const say = useToast();
  // A refreshed state must not look like a newer version of the form.
  const text = JSON.stringify(formOf(rule));
  const initial = useMemo(() => JSON.parse(text) as ReturnType<typeof formOf>, [text]);
  return (
    <>
      <RuleForm
        initial={initial}
        action="Save"
        note={<span className="text-xs text-ink-faint">Saving another condition resolves the open incidents of this rule.</span>}
        busy={change.isPending}
        error={change.error}
        readOnly={readOnly}
        onSubmit={(form, filled, done) =>
          change.mutate(
            { id: rule.id, ...changedFields(form, filled) },
            {
              onSuccess: (saved) => {
                done();
                setSecrets(newSecrets(saved));
                say('Saved');
              },
            },
          )
        }
      />
      {secrets.length > 0 && <SecretsDialog secrets={secrets} onClose={() => setSecrets([])} />}
    </>
  );
}
