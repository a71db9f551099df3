import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PolicyList, ProjectPolicies } from '../../api/policies.ts';
import { Stat, Stats } from '../../design/card.tsx';
import { Count, Moment } from '../../design/figures.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

interface PolicyStatsProps {
  list: PolicyList;
  /** Detached policies, and those that differ from their file; null while they are not known. */
  drifted: number | null;
  /** Policies that files have never managed. */
  unmanaged: number;
  applied: boolean;
  lastApply: ProjectPolicies['lastApply'];
}

/** Revision, share of code, drift and last apply of a project. */
export function PolicyStats({ list, drifted, unmanaged, applied, lastApply }: PolicyStatsProps): ReactNode {
  const { at } = useProject();
  const byCode = list.policies.filter(({ managedBy }) => managedBy === 'code').length;
  return (
    <div className="border-b border-line px-4 py-2">
      <Stats>
        <Stat
          label="Revision"
          value={<Count value={list.revision} />}
          note={
            list.revision > 0 && (
              <Link {...pages.policies(at)} search={{ view: 'revisions' as const }} className="text-accent hover:underline">
                View changes
              </Link>
            )
          }
        />
        <Stat
          label="Managed by code"
          value={<Count value={byCode} />}
          note={`of ${list.policies.length} ${list.policies.length === 1 ? 'policy' : 'policies'}`}
        />
        <Stat
          label="Drift"
          value={applied && drifted !== null ? <Count value={drifted} /> : '–'}
          note={
            !applied
              ? 'after the first apply'
              : [
                  drifted === null ? '' : drifted === 0 ? 'none differs from its file' : 'detached, or not as their file says',
                  unmanaged === 0 ? '' : `${unmanaged} unmanaged`,
                ]
                  .filter((text) => text !== '')
                  .join('; ')
          }
          {...(drifted !== null && drifted > 0 ? { tone: 'warn' as const } : {})}
        />
        <Stat
          label="Last apply"
          value={lastApply ? <Moment ago iso={lastApply.at} /> : applied ? '–' : 'never'}
          note={
            lastApply && (
              <>
                revision {lastApply.revision} by <Visible text={lastApply.by} />
              </>
            )
          }
        />
      </Stats>
    </div>
  );
}
