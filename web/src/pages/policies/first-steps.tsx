import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Card } from '../../design/card.tsx';
import { Snippet } from '../../design/copy.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { urlTo } from '../../api/operations.ts';
import { applySnippet, exampleSnippet, initSnippet, planSnippet } from './snippets.ts';

/** How to begin with policy-as-code, in three steps. */
export function FirstSteps({ projectId, hasPolicies }: { projectId: string; hasPolicies: boolean }): ReactNode {
  const { at } = useProject();
  const { origin } = location;
  return (
    <section aria-label="Policy-as-code" className="flex max-w-4xl flex-col gap-3 p-4">
      <div>
        <h2 className="text-lg font-semibold">Manage guardrails and environments as files</h2>
        <p className="text-ink-soft">
          Keep policies beside your code and review them like code. A plan shows what changes, and what it would have done to
          recent traffic; an apply is atomic, counted as a revision and recorded in the audit log.
        </p>
      </div>
      <Card title="1. Write the files">
        <div className="flex flex-col gap-2 p-3">
          <p className="text-ink-soft">
            {hasPolicies
              ? 'Writes the guardrails and environments of this project into a folder:'
              : 'Writes example policies with tests into a folder:'}
          </p>
          <Snippet label="command to write the files" text={initSnippet(origin, projectId, hasPolicies)} />
          <details>
            <summary className="text-ink-soft">Example file</summary>
            <div className="mt-2">
              <Snippet label="example of a policy file" text={exampleSnippet} />
            </div>
          </details>
        </div>
      </Card>
      <Card title="2. Plan">
        <div className="flex flex-col gap-2 p-3">
          <p className="text-ink-soft">
            Shows all changes before they are applied. Here:{' '}
            <Link {...pages.policies(at)} search={{ view: 'plan' as const }} className="text-accent underline">
              drop the folder
            </Link>
            . In a terminal or in CI:
          </p>
          <Snippet label="command to plan" text={planSnippet} />
        </div>
      </Card>
      <Card title="3. Apply">
        <div className="flex flex-col gap-2 p-3">
          <p className="text-ink-soft">
            The files then define all policies that are managed by code. These are read-only in the dashboard.
          </p>
          <Snippet label="command to apply" text={applySnippet} />
        </div>
      </Card>
      <p className="text-ink-faint">
        Documentation: <code className="font-mono">docs/policies.md</code> of Spanwise. JSON Schema for editors:{' '}
        <a href={urlTo('/v1/policies/schema.json')} className="text-accent underline">
          {urlTo('/v1/policies/schema.json')}
        </a>
        . Create a token in{' '}
        <Link {...pages.settings(at, 'tokens')} className="text-accent underline">
          Settings
        </Link>
        .
      </p>
    </section>
  );
}
