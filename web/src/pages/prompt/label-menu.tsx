import { ChevronDown, Tag } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { PromptVersion } from '../../api/service.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Input } from '../../design/field.tsx';
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../design/menu.tsx';
import { Visible } from '../../design/visible.tsx';
import { defaultLabel } from './label-move.ts';
import { MoveLabel } from './move-label.tsx';
import { RemoveLabel } from './remove-label.tsx';
import type { Versions } from '../../api/prompt-versions.ts';

const suggestedLabels = [defaultLabel, 'staging'];

/** Moves a label to this version, or removes one from it, after a confirmation. */
export function LabelMenu({ version, versions }: { version: PromptVersion; versions: Versions }): ReactNode {
  const [moving, setMoving] = useState<string | null>(null);
  const [naming, setNaming] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const own = version.labels.filter((label) => label !== 'latest');
  const known = new Set([...suggestedLabels, ...versions.loaded.flatMap(({ labels }) => labels)]);
  const others = [...known].filter((label) => label !== 'latest' && !version.labels.includes(label));
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button>
            <Tag aria-hidden />
            Label
            <ChevronDown className="text-ink-faint" aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Move label here</MenuLabel>
        {others.map((label) => (
          <MenuItem key={label} onSelect={() => setMoving(label)}>
            <Visible text={label} className="truncate" />
            <CurrentVersion version={versions.loaded.find(({ labels }) => labels.includes(label))?.version} />
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem onSelect={() => setNaming(true)}>New label…</MenuItem>
        {own.length > 0 && (
          <>
            <MenuSeparator />
            <MenuLabel>Remove label</MenuLabel>
            {own.map((label) => (
              <MenuItem key={label} onSelect={() => setRemoving(label)}>
                <Visible text={label} className="truncate" />
              </MenuItem>
            ))}
          </>
        )}
      </Menu>
      {naming && (
        <NameLabel
          onClose={() => setNaming(false)}
          onName={(label) => {
            setNaming(false);
            setMoving(label);
          }}
        />
      )}
      {removing !== null && <RemoveLabel label={removing} version={version} onClose={() => setRemoving(null)} />}
      {moving !== null && <MoveLabel label={moving} version={version} versions={versions} onClose={() => setMoving(null)} />}
    </>
  );
}

function CurrentVersion({ version }: { version: number | undefined }): ReactNode {
  return <span className="ml-auto pl-4 text-xs text-ink-faint">{version === undefined ? '' : `version ${version}`}</span>;
}

function NameLabel({ onClose, onName }: { onClose(): void; onName(label: string): void }): ReactNode {
  const [label, setLabel] = useState('');
  const wrong = label.trim() === 'latest' ? 'latest is reserved for the newest version.' : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wrong === null) onName(label.trim());
  };
  return (
    <Dialog open onOpenChange={onClose} title="New label" description="Applications request a version by its label.">
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label="Label"
          autoFocus
          required
          maxLength={100}
          value={label}
          onChange={(event) => setLabel(event.target.value)}
          error={wrong}
        />
        <Button look="primary" type="submit" disabled={label.trim() === '' || wrong !== null}>
          Continue
        </Button>
      </form>
    </Dialog>
  );
}
