import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAlertActions } from '../../api/alerts.ts';
import type { AlertRule } from '../../api/service.ts';
import { IconButton } from '../../design/button.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

/** Deletes a rule. Its incidents are kept. */
export function DeleteRule({ rule }: { rule: AlertRule }): ReactNode {
  const { at, projectId } = useProject();
  const { remove } = useAlertActions(projectId);
  const [asking, setAsking] = useState(false);
  const navigate = useNavigate();
  const say = useToast();
  return (
    <>
      <IconButton label="Delete rule" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
      </IconButton>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Delete alert rule?"
        description={
          <>
            Deletes <Visible text={rule.name} className="font-medium text-ink" /> and its channels. Its open incidents are
            resolved, and stay listed. This can't be undone.
          </>
        }
        action="Delete"
        busy={remove.isPending}
        error={remove.error?.message ?? null}
        onConfirm={() =>
          remove.mutate(rule.id, {
            onSuccess: () => {
              say('Alert rule deleted');
              void navigate({ ...pages.alerts(at), ignoreBlocker: true });
            },
          })
        }
      />
    </>
  );
}
