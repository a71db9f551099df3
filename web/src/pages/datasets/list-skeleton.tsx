import type { ReactNode } from 'react';
import { Skeleton } from '../../design/states.tsx';

const lines = Array.from({ length: 14 }, (_, index) => index);

/** A list that is about to be. */
export function ListSkeleton(): ReactNode {
  return (
    <div className="flex flex-col gap-2 p-4" role="status" aria-label="Loading">
      {lines.map((line) => (
        <Skeleton key={line} className="h-6" />
      ))}
    </div>
  );
}
