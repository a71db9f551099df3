import type { ReactNode } from 'react';
import { Empty } from '../../design/states.tsx';
import { useProject } from '../../frame/project-context.ts';

/** Shows its content to members who may read packs, on a plan that has them; otherwise what is missing. */
export function PlanGate({ children }: { children: ReactNode }): ReactNode {
  const { organization, can } = useProject();
  if (!can('compliance:read')) {
    return (
      <Empty title="Your role does not include compliance">
        Evidence packs need the permission compliance:read, which members, admins and owners have. Ask an owner or admin.
      </Empty>
    );
  }
  if (organization.plan === 'free') {
    return (
      <Empty title="Evidence packs need the plan pro or above">
        A pack is a signed document for auditors with what Spanwise recorded: access, policies, guardrails, incidents, changes.
        The operator of this installation changes the plan of {organization.name} with spanwise org set-plan. Packs made earlier
        are kept.
      </Empty>
    );
  }
  return children;
}
