import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface Tab<T extends string> {
  value: T;
  label: ReactNode;
  content: ReactNode;
}

interface TabsProps<T extends string> {
  label: string;
  value: T;
  onValue(value: T): void;
  tabs: ReadonlyArray<Tab<T>>;
  className?: string;
  /** At the end of the tab row. */
  aside?: ReactNode;
}

/** Tabs with their panels. */
export function Tabs<T extends string>({ label, value, onValue, tabs, className, aside }: TabsProps<T>): ReactNode {
  return (
    <Radix.Root
      value={value}
      onValueChange={(next) => onValue(next as T)}
      className={classNames('flex min-h-0 flex-col', className)}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-2 border-b border-line px-1">
        <Radix.List aria-label={label} className="flex flex-wrap gap-1">
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              className="-mb-px h-8 border-b-2 border-transparent px-2 text-sm font-medium whitespace-nowrap text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            >
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="min-h-0 flex-1">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
