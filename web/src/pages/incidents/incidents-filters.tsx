import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { alertsQuery } from '../../api/alerts.ts';
import { environmentsQuery } from '../../api/environments.ts';
import { Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import type { IncidentsSearch } from './search.ts';
import { incidentStatuses } from '../../../../src/contract/kinds.ts';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Filters of the list. A rule of the URL that was deleted is shown as such. */
export function IncidentsFilters({ search }: { search: IncidentsSearch }): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const rules = useQuery(alertsQuery(projectId)).data?.alerts;
  const { data } = useInfiniteQuery(environmentsQuery(projectId));
  const names = data?.pages.flatMap((page) => page.environments.map(({ name }) => name)) ?? [];
  const environments = [...new Set([...names, ...(search.environment === undefined ? [] : [search.environment])])];
  const choose = (name: 'status' | 'rule' | 'environment') => (value: string) =>
    void navigate({ ...pages.incidents(at), search: { ...search, [name]: value === '' ? undefined : value }, replace: true });
  const known = rules?.map(({ id, name }) => ({ value: id, label: visibleText(name) })) ?? [];
  const isMissing = search.rule !== undefined && !known.some(({ value }) => value === search.rule);
  return (
    <div role="group" aria-label="Filters" className="grid grid-cols-2 gap-2 px-4 py-2 sm:flex sm:flex-wrap">
      <Select<string>
        label="Status"
        labelHidden
        className="sm:max-w-56"
        value={search.status ?? ''}
        options={[{ value: '', label: 'All statuses' }, ...incidentStatuses.map((value) => ({ value, label: capital(value) }))]}
        onValue={choose('status')}
      />
      <Select<string>
        label="Rule"
        labelHidden
        className="sm:max-w-56"
        value={search.rule ?? ''}
        options={[
          { value: '', label: 'All rules' },
          ...known,
          ...(isMissing ? [{ value: search.rule ?? '', label: rules ? 'Deleted rule' : 'One rule' }] : []),
        ]}
        onValue={choose('rule')}
      />
      <Select<string>
        label="Environment"
        labelHidden
        className="sm:max-w-56"
        value={search.environment ?? ''}
        options={[
          { value: '', label: 'All environments' },
          ...environments.map((value) => ({ value, label: visibleText(value) })),
        ]}
        onValue={choose('environment')}
      />
    </div>
  );
}
