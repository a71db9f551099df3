import type { ReactNode } from 'react';
import { Counted } from '../design/figures.tsx';

/** Says how many calls name no model: they are in no model's figures. */
export function UnnamedNote({ unnamed: { calls, errors } }: { unnamed: { calls: number; errors: number } }): ReactNode {
  if (calls === 0) return null;
  return (
    <p role="note" className="px-1 text-ink-soft">
      <Counted value={calls} noun="call" /> without a model, <Counted value={errors} noun="error" />. In no model&rsquo;s figures.
    </p>
  );
}
