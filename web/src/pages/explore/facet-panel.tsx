import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { facetsQuery } from '../../api/spans.ts';
import type { Facet } from '../../api/parts.ts';
import { IconButton } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import { Skeleton } from '../../design/states.tsx';
import { usePageKeys } from '../../design/use-page-keys.ts';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { facetLabel, maxOpenFacets, readFacetChoice, storeFacetChoice } from './facet-choice.ts';
import { FacetNumbers } from './facet-numbers.tsx';
import { FacetPicker } from './facet-picker.tsx';
import { FacetValues } from './facet-values.tsx';
import { facetsRequest } from './search.ts';
import type { Explore } from './use-explore.ts';

export const facetsLabel = 'Facets';

interface FacetPanelProps {
  explore: Explore;
  /** The panel lies over the list of a narrow window. */
  onClose?: () => void;
}

/** The values of fields among what matches, with counts: a click narrows the list to a value, a second one to either, and another takes it back. */
export function FacetPanel({ explore, onClose }: FacetPanelProps): ReactNode {
  const { projectId } = useProject();
  const { listed, nowMs, on, isUnreadable } = explore;
  const [choices, setChoices] = useState(() => ({ on, choice: readFacetChoice(projectId, on) }));
  const choice = choices.on === on ? choices.choice : readFacetChoice(projectId, on);
  if (choices.on !== on) setChoices({ on, choice });
  const choose = (next: typeof choice) => {
    storeFacetChoice(projectId, on, next);
    setChoices({ on, choice: next });
  };
  const open = useMemo(() => choice.listed.filter((field) => choice.open.includes(field)).slice(0, maxOpenFacets), [choice]);
  const request = useMemo(() => {
    const { live: _live, sort: _sort, ...counted } = listed;
    return facetsRequest(counted, open, nowMs);
  }, [listed, open, nowMs]);
  const query = useQuery({
    ...facetsQuery(projectId, request),
    placeholderData: keepPreviousData,
    enabled: open.length > 0 && !isUnreadable,
  });
  usePageKeys(onClose ? { Escape: onClose } : {});
  const facets = useMemo(() => new Map(query.data?.facets.map((facet) => [facet.field, facet])), [query.data]);
  const toggle = (field: string) =>
    choose({ ...choice, open: open.includes(field) ? open.filter((one) => one !== field) : [...open, field] });
  return (
    <aside
      aria-label={facetsLabel}
      className={classNames(
        'scroll-thin flex flex-col overflow-y-auto border-r border-line bg-surface',
        onClose ? 'fixed inset-0 z-30' : 'w-60 shrink-0',
      )}
    >
      <header className="sticky top-0 z-10 flex min-h-9 items-center gap-1 border-b border-line bg-surface pr-1 pl-3">
        <h2 className="flex-1 text-xs font-semibold text-ink-soft">
          Facets
          {query.data?.sampled === true && (
            <span className="ml-1 font-normal text-ink-faint" title="Counts are estimates from a sample of the records">
              (sampled)
            </span>
          )}
        </h2>
        <FacetPicker on={on} listed={choice.listed} onListed={(next) => choose({ listed: next, open: opened(choice, next) })} />
        {onClose && (
          <IconButton label="Close the facets" onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        )}
      </header>
      {query.isError && (
        <p role="alert" className="px-3 py-2 text-xs text-bad">
          The values can’t be counted. {query.error.message}
        </p>
      )}
      {choice.listed.map((field) => (
        <Section key={field} field={field} isOpen={open.includes(field)} onToggle={() => toggle(field)}>
          {facets.get(field) ? (
            <Counts facet={facets.get(field)} isStale={query.isPlaceholderData} explore={explore} />
          ) : (
            !query.isError && !isUnreadable && <Skeleton className="mx-3 mb-2 h-16" />
          )}
        </Section>
      ))}
    </aside>
  );
}

/** A facet that is added is open. */
function opened(before: { listed: readonly string[]; open: readonly string[] }, listed: readonly string[]): readonly string[] {
  const added = listed.filter((field) => !before.listed.includes(field));
  return [...before.open.filter((field) => listed.includes(field)), ...added];
}

interface SectionProps {
  field: string;
  isOpen: boolean;
  onToggle(): void;
  children: ReactNode;
}

function Section({ field, isOpen, onToggle, children }: SectionProps): ReactNode {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const label = visibleText(facetLabel(field));
  return (
    <section aria-label={label} className="border-b border-line">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-8 w-full items-center gap-1.5 px-2 text-left text-sm font-medium hover:bg-hover"
        >
          <Icon className="size-3.5 shrink-0 text-ink-faint" aria-hidden />
          <bdi className="truncate">{label}</bdi>
        </button>
      </h3>
      {isOpen && children}
    </section>
  );
}

function Counts({ facet, isStale, explore }: { facet: Facet | undefined; isStale: boolean; explore: Explore }): ReactNode {
  if (!facet) return null;
  return (
    <div className={classNames('pb-2', isStale && 'opacity-60')}>
      {'values' in facet ? <FacetValues {...{ facet, explore }} /> : <FacetNumbers {...{ facet, explore }} />}
    </div>
  );
}
