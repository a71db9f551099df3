import { Settings2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { Button, IconButton } from '../../design/button.tsx';
import { Input } from '../../design/field.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { facetFields, facetLabel, keyedField } from './facet-choice.ts';

interface FacetPickerProps {
  on: FilterSubject;
  listed: readonly string[];
  onListed(listed: readonly string[]): void;
}

/** Chooses the fields that are facets, also keys of metadata and attributes. */
export function FacetPicker({ on, listed, onListed }: FacetPickerProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const keyed = listed.filter((field) => !facetFields[on].includes(field));
  const toggle = (field: string) => onListed(listed.includes(field) ? listed.filter((one) => one !== field) : [...listed, field]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const field = keyedField(text, on);
    setError(field === null ? 'Write a key such as metadata.customer.tier or attribute.http.route.' : null);
    if (field === null) return;
    if (!listed.includes(field)) onListed([...listed, field]);
    setText('');
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <IconButton label="Choose the facets" size="small">
          <Settings2 aria-hidden />
        </IconButton>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={12}
          aria-label="Fields"
          className="scroll-thin z-50 flex max-h-[70vh] w-72 flex-col gap-2 overflow-auto rounded-lg border border-line bg-raised p-3 shadow-high"
        >
          <form onSubmit={submit} className="flex items-end gap-2">
            <Input
              label="Key"
              placeholder="metadata.customer.tier"
              value={text}
              error={error}
              spellCheck={false}
              onChange={(event) => setText(event.target.value)}
              className="flex-1"
            />
            <Button type="submit" disabled={text.trim() === ''}>
              Add
            </Button>
          </form>
          <ul>
            {[...keyed, ...facetFields[on]].map((field) => (
              <li key={field}>
                <label className="flex h-7 items-center gap-2 rounded-md px-1 hover:bg-hover">
                  <input
                    type="checkbox"
                    checked={listed.includes(field)}
                    onChange={() => toggle(field)}
                    className="size-3.5 accent-accent"
                  />
                  <bdi className="truncate">{visibleText(facetLabel(field))}</bdi>
                </label>
              </li>
            ))}
          </ul>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
