import { Tag } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';

interface TagFilterProps {
  /** Tags of the listed prompts. */
  suggestions: readonly string[];
  onTag(tag: string): void;
}

/** Filters prompts by tag. */
export function TagFilter({ suggestions, onTag }: TagFilterProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [tag, setTag] = useState('');
  const list = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag.trim() === '') return;
    onTag(tag.trim());
    setTag('');
    setOpen(false);
  };
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button>
          <Tag aria-hidden />
          Tag
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          aria-label="Filter by tag"
          className="z-50 w-64 rounded-lg border border-line bg-raised p-3 shadow-high"
        >
          <form onSubmit={submit} className="flex flex-col gap-2">
            <Input
              label="Tag"
              autoFocus
              maxLength={100}
              value={tag}
              onChange={(event) => setTag(event.target.value)}
              list={list}
            />
            <datalist id={list}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
            <Button look="primary" type="submit" disabled={tag.trim() === ''}>
              Apply
            </Button>
          </form>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
