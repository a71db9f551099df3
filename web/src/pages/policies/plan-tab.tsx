import type { ReactNode } from 'react';
import { useRef } from 'react';
import { Visible } from '../../design/visible.tsx';
import type { FoundFile } from './chosen-files.ts';
import { DropZone } from './drop-zone.tsx';
import { select } from './selection.ts';
import type { Selection } from './selection.ts';
import { Steps } from './steps.tsx';

interface PlanTabProps {
  selection: Selection | null;
  onSelect(selection: Selection): void;
}

/** Drops files, validates them, plans them and applies the plan. */
export default function PlanTab({ selection, onSelect }: PlanTabProps): ReactNode {
  const latest = useRef(0);
  const take = async (finding: Promise<readonly FoundFile[]>) => {
    latest.current += 1;
    const own = latest.current;
    const next = await finding.then(select, () => select([]));
    // A later drop may have been read first.
    if (own === latest.current) onSelect(next);
  };
  return (
    <div className="flex max-w-5xl flex-col gap-3 p-4">
      <DropZone selected={selection?.text ?? null} onFound={(found) => void take(found)} />
      {selection && selection.problems.length > 0 && <Problems problems={selection.problems} />}
      {selection && selection.problems.length === 0 && <Steps key={selection.id} selection={selection} />}
    </div>
  );
}

function Problems({ problems }: { problems: readonly string[] }): ReactNode {
  return (
    <ul role="alert" className="flex flex-col gap-1 rounded-md border border-bad/40 bg-bad-soft px-3 py-2 text-bad">
      {problems.map((problem) => (
        <li key={problem}>
          <Visible text={problem} className="break-words" />
        </li>
      ))}
    </ul>
  );
}
