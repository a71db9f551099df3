import type { ReactNode } from 'react';
import { useEvaluatorActions } from '../../api/evaluators.ts';
import type { Evaluator } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Switch } from '../../design/switch.tsx';
import { useToast } from '../../design/toast.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/** Enables or disables an evaluator. Without permission, shows the state. */
export function EnabledSwitch({ evaluator }: { evaluator: Evaluator }): ReactNode {
  const { projectId, can } = useProject();
  const { change } = useEvaluatorActions(projectId);
  const say = useToast();
  if (!can('evaluations:manage')) {
    return <Badge tone={evaluator.enabled ? 'good' : 'neutral'}>{evaluator.enabled ? 'enabled' : 'disabled'}</Badge>;
  }
  const set = (enabled: boolean) =>
    change.mutate(
      { id: evaluator.id, enabled },
      {
        onSuccess: () => say(`${visibleText(evaluator.name)} ${enabled ? 'enabled' : 'disabled'}`),
        onError: (error) => say(error.message, 'bad'),
      },
    );
  const shown = change.isPending ? change.variables.enabled === true : evaluator.enabled;
  return (
    <Switch
      label={`${visibleText(evaluator.name)} enabled`}
      labelHidden
      checked={shown}
      disabled={change.isPending}
      onChange={set}
    />
  );
}
