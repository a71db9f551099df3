import type { ReactNode } from 'react';
import { useGuardrailActions } from '../../api/guardrails.ts';
import type { Guardrail } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Switch } from '../../design/switch.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/**
 * Enables or disables a guardrail. Without permission, or where code manages it, shows the state.
 *
 * @param labelled shows the label, where no column does
 */
export function EnabledSwitch({ guardrail, labelled = false }: { guardrail: Guardrail; labelled?: boolean }): ReactNode {
  const { projectId, can } = useProject();
  const { change } = useGuardrailActions(projectId);
  const say = useToast();
  const { enabled, managedBy } = guardrail;
  if (!can('guardrails:manage') || managedBy === 'code') {
    return <Badge tone={enabled ? 'good' : 'neutral'}>{enabled ? 'enabled' : 'disabled'}</Badge>;
  }
  const name = visibleText(guardrail.name);
  const set = (next: boolean) =>
    change.mutate(
      { id: guardrail.id, enabled: next },
      {
        onSuccess: () => say(`${name} ${next ? 'enabled' : 'disabled'}`),
        onError: (error) => say(error.message, 'bad'),
      },
    );
  return (
    <Switch
      label={labelled ? 'Enabled' : `${name} enabled`}
      labelHidden={!labelled}
      checked={change.isPending ? change.variables.enabled === true : enabled}
      disabled={change.isPending}
      onChange={set}
    />
  );
}
