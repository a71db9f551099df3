import type { ReactNode } from 'react';

export type Fact = [label: string, value: ReactNode];

/** Labels with values in a responsive grid. Facts without a value are omitted. */
export function Facts({ facts }: { facts: ReadonlyArray<Fact | null> }): ReactNode {
  const present = facts.filter((fact): fact is Fact => fact !== null && fact[1] !== null && fact[1] !== undefined);
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-4 gap-y-1.5">
      {present.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-2xs text-ink-faint">{label}</dt>
          <dd className="truncate [&_a]:text-accent">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
