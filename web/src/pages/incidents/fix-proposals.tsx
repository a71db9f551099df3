import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { fixProposalsQuery } from '../../api/incidents.ts';
import type { FixProposal } from '../../api/service.ts';
import { DiffTable } from '../../content/diff-table.tsx';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Moment, Usd } from '../../design/figures.tsx';
import { Failure } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { diffTexts } from './diff-texts.ts';

const tones: Readonly<Record<FixProposal['status'], Tone>> = {
  queued: 'neutral',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
};

/** The fix proposals of an incident, newest first. Nothing without any. */
export function FixProposals({ incidentId }: { incidentId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(fixProposalsQuery(projectId, incidentId));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return query.data?.fixProposals.map((proposal) => <Proposal key={proposal.id} proposal={proposal} />);
}

function Proposal({ proposal }: { proposal: FixProposal }): ReactNode {
  const { at } = useProject();
  const { status, promptName, baseVersion, proposedVersion, rationale, error, traceIds, costUsd, createdAt } = proposal;
  return (
    <Card
      title={
        <>
          Fix proposal for{' '}
          <Link {...pages.prompt(at, promptName)} className="text-accent hover:underline">
            <Visible text={promptName} />
          </Link>
        </>
      }
      aside={
        <span className="flex items-center gap-2 text-xs text-ink-faint">
          <Badge tone={tones[status]}>{status}</Badge>
          <Moment iso={createdAt} />
        </span>
      }
    >
      <div className="flex flex-col gap-3 p-3" aria-live="polite">
        {(status === 'queued' || status === 'running') && (
          <p className="text-ink-soft">
            {status === 'queued' ? 'Waiting to start.' : 'The model is revising the prompt.'} This page updates by itself.
          </p>
        )}
        {rationale !== null && (
          <p className="[overflow-wrap:anywhere] whitespace-pre-wrap">
            <Visible text={rationale} />
          </p>
        )}
        {error !== null && status !== 'completed' && (
          <p className={status === 'failed' ? 'text-bad' : 'text-warn'}>
            <Visible text={error} />
          </p>
        )}
        {status === 'completed' && <Difference proposal={proposal} />}
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-ink-faint">
          <span>Revises version {baseVersion}</span>
          <span>{countedExactly(traceIds.length, 'trace')} sent</span>
          {(status === 'completed' || costUsd !== null) && (
            <span>
              Cost: <Usd value={costUsd} />
            </span>
          )}
        </p>
        {proposedVersion !== null && (
          <div className="flex flex-wrap items-center gap-3">
            <Link {...pages.prompt(at, promptName)} search={{ version: proposedVersion }} className={buttonClass()}>
              Open version {proposedVersion}
            </Link>
            <span className="text-xs text-ink-faint">
              Nothing moves by itself: the version has no label. Move a label on its page to use it.
            </span>
          </div>
        )}
      </div>
    </Card>
  );
}

function Difference({ proposal }: { proposal: FixProposal }): ReactNode {
  const { diff, promptName, baseVersion, proposedVersion } = proposal;
  const texts = useMemo(() => diffTexts(diff), [diff]);
  return (
    <DiffTable
      title={visibleText(promptName)}
      texts={texts}
      sides={[`Version ${baseVersion}`, `Version ${proposedVersion ?? '–'} (proposal)`]}
      same="No differences"
    />
  );
}
