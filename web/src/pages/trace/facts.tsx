import type { ReactNode } from 'react';

export type Fact = [label: string, value: ReactNode];

/** Labels with their values, as many side by side as there is room for; a fact without a value is left out. */
export function Facts({ facts }: { facts: ReadonlyArray<Fact | null> }): ReactNode {
  const there = facts.filter((fact): fact is Fact => fact !== null && fact[1] !== null && fact[1] !== undefined);
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-1.5">
      {there.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-2xs text-ink-faint">{label}</dt>
          <dd className="truncate">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
