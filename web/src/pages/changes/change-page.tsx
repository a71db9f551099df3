import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { changeQuery } from '../../api/changes.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Change } from '../../api/service.ts';
import { changeKindLabels, changeTitle } from '../../content/change-words.ts';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, PageSkeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { BackLink } from '../../frame/back-link.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { SourceBadge } from './change-row.tsx';
import { ImpactSection } from './impact-section.tsx';

const from = '/o/$org/p/$project/changes/$changeId';

/** One change: what it was, and the figures before and after it. */
export default function ChangePage(): ReactNode {
  const { at, projectId } = useProject();
  const { changeId } = useParams({ from });
  const search = useSearch({ from });
  const query = useQuery(changeQuery(projectId, changeId));
  const change = query.data;
  const failure = failureOf(query);
  const trail = (
    <Link {...pages.changes(at)} className="shrink-0 text-ink-faint hover:text-ink hover:underline">
      Changes /
    </Link>
  );
  return (
    <Page
      title={change ? changeTitle(change) : 'Change'}
      trail={trail}
      badges={
        change && (
          <>
            <Badge>{changeKindLabels[change.kind].toLowerCase()}</Badge>
            <SourceBadge source={change.source} />
          </>
        )
      }
    >
      {failure ? (
        <Failure
          error={failure}
          what="Change"
          back={<BackLink {...pages.changes(at)}>Back to changes</BackLink>}
          onRetry={() => void query.refetch()}
        />
      ) : change ? (
        <>
          <Facts change={change} />
          <ImpactSection key={change.id} change={change} search={search} />
        </>
      ) : (
        <PageSkeleton />
      )}
    </Page>
  );
}

/** What is known of a change. Fields without a value are left out. */
function Facts({ change }: { change: Change }): ReactNode {
  const { at, service, version, commitSha, environment, actor, url, description, metadata, source } = change;
  const texts: ReadonlyArray<[string, string | null]> = [
    ['Environment', environment],
    ['Service', service],
    ['Version', version],
    ['Commit', commitSha],
    ['By', actor],
  ];
  const isDescribed = description !== null && description !== '' && description !== changeTitle(change);
  return (
    <Card>
      <dl className="flex flex-wrap gap-x-8 gap-y-2 px-3 py-2">
        <Fact label="Time">
          <Moment iso={at} />
        </Fact>
        {texts.map(
          ([label, value]) =>
            value !== null && (
              <Fact key={label} label={label}>
                <Visible text={value} className="[overflow-wrap:anywhere]" />
              </Fact>
            ),
        )}
        {url !== null && (
          <Fact label="Link">
            <a href={url} target="_blank" rel="noreferrer" className="[overflow-wrap:anywhere] text-accent hover:underline">
              <Visible text={url} />
            </a>
          </Fact>
        )}
      </dl>
      {isDescribed && (
        <p className="border-t border-line px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink-soft">
          <Visible text={description} />
        </p>
      )}
      {source === 'api' && Object.keys(metadata).length > 0 && (
        <pre
          aria-label="Metadata"
          tabIndex={0}
          className="scroll-thin max-h-60 overflow-auto border-t border-line px-3 py-2 font-mono text-xs"
        >
          <Visible text={JSON.stringify(metadata, null, 2)} />
        </pre>
      )}
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-faint">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
