import { Plus } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { TraceSummary } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { Input, Select } from '../design/field.tsx';
import { filterLabels, filterNames } from '../trace-filters.ts';
import type { FilterName } from '../trace-filters.ts';

const options = filterNames.filter((name) => name !== 'status').map((value) => ({ value, label: filterLabels[value] }));

/** Values of a field among the traces that are listed now, most frequent first. */
function suggestions(name: FilterName, traces: readonly TraceSummary[]): string[] {
  const counts = new Map<string, number>();
  for (const trace of traces) {
    const values = {
      model: trace.models,
      agent: trace.agents,
      session: [trace.sessionId],
      user: [trace.userId],
      environment: [trace.environment],
      tag: trace.tags,
      status: [],
      minLatency: [],
      minCost: [],
    }[name];
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts.entries()]
    .toSorted((left, right) => right[1] - left[1])
    .slice(0, 50)
    .map(([value]) => value);
}

interface FilterMenuProps {
  /** Listed now: their values are suggested. */
  traces: readonly TraceSummary[];
  onAdd(name: FilterName, value: string): void;
}

/** Adds a filter: what field, which value. */
export function FilterMenu({ traces, onAdd }: FilterMenuProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState<FilterName>('model');
  const [value, setValue] = useState('');
  const list = useId();
  const isNumber = name === 'minLatency' || name === 'minCost';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value.trim() === '') return;
    onAdd(name, value);
    setValue('');
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
          aria-label="Add a filter"
          className="z-50 w-72 rounded-lg border border-line bg-raised p-3 shadow-high"
        >
          <form onSubmit={submit} className="flex flex-col gap-2">
            <Select<FilterName> label="Field" value={name} options={options} onValue={setName} />
            <Input
              label="Value"
              autoFocus
              value={value}
              onChange={(event) => setValue(event.target.value)}
              list={list}
              {...(isNumber ? { type: 'number', min: 0, step: 'any' } : {})}
            />
            <datalist id={list}>
              {suggestions(name, traces).map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
            <Button look="primary" type="submit" disabled={value.trim() === ''}>
              Add
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
