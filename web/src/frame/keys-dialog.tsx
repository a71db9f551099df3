import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { destinationsOf } from './navigation.ts';

type Keys = ReadonlyArray<readonly [keys: string, meaning: string]>;

const groups: ReadonlyArray<readonly [title: string, keys: Keys]> = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Go to a page, record or ID'],
      ['/', 'Search this page'],
      ['?', 'List the keys'],
      ['Esc', 'Close a panel or dialog'],
    ],
  ],
  [
    'Lists',
    [
      ['J K', 'Next and previous row'],
      ['Enter', 'Open the row'],
      ['X', 'Select the row, with Shift up to it'],
      ['B', 'Actions for the selection'],
      ['F', 'Facets'],
    ],
  ],
  [
    'Trace',
    [
      ['J K', 'Next and previous trace'],
      ['↑ ↓', 'Move between spans'],
      ['← →', 'Collapse and expand a span'],
      ['O', 'Go to the output'],
      ['C', 'Comments'],
      ['Esc', 'Show the trace'],
    ],
  ],
  [
    'Annotation',
    [
      ['P F', 'Pass and fail'],
      ['C', 'Comment'],
      ['N', 'Skip'],
      ['B', 'Back'],
    ],
  ],
];

/** Lists the keyboard shortcuts. */
export default function KeysDialog({ onClose }: { onClose(): void }): ReactNode {
  const router = useRouter();
  const ofPages = destinationsOf(router).flatMap(({ title, key }) =>
    key === undefined ? [] : [[`G ${key.toUpperCase()}`, title] as const],
  );
  return (
    <Dialog open wide onOpenChange={onClose} title="Keyboard shortcuts">
      {/* The pages take as much room as the rest. */}
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <div className="flex flex-col gap-4">
          {groups.map(([title, keys]) => (
            <Group key={title} title={title} keys={keys} />
          ))}
        </div>
        <Group title="Pages" keys={ofPages} />
      </div>
    </Dialog>
  );
}

function Group({ title, keys }: { title: string; keys: Keys }): ReactNode {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-xs font-semibold text-ink-soft">{title}</h3>
      <dl className="flex flex-col gap-1">
        {keys.map(([key, meaning]) => (
          <div key={key} className="flex items-center justify-between gap-3">
            <dt className="order-2 flex gap-1">
              {key.split(' ').map((one) => (
                <kbd key={one} className="rounded border border-line bg-sunken px-1.5 font-sans text-2xs">
                  {one}
                </kbd>
              ))}
            </dt>
            <dd className="text-ink-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
