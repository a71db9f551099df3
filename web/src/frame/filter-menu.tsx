import { Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { ListedTrace, TraceSummary } from '../api/parts.ts';
import { Button } from '../design/button.tsx';
import { Select } from '../design/field.tsx';
import { addedFilters, filterLabels, filterNames, promptFilterNames, scoreFilterNames } from '../trace-filters.ts';
import type { FilterName, FilterSearch } from '../trace-filters.ts';
import { PromptFields, ScoreFields, ValueField } from './filter-fields.tsx';

/** A field to filter by, or a group of fields. */
type Choice = FilterName | 'score' | 'prompt';

function choicesOf(names: readonly FilterName[]): Array<{ value: Choice; label: string }> {
  const joint: readonly FilterName[] = ['status', ...scoreFilterNames, ...promptFilterNames];
  const single = names.filter((name) => !joint.includes(name)).map((value) => ({ value, label: filterLabels[value] }));
  return [
    ...single,
    ...(names.includes('evaluator') ? [{ value: 'score' as const, label: 'Score' }] : []),
    ...(names.includes('promptName') ? [{ value: 'prompt' as const, label: 'Prompt' }] : []),
  ];
}

/** Whether the draft is not empty and the service would accept it. */
function isUsable(draft: FilterSearch): boolean {
  const { minScore, maxScore } = draft;
  return (
    Object.values(draft).some((value: unknown) => typeof value === 'string' && value.trim() !== '') &&
    !(minScore && maxScore && Number(minScore) > Number(maxScore))
  );
}

interface FilterMenuProps {
  /** The listed traces, whose values are suggested. */
  traces: ReadonlyArray<TraceSummary & Partial<ListedTrace>>;
  /** The active filters, which an added value joins. */
  search: FilterSearch;
  /** The available filters; all by default. */
  names?: readonly FilterName[];
  onAdd(change: FilterSearch): void;
}

/** A popover that adds a filter. */
export function FilterMenu({ traces, search, names = filterNames, onAdd }: FilterMenuProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [choice, setChoice] = useState<Choice>('model');
  const [draft, setDraft] = useState<FilterSearch>({});
  const change = (next: FilterSearch) => setDraft((before) => ({ ...before, ...next }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isUsable(draft)) return;
    const joint = { score: scoreFilterNames, prompt: promptFilterNames, value: [choice as FilterName] };
    const together: readonly FilterName[] = joint[choice === 'score' || choice === 'prompt' ? choice : 'value'];
    // Replaces all fields of the group.
    const given = Object.fromEntries(
      together.map((name) => {
        const [text = ''] = [draft[name]].flat();
        return [name, text.trim() === '' ? undefined : text];
      }),
    );
    onAdd(addedFilters(search, given));
    setDraft({});
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button>
          <Plus aria-hidden />
          Filter
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-label="Add filter"
          className="z-50 w-72 rounded-lg border border-line bg-raised p-3 shadow-high"
        >
          <form onSubmit={submit} className="flex flex-col gap-2">
            <Select<Choice>
              label="Field"
              value={choice}
              options={choicesOf(names)}
              onValue={(next) => {
                setChoice(next);
                setDraft({});
              }}
            />
            {choice === 'score' ? (
              <ScoreFields draft={draft} onChange={change} />
            ) : choice === 'prompt' ? (
              <PromptFields draft={draft} onChange={change} />
            ) : (
              <ValueField name={choice} traces={traces} value={[draft[choice] ?? ''].flat()[0] ?? ''} onChange={change} />
            )}
            <Button look="primary" type="submit" disabled={!isUsable(draft)}>
              Add
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
