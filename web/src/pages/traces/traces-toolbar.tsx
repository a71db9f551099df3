import { CircleAlert, Columns3, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ListedTrace } from '../../api/parts.ts';
import { Chip } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import type { Column } from '../../design/column.ts';
import { Menu, MenuToggle } from '../../design/menu.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { QueryBar } from '../../frame/query-bar.tsx';
import { FilterChips } from '../../frame/filter-chips.tsx';
import { FilterMenu } from '../../frame/filter-menu.tsx';
import { SimulationsButton } from '../../frame/simulations-button.tsx';
import type { TracesSearch } from './search.ts';

interface TracesToolbarProps {
  search: TracesSearch;
  onChange(change: Partial<TracesSearch>): void;
  columns: ReadonlyArray<Column<ListedTrace>>;
  hidden: readonly string[];
  traces: readonly ListedTrace[];
}

/** Search, filters, columns and live tail of the list of traces. */
export function TracesToolbar({ search, onChange, columns, hidden, traces }: TracesToolbarProps): ReactNode {
  const failing = search.status === 'error';
  const live = search.live === '1';
  const toggleColumn = (id: string) => {
    const next = hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id];
    onChange({ hide: next.join('.') });
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <SearchBox
        label="Search names, inputs, outputs, errors and IDs"
        value={search.q ?? ''}
        onSearch={(text) => onChange({ q: text === '' ? undefined : text })}
      />
      <QueryBar
        on="traces"
        value={search.filter ?? ''}
        onFilter={(text) => onChange({ filter: text === '' ? undefined : text })}
      />
      <Button repeatable pressed={failing} pressedTone="bad" onClick={() => onChange({ status: failing ? undefined : 'error' })}>
        <CircleAlert aria-hidden />
        Errors
      </Button>
      <SimulationsButton search={search} onChange={onChange} />
      <FilterMenu traces={traces} search={search} onAdd={onChange} />
      <FilterChips search={search} onChange={onChange} />
      {search.status === 'ok' && <Chip label="Status" value="OK" onRemove={() => onChange({ status: undefined })} />}
      <Menu
        align="end"
        trigger={
          <Button>
            <Columns3 aria-hidden />
            Columns
          </Button>
        }
      >
        {columns.slice(1).map(({ id, title }) => (
          <MenuToggle key={id} checked={!hidden.includes(id)} onChange={() => toggleColumn(id)}>
            {title}
          </MenuToggle>
        ))}
      </Menu>
      <Button
        repeatable
        pressed={live}
        title="Show new traces as they arrive"
        onClick={() => onChange(live ? { live: undefined } : { live: '1', sort: undefined })}
      >
        <Radio className={classNames(live && 'pulse')} aria-hidden />
        Live
      </Button>
    </div>
  );
}
