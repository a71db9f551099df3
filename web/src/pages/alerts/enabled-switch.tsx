import { useState } from 'react';
import type { ReactNode } from 'react';
import { useAlertActions } from '../../api/alerts.ts';
import type { AlertRule } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Switch } from '../../design/switch.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/**
 * Enables a rule, or disables it after a confirmation. Without permission, shows the state.
 *
 * @param labelled shows the label, where no column does
 */
export function EnabledSwitch({ rule, labelled = false }: { rule: AlertRule; labelled?: boolean }): ReactNode {
  const { projectId, can } = useProject();
  const { change } = useAlertActions(projectId);
  const [asking, setAsking] = useState(false);
  const say = useToast();
  const { id, enabled } = rule;
  if (!can('alerts:manage')) return <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Badge>;
  const name = visibleText(rule.name);
  const set = (next: boolean) =>
    change.mutate(
      { id, enabled: next },
      {
        onSuccess: () => {
          setAsking(false);
          say(`${name} ${next ? 'enabled' : 'disabled'}`);
        },
        onError: (error) => {
          if (next) say(error.message, 'bad');
        },
      },
    );
  return (
    <>
      <Switch
        label={labelled ? 'Enabled' : `${name} enabled`}
        labelHidden={!labelled}
        checked={change.isPending ? change.variables.enabled === true : enabled}
        disabled={change.isPending}
        onChange={(next) => (next ? set(true) : setAsking(true))}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Disable alert rule?"
        description={
          <>
            <Visible text={rule.name} className="font-medium text-ink" /> is not evaluated until you enable it. Its open incidents
            are resolved, and stay listed.
          </>
        }
        action="Disable"
        busy={change.isPending}
        error={change.error?.message ?? null}
        onConfirm={() => set(false)}
      />
    </>
  );
}
