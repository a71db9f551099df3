import { useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { environmentsQuery } from '../../api/environments.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { Environment } from '../../api/service.ts';
import { useMore } from '../../api/use-pages.ts';
import { Button } from '../../design/button.tsx';
import { DataTable } from '../../design/data-table.tsx';
import { ListEnd } from '../../design/list-end.tsx';
import { Empty, Failure, ListSkeleton } from '../../design/states.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { environmentColumns } from './environment-columns.tsx';
import { EnvironmentDialog } from './environment-dialog.tsx';
import { Unregistered } from './unregistered.tsx';

/** The list of environments, with the names on spans that have none. */
export default function EnvironmentsPage(): ReactNode {
  const { projectId, can } = useProject();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(environmentsQuery(projectId));
  const environments = useMemo(() => query.data?.pages.flatMap((page) => page.environments) ?? [], [query.data]);
  const more = useMore(query);
  const create = can('environments:manage') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      New environment
    </Button>
  );
  return (
    <Page title="Environments" fill actions={environments.length > 0 && create}>
      {failureOf(query) ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : !query.data ? (
        <ListSkeleton />
      ) : (
        <>
          <Unregistered unregistered={query.data.pages[0]?.unregistered ?? []} />
          {environments.length === 0 ? (
            <Empty title="No environments" action={create}>
              An environment is where your application runs, such as staging or production. Each span carries its name. Register
              names to limit guardrails and alerts to them.
            </Empty>
          ) : (
            <DataTable<Environment>
              label="Environments"
              columns={environmentColumns}
              rows={environments}
              rowKey={({ id }) => id}
              sortedByService
              onEnd={more}
              className="min-h-0 flex-1 bg-surface"
              footer={<ListEnd pages={query}>{countedExactly(environments.length, 'environment')}</ListEnd>}
            />
          )}
        </>
      )}
      {creating && <EnvironmentDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}
