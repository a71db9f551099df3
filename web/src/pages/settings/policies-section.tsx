import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { failureOf } from '../../api/failure-of.ts';
import { organizationPoliciesQuery } from '../../api/policies.ts';
import type { ProjectPolicies } from '../../api/policies.ts';
import { Badge } from '../../design/badge.tsx';
import { Card } from '../../design/card.tsx';
import { Absent, Count, Moment } from '../../design/figures.tsx';
import { PlainTable } from '../../design/plain-table.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { driftText, organizationFigures } from './policy-figures.ts';

/** Policies of every project of the organization: revision, counts, drift and last apply. */
export function PoliciesSection(): ReactNode {
  const { organization } = useProject();
  const query = useQuery(organizationPoliciesQuery(organization.id));
  const projects = query.data?.projects;
  const figures = projects && organizationFigures(projects);
  return (
    <Card
      title={
        <>
          Policies of <Visible text={organization.name} />
        </>
      }
      aside={
        figures && (
          <span className="text-xs text-ink-faint">
            {figures.applying} of {countedExactly(figures.projects, 'project')} with policy-as-code
          </span>
        )
      }
    >
      <p className="border-b border-line p-3 text-ink-soft">
        Drift lists the guardrails and environments that the files of a project don&apos;t manage, once the project has applied
        files.
      </p>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !projects ? (
        <Skeleton className="m-3 h-24" />
      ) : projects.length === 0 ? (
        <Empty title="No projects" />
      ) : (
        <>
          <PlainTable
            label="Policies by project"
            head={['Project', 'Revision', 'Guardrails', 'Environments', 'Drift', 'Last apply']}
            rows={projects.map((project) => ({ key: project.projectId, cells: cellsOf(project, organization.slug) }))}
          />
          {query.data?.truncated === true && (
            <p role="note" className="p-3 text-ink-soft">
              The organization has more projects, or more drift, than are shown.
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function cellsOf({ name, slug, revision, counts, drift, lastApply }: ProjectPolicies, org: string): ReactNode[] {
  const at = { org, project: slug };
  return [
    <span key="n" className="block">
      <Link {...pages.policies(at)} className="block font-medium hover:text-accent hover:underline">
        <VisibleLine text={name} />
      </Link>
      {drift.length > 0 && <VisibleLine text={driftText(drift)} className="text-xs text-ink-faint" />}
    </span>,
    revision === 0 ? <Absent key="r" why="No guardrail or environment yet" /> : <Count key="r" value={revision} />,
    <Count key="g" value={counts.guardrails} />,
    <Count key="e" value={counts.environments} />,
    lastApply === null ? (
      <Absent key="d" why="Policy-as-code is not used in this project" />
    ) : drift.length > 0 ? (
      <Badge key="d" tone="warn">
        {formatExact(drift.length)} drifted
      </Badge>
    ) : (
      <Badge key="d" tone="good">
        none
      </Badge>
    ),
    lastApply === null ? (
      <Absent key="a" why="No files have been applied" text="never" />
    ) : (
      <Link
        key="a"
        {...pages.policies(at)}
        search={{ view: 'revisions' as const, revision: lastApply.revision }}
        className="inline-block max-w-48 align-middle hover:text-accent hover:underline"
      >
        <Moment ago iso={lastApply.at} />
        <VisibleLine text={lastApply.by} className="text-xs text-ink-faint" />
      </Link>
    ),
  ];
}
