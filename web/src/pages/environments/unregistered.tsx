import type { ReactNode } from 'react';
import { useEnvironmentActions } from '../../api/environments.ts';
import type { EnvironmentPage } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Moment } from '../../design/figures.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible } from '../../design/visible.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';

/** Names on recent spans without an environment of that name, to create in one click. */
export function Unregistered({ unregistered }: Pick<EnvironmentPage, 'unregistered'>): ReactNode {
  const { projectId, can } = useProject();
  const { create } = useEnvironmentActions(projectId);
  const say = useToast();
  if (unregistered.length === 0) return null;
  const adopt = (name: string) =>
    create.mutate(
      { name },
      {
        onSuccess: () => say(`Environment ${visibleText(name)} created`),
        onError: (error) => say(error.message, 'bad'),
      },
    );
  return (
    <section aria-label="Unregistered names" className="border-b border-line bg-warn-soft px-4 py-2">
      <p className="mb-1.5">
        Seen on spans in the last 30 days but not registered. Guardrails can be limited to registered environments only.
      </p>
      <ul className="scroll-thin flex max-h-32 flex-wrap gap-x-4 gap-y-1.5 overflow-auto">
        {unregistered.map(({ name, lastSeenAt }) => (
          <li key={name} className="flex items-center gap-2">
            <span className="max-w-64 truncate font-medium">
              <Visible text={name} />
            </span>
            <span className="text-xs text-ink-soft">
              <Moment ago iso={lastSeenAt} />
            </span>
            {can('environments:manage') && (
              <Button
                size="small"
                aria-label={`Register ${visibleText(name)}`}
                busy={create.isPending && create.variables.name === name}
                disabled={create.isPending}
                onClick={() => adopt(name)}
              >
                Register
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
