import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Change } from '../../api/service.ts';
import { changeKindLabels } from '../../content/change-words.ts';
import { Select } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { valuesOf } from './change-days.ts';
import type { ChangesSearch } from './search.ts';
import { changeKinds } from '../../../../src/contract/kinds.ts';

interface ChangesFiltersProps {
  search: ChangesSearch;
  /** The listed changes. */
  changes: readonly Change[];
}

type Filter = 'kind' | 'environment' | 'service';

/** Filters of the list. Environments and services are those of the changes seen since the page was opened. */
export function ChangesFilters({ search, changes }: ChangesFiltersProps): ReactNode {
  const { at } = useProject();
  const navigate = useNavigate();
  const [seen, setSeen] = useState(changes);
  const [lastChanges, setLastChanges] = useState(changes);
  if (changes !== lastChanges) {
    setLastChanges(changes);
    setSeen((before) => [...new Map([...before, ...changes].map((change) => [change.id, change])).values()]);
  }
  const choose = (name: Filter) => (value: string) =>
    void navigate({ ...pages.changes(at), search: { ...search, [name]: value === '' ? undefined : value }, replace: true });
  const options = (name: 'environment' | 'service', all: string) => [
    { value: '', label: all },
    ...valuesOf(seen, name, search[name]).map((value) => ({ value, label: visibleText(value) })),
  ];
  return (
    <div role="group" aria-label="Filters" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Select<string>
        label="Kind"
        labelHidden
        className="sm:max-w-56"
        value={search.kind ?? ''}
        options={[{ value: '', label: 'All kinds' }, ...changeKinds.map((value) => ({ value, label: changeKindLabels[value] }))]}
        onValue={choose('kind')}
      />
      <Select<string>
        label="Environment"
        labelHidden
        className="sm:max-w-56"
        value={search.environment ?? ''}
        options={options('environment', 'All environments')}
        onValue={choose('environment')}
      />
      <Select<string>
        label="Service"
        labelHidden
        className="sm:max-w-56"
        value={search.service ?? ''}
        options={options('service', 'All services')}
        onValue={choose('service')}
      />
    </div>
  );
}
