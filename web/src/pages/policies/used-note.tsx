import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { environmentsQuery } from '../../api/environments.ts';
import type { PlannedChange } from '../../api/policies.ts';
import { useAllPages } from '../../api/use-pages.ts';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { usedEnvironments } from './used-environments.ts';

/** Says that an apply will be refused because of environments in use. Rendered for plans that remove environments. */
export function UsedNote({ changes }: { changes: readonly PlannedChange[] }): ReactNode {
  const { projectId } = useProject();
  const query = useInfiniteQuery({ ...environmentsQuery(projectId), refetchOnMount: 'always' });
  useAllPages(query);
  const used = usedEnvironments(changes, query.data?.pages.flatMap(({ environments }) => environments) ?? []);
  if (used.length === 0) return null;
  return (
    <div role="note" className="border-b border-line bg-warn-soft px-3 py-2 text-warn">
      <p>
        The plan removes environments that are in use. The apply will be refused until nothing names them, or the files keep them.
      </p>
      <ul className="list-disc pl-5">
        {used.map(({ name, by }) => (
          <li key={name} className="break-words">
            <Visible text={name} className="font-semibold" />: <Visible text={by.join(', ')} />
          </li>
        ))}
      </ul>
    </div>
  );
}
