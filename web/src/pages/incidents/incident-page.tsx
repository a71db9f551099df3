import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { incidentQuery } from '../../api/incidents.ts';
import type { Incident } from '../../api/service.ts';
import { alertTypes, incidentTitle, openMs, resolutionText, statusTones } from '../../content/alert-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Stat, Stats } from '../../design/card.tsx';
import { Absent, Duration, Figure, Moment } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { useTick } from '../../frame/use-tick.ts';
import { pages } from '../../paths.ts';
import { ChangeIncident } from './change-incident.tsx';
import { FixProposals } from './fix-proposals.tsx';
import { IncidentChartCard } from './incident-chart.tsx';
import { ChangesBefore, History } from './incident-lists.tsx';
import { WorstTraces } from './worst-traces.tsx';
import { ProposeFix } from './propose-fix.tsx';

const from = '/o/$org/p/$project/incidents/$incidentId';
const tickMs = 60_000;

/** One incident: what happened, around which changes, and what to do. */
export default function IncidentPage(): ReactNode {
  const { at, projectId } = useProject();
  const { incidentId } = useParams({ from });
  const query = useQuery(incidentQuery(projectId, incidentId));
  const incident = query.data;
  const failure = failureOf(query);
  const trail = (
    <Link {...pages.incidents(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Incidents /
    </Link>
  );
  if (incident && !failure) return <Body incident={incident} trail={trail} />;
  return (
    <Page title="Incident" trail={trail}>
      {failure ? (
        <Failure
          error={failure}
          what="Incident"
          back={<BackLink {...pages.incidents(at)}>Back to incidents</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

function Body({ incident, trail }: { incident: Incident; trail: ReactNode }): ReactNode {
  const { id, status, type, summary } = incident;
  return (
    <Page
      title={incidentTitle(incident)}
      trail={trail}
      badges={
        <>
          <Badge tone={statusTones[status]}>{status}</Badge>
          <Badge>{alertTypes[type].title.toLowerCase()}</Badge>
        </>
      }
      actions={
        <>
          <ChangeIncident incident={incident} />
          <ProposeFix incidentId={id} />
        </>
      }
    >
      <p className="text-ink-soft">
        <Visible text={summary} />
      </p>
      <Figures incident={incident} />
      <IncidentChartCard incident={incident} />
      <FixProposals incidentId={id} />
      <div className="grid items-start gap-3 lg:grid-cols-2">
        <WorstTraces incident={incident} />
        <div className="flex min-w-0 flex-col gap-3">
          <ChangesBefore incident={incident} />
          <History incident={incident} />
        </div>
      </div>
    </Page>
  );
}

function Figures({ incident }: { incident: Incident }): ReactNode {
  const { at } = useProject();
  const nowMs = useTick(tickMs);
  const { type, value, peakValue, threshold, openedAt, resolvedAt, resolution, environment, ruleId, ruleName, status } = incident;
  const { format, fires } = alertTypes[type];
  const shown = (figure: number | null, why: string) =>
    figure === null ? <Absent why={why} /> : <Figure value={figure} format={format} />;
  return (
    <Stats>
      <Stat label="Value" value={shown(value, 'No data')} note="latest" />
      <Stat label="Peak" value={shown(peakValue, 'No data')} note={fires === 'below' ? 'lowest' : 'highest'} />
      <Stat
        label="Threshold"
        value={shown(threshold, 'This type has none')}
        note={
          <Link {...pages.alert(at, ruleId)} className="text-accent hover:underline">
            <Visible text={ruleName} />
          </Link>
        }
      />
      <Stat
        label="Duration"
        value={<Duration ms={openMs(incident, nowMs)} />}
        note={status === 'resolved' ? 'until resolved' : 'so far'}
      />
      <Stat label="Opened" value={<Moment ago iso={openedAt} />} note={<Moment iso={openedAt} />} />
      {resolvedAt !== null && (
        <Stat
          label="Resolved"
          value={<Moment ago iso={resolvedAt} />}
          note={
            <>
              <Moment iso={resolvedAt} /> {resolution !== null && resolutionText(resolution)}
            </>
          }
        />
      )}
      <Stat label="Environment" value={environment === null ? 'all' : <VisibleLine text={environment} />} />
    </Stats>
  );
}
