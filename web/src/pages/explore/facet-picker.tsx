import { Settings2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { FilterSubject } from '../../../../src/contract/filter/fields.ts';
import { IconButton } from '../../design/button.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { facetFields, facetLabel, keyedField } from './facet-choice.ts';
import { isFound, KeyForm } from './key-form.tsx';
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
          className="z-50 flex max-h-[min(70vh,var(--radix-popover-content-available-height))] w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 overflow-hidden rounded-lg border border-line bg-raised p-3 shadow-high"
        >
          <Fields {...props} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Fields({ on, listed, onListed }: FacetPickerProps): ReactNode {
  const { projectId } = useProject();
  const [text, setText] = useState('');
  const found = useMetadataKeys(projectId, on);
  const keys = new Set([...listed.filter((field) => !facetFields[on].includes(field)), ...found]);
  const shown = [...keys, ...facetFields[on]].filter((field) => isFound(text, field, facetLabel(field)));
  // A further one is the first, in sight.
  const toggle = (field: string) => onListed(listed.includes(field) ? listed.filter((one) => one !== field) : [field, ...listed]);
  return (
    <>
      <KeyForm
        label="Search fields and keys"
        text={text}
        onText={setText}
        read={(written) => keyedField(written, on)}
        onAdd={(key) => !listed.includes(key) && toggle(key)}
      />
      <ul className="scroll-thin min-h-0 overflow-auto">
        {shown.map((field) => (
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
