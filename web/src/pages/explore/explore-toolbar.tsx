import { CircleAlert, ListChecks, Network, PanelLeft, Radio } from 'lucide-react';
import { useState } from 'react';
import type { ComponentProps, ReactNode } from 'react';
import { Button, IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { deferred } from '../../design/deferred.tsx';
import { SearchBox } from '../../design/search-box.tsx';
import { hasTerm, toggledTerm } from '../../filter-edit.ts';
import { FilterChips } from '../../frame/filter-chips.tsx';
import { QueryBar } from '../../frame/query-bar.tsx';
import { SimulationsButton } from '../../frame/simulations-button.tsx';
import { ColumnsPicker } from './columns-picker.tsx';
import type { Explore } from './use-explore.ts';

const JobsDialog = deferred(() => import('./jobs-dialog.tsx'));

interface ExploreToolbarProps {
  explore: Explore;
  facets: { isShown: boolean; onToggle(): void };
  columns: ComponentProps<typeof ColumnsPicker>;
}

const failed = 'status:error';
const givenText = (text: string) => (text.trim() === '' ? undefined : text);

/** The filter of the list, and what else is switched on and off in it. */
export function ExploreToolbar({ explore, facets, columns }: ExploreToolbarProps): ReactNode {
  const { search, subject, on, change, isUnreadable } = explore;
  const { filter = '' } = search;
  const live = search.live === '1';
  const [areJobsShown, setJobsShown] = useState(false);
  const areErrors = hasTerm(filter, failed);
  return (
    <div className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-2">
      <Button repeatable aria-expanded={facets.isShown} title="Values of fields, with counts" onClick={facets.onToggle}>
        <PanelLeft aria-hidden />
        Facets
      </Button>
      <QueryBar
        on={on}
        value={filter}
        onFilter={(text) => change({ filter: givenText(text) })}
        className="max-lg:order-first max-lg:basis-full lg:min-w-96"
      />
      {subject === 'traces' && (
        <SearchBox
          label="Search names, inputs, outputs, errors and IDs"
          value={search.q ?? ''}
          onSearch={(text) => change({ q: text === '' ? undefined : text })}
        />
      )}
      <Button
        repeatable
        pressed={areErrors}
        pressedTone="bad"
        disabled={isUnreadable}
        onClick={() => change({ filter: givenText(toggledTerm(filter, failed)) })}
      >
        <CircleAlert aria-hidden />
        Errors
      </Button>
      {subject === 'spans' && (
        <Button
          repeatable
          pressed={search.roots === '1'}
          title="Root spans alone"
          onClick={() => change({ roots: search.roots === '1' ? undefined : '1' })}
        >
          <Network aria-hidden />
          Roots
        </Button>
      )}
      <SimulationsButton search={search} onChange={change} />
      <FilterChips search={search} onChange={change} />
      <ColumnsPicker {...columns} />
      <Button
        repeatable
        pressed={live}
        title="Show new records as they arrive"
        onClick={() => change(live ? { live: undefined } : { live: '1', sort: undefined })}
      >
        <Radio className={classNames(live && 'pulse')} aria-hidden />
        Live
      </Button>
      <IconButton label="Jobs" onClick={() => setJobsShown(true)}>
        <ListChecks aria-hidden />
      </IconButton>
      {areJobsShown && <JobsDialog onClose={() => setJobsShown(false)} />}
    </div>
  );
}
