import { Settings2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { IconButton } from '../../design/button.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { facetFields, facetLabel, keyedField } from './facet-choice.ts';
import { KeyForm } from './key-form.tsx';
import { useMetadataKeys } from './use-metadata-keys.ts';

interface FacetPickerProps {
  on: FilterSubject;
  listed: readonly string[];
  onListed(listed: readonly string[]): void;
}

/** Chooses the fields that are facets, also keys of metadata and attributes. */
export function FacetPicker(props: FacetPickerProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
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
          <Fields {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Fields({ on, listed, onListed }: FacetPickerProps): ReactNode {
  const { projectId } = useProject();
  const found = useMetadataKeys(projectId, on);
  const keys = new Set([...listed.filter((field) => !facetFields[on].includes(field)), ...found]);
  const toggle = (field: string) => onListed(listed.includes(field) ? listed.filter((one) => one !== field) : [...listed, field]);
  return (
    <>
      <KeyForm read={(text) => keyedField(text, on)} onAdd={(key) => !listed.includes(key) && onListed([...listed, key])} />
      <ul>
        {[...facetFields[on], ...keys].map((field) => (
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
    </>
  );
}
