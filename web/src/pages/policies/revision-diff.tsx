import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { pulledQuery } from '../../api/policies.ts';
import type { PolicyFile, PolicyRevision } from '../../api/policies.ts';
import { DiffTable } from '../../content/diff-table.tsx';
import { moreElements, ShowMore } from '../../content/show-more.tsx';
import { Select } from '../../design/field.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { revisionText } from './policy-words.ts';
import { changedFiles } from './revision-files.ts';

/** Files whose differences are shown at first, and added by each click. */
const fileStep = 20;
/** Baselines offered: the revisions before the selected one. */
const maxBaselines = 50;

interface RevisionDiffProps {
  revision: number;
  /** 0: no policies. */
  baseline: number;
  newest: number;
  /** The entry of the list; null if it is not loaded. */
  record: PolicyRevision | null;
}

/** What a revision changed: who, when and the text diff of its files against an earlier revision. */
export function RevisionDiff({ revision, baseline, newest, record }: RevisionDiffProps): ReactNode {
  const { at, can } = useProject();
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">
            Revision {revision}
            {revision === newest && <span className="font-normal text-ink-faint"> · current</span>}
          </h2>
          {record && (
            <p className="text-ink-soft">
              {revisionText(record.summary)} · {record.source === 'code' ? 'applied' : 'in the dashboard'} by{' '}
              <Visible text={record.by} /> · <Moment iso={record.at} />
              {can('audit:read') && (
                <>
                  {' · '}
                  <Link
                    {...pages.settings(at, 'audit')}
                    search={{ to: minuteAfter(record.at), entry: record.auditLogId }}
                    className="text-accent underline"
                  >
                    Audit entry
                  </Link>
                </>
              )}
            </p>
          )}
        </div>
        {revision > 1 && <Baseline revision={revision} baseline={baseline} />}
      </div>
      <Files revision={revision} baseline={baseline} />
    </div>
  );
}

/** The log is listed from the end: the entry is then on its first page. */
function minuteAfter(iso: string): string {
  return new Date(Date.parse(iso) + 60_000).toISOString();
}

function Baseline({ revision, baseline }: { revision: number; baseline: number }): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const offered = Array.from({ length: Math.min(maxBaselines, revision - 1) }, (_, index) => revision - 1 - index);
  const options = [...(offered.includes(baseline) ? [] : [baseline]), ...offered].map((value) => ({
    value: String(value),
    label: `Revision ${value}${value === revision - 1 ? ' (previous)' : ''}`,
  }));
  return (
    <Select
      label="Compare with"
      className="w-48"
      value={String(baseline)}
      options={options}
      onValue={(value) =>
        void navigate({ ...pages.policies(at), search: { view: 'revisions', revision, with: Number(value) }, replace: true })
      }
    />
  );
}

function Files({ revision, baseline }: { revision: number; baseline: number }): ReactNode {
  const { projectId } = useProject();
  const after = useQuery(pulledQuery(projectId, revision));
  const before = useQuery({ ...pulledQuery(projectId, baseline), enabled: baseline > 0 });
  const error = after.error ?? before.error;
  if (error) return <Failure error={error} what="Revision" />;
  if (!after.data || (baseline > 0 && !before.data)) return <Skeleton className="h-40" />;
  const old = baseline > 0 ? (before.data?.files ?? []) : [];
  return <Differences before={old} after={after.data.files} sides={[`Revision ${baseline}`, `Revision ${revision}`]} />;
}

interface DifferencesProps {
  before: readonly PolicyFile[];
  after: readonly PolicyFile[];
  sides: readonly [string, string];
}

function Differences({ before, after, sides }: DifferencesProps): ReactNode {
  const { changed, same, rearranged } = useMemo(() => changedFiles(before, after), [before, after]);
  const [count, setCount] = useState(fileStep);
  if (changed.length === 0) {
    return (
      <Empty title="The files are equal">Policies that are detached are in no file; changes of them show in the audit log.</Empty>
    );
  }
  return (
    <>
      {rearranged && (
        <p role="note" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          One of the revisions has the files as they were applied. The other was changed in the dashboard and has one file for
          each policy.
        </p>
      )}
      {changed.slice(0, count).map(({ path, kind, before: old, after: now }) => (
        <DiffTable
          key={path}
          title={`${visibleText(path)}${kind === 'changed' ? '' : ` · ${kind}`}`}
          texts={[shownText(old), shownText(now)]}
          sides={sides}
          same={kind === 'changed' ? 'Only the line feed at the end differs.' : 'Empty file.'}
        />
      ))}
      {changed.length > count && (
        <ShowMore label={moreElements(changed.length - count, fileStep, 'files')} onMore={() => setCount(count + fileStep)} />
      )}
      {same > 0 && <p className="text-xs text-ink-faint">{countedExactly(same, 'unchanged file')}</p>}
    </>
  );
}

/** Without the line feed that ends a file, which would be shown as an empty line. */
const shownText = (content: string) => content.replace(/\n$/, '');
