import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { SlugInput } from '../../content/slug-input.tsx';
import { Chip } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Input, Select } from '../../design/field.tsx';
import { Segments } from '../../design/segments.tsx';
import { Visible } from '../../design/visible.tsx';
import { FilterChips } from '../../frame/filter-chips.tsx';
import { FilterMenu } from '../../frame/filter-menu.tsx';
import { SimulationsButton } from '../../frame/simulations-button.tsx';
import { useProject } from '../../frame/project-context.ts';
import { annotationId, defaultBelow, pickNames, pickLabels, queueFilterNames } from './search.ts';
import type { AnnotationSearch, Pick } from './search.ts';

interface QueueToolbarProps {
  search: AnnotationSearch;
  evaluator: string;
  /** Changes the queue and restarts it. */
  onChange(change: Partial<AnnotationSearch>): void;
  /** Changes the evaluator for the current trace and keeps the position. */
  onEvaluator(slug: string): void;
  /** Changes the kind of score. */
  onStyle(as: 'number' | undefined): void;
}

/** The settings of the queue: evaluator, kind of score, and selection of traces. */
export function QueueToolbar({ search, evaluator, onChange, onEvaluator, onStyle }: QueueToolbarProps): ReactNode {
  const { projectId, can } = useProject();
  const failing = search.status === 'error';
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
      <SlugInput
        projectId={projectId}
        value={evaluator}
        labelHidden
        className="w-44"
        onSlug={(slug, next) => (next?.closest(`#${annotationId}`) ? onEvaluator(slug) : onChange({ evaluator: slug }))}
      />
      {can('evaluations:manage') && (
        <Segments
          label="Score as"
          value={search.as ?? 'verdict'}
          options={[
            { value: 'verdict', label: 'Pass or fail' },
            { value: 'number', label: 'Number' },
          ]}
          onValue={(as) => onStyle(as === 'number' ? 'number' : undefined)}
        />
      )}
      <Select<Pick>
        label="Traces"
        labelHidden
        className="w-60"
        value={search.pick ?? 'unscored'}
        options={pickNames.map((value) => ({ value, label: pickLabels[value] }))}
        onValue={(pick) => onChange({ pick: pick === 'unscored' ? undefined : pick })}
      />
      {search.pick === 'low' && <Below value={search.below ?? defaultBelow} onBelow={(below) => onChange({ below })} />}
      <Button repeatable pressed={failing} pressedTone="bad" onClick={() => onChange({ status: failing ? undefined : 'error' })}>
        <CircleAlert aria-hidden />
        Errors
      </Button>
      <SimulationsButton search={search} onChange={onChange} />
      <FilterMenu traces={[]} search={search} names={queueFilterNames} onAdd={onChange} />
      <FilterChips search={search} names={queueFilterNames} onChange={onChange} />
      {search.q !== undefined && (
        <Chip label="Text" value={<Visible text={search.q} />} onRemove={() => onChange({ q: undefined })} />
      )}
    </div>
  );
}

function Below({ value, onBelow }: { value: string; onBelow(below: string): void }): ReactNode {
  return (
    <span className="flex items-center gap-1.5 text-ink-soft">
      ≤
      <Input
        key={value}
        label="Max score"
        labelHidden
        type="number"
        step="any"
        className="w-20"
        defaultValue={value}
        onBlur={(event) => event.target.value !== '' && event.target.value !== value && onBelow(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    </span>
  );
}
