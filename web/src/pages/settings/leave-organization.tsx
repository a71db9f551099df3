import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLeave } from '../../api/members.ts';
import { Button } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Takes the viewer out of the organization. */
export function LeaveOrganization(): ReactNode {
  const { organization, user } = useProject();
  const leave = useLeave(organization.id);
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button look="quiet-danger" size="small" onClick={() => setAsking(true)}>
        Leave
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Leave organization?"
        description={
          <>
            You lose access to every project of <Visible text={organization.name} className="font-medium" />. To come back, you
            must be invited again.
          </>
        }
        action="Leave"
        busy={leave.isPending}
        error={leave.error?.message ?? null}
        onConfirm={() => leave.mutate(user.id, { onSuccess: () => void navigate(pages.home()) })}
      />
    </>
  );
}
