import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PolicyApplied } from '../../api/policies.ts';
import { buttonClass } from '../../design/button.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

const words = { create: 'Created', update: 'Updated', remove: 'Removed', none: 'Unchanged' } as const;

/** The result of an apply, with its revision and its audit entry. */
export function AppliedView({ applied: { applied, revision, auditLogId } }: { applied: PolicyApplied }): ReactNode {
  const { at, can } = useProject();
  return (
    <section role="status" aria-label="Applied" className="rounded-lg border border-good/50 bg-good-soft px-4 py-3">
      <p className="flex items-center gap-2 font-semibold">
        <CircleCheck className="size-5 text-good" aria-hidden />
        {applied.length === 0 ? `Applied: nothing changed, revision ${revision}` : `Applied as revision ${revision}`}
      </p>
      {applied.length > 0 && (
        <ul className="mt-2 flex flex-col gap-0.5">
          {applied.map(({ action, kind, name }) => (
            <li key={`${kind} ${name}`} className="break-words">
              {words[action]} {kind} <Visible text={name} className="font-medium" />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Link {...pages.policies(at)} search={{ view: 'revisions' as const, revision }} className={buttonClass()}>
          View revision
        </Link>
        {can('audit:read') && (
          <Link {...pages.settings(at, 'audit')} search={{ kind: 'policy.applied', entry: auditLogId }} className={buttonClass()}>
            View audit entry
          </Link>
        )}
        <Link {...pages.policies(at)} search={{}} className={buttonClass('quiet')}>
          View policies
        </Link>
      </div>
    </section>
  );
}
