import type { ReactNode } from 'react';
import { useRef } from 'react';
import type { FoundFile } from './chosen-files.ts';
import { DropZone } from './drop-zone.tsx';
import { ProblemList } from './problem-list.tsx';
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
      {selection && selection.problems.length > 0 && <ProblemList problems={selection.problems} />}
      {selection && selection.problems.length === 0 && <Steps key={selection.id} selection={selection} />}
    </div>
  );
}
