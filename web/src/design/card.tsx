import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface CardProps {
  title?: ReactNode;
  /** At the end of the title row. */
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A titled section of a page. */
export function Card({ title, aside, className, children }: CardProps): ReactNode {
  return (
    <section className={classNames('min-w-0 rounded-lg border border-line bg-surface shadow-card', className)}>
      {(title !== undefined || aside !== undefined) && (
        <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
          <h2 className="min-w-0 flex-1 basis-32 text-sm font-semibold break-words">{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

interface StatProps {
  label: string;
  value: ReactNode;
  /** Details of the value. Clamped to two lines, so that numbers are not cut. */
  note?: ReactNode;
  tone?: 'plain' | 'bad' | 'warn';
}

/** One metric with its label. */
export function Stat({ label, value, note, tone = 'plain' }: StatProps): ReactNode {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-3 py-2 shadow-card">
      <dt className="truncate text-xs text-ink-faint">{label}</dt>
      <dd
        className={classNames(
          'numbers truncate text-xl font-semibold tracking-tight',
          tone === 'bad' && 'text-bad',
          tone === 'warn' && 'text-warn',
        )}
      >
        {value}
      </dd>
      {note !== undefined && <dd className="line-clamp-2 text-xs [overflow-wrap:anywhere] text-ink-faint">{note}</dd>}
    </div>
  );
}

/** A row of metrics; `roomy` gives each more width where they take two rows. */
export function Stats({ roomy = false, children }: { roomy?: boolean; children: ReactNode }): ReactNode {
  const columns = roomy ? 'grid-cols-[repeat(auto-fit,minmax(10.5rem,1fr))]' : 'grid-cols-[repeat(auto-fit,minmax(8.25rem,1fr))]';
  return <dl className={classNames('grid gap-2', columns)}>{children}</dl>;
}
