import type { ReactNode } from 'react';
import { Visible } from '../../design/visible.tsx';

/** Why files cannot be sent, one sentence each. */
export function ProblemList({ problems }: { problems: readonly string[] }): ReactNode {
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
