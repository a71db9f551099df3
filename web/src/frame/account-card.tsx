import { useEffect } from 'react';
import type { ReactNode } from 'react';

/** A page for a person who is not signed in: a card below the name of the product. */
export function AccountCard({
  title,
  heading = title,
  text,
  children,
  note,
}: {
  /** Of the document. */
  title: string;
  /** Default: the title. */
  heading?: string;
  text: ReactNode;
  children: ReactNode;
  note?: ReactNode;
}): ReactNode {
  useEffect(() => {
    document.title = `${title} · Spanwise`;
  }, [title]);
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <img src="/favicon.svg" alt="" className="size-9 shrink-0 rounded-lg" />
          <div className="min-w-0">
            <h1 className="text-xl font-semibold">{heading}</h1>
            <p className="text-ink-soft [overflow-wrap:anywhere]">{text}</p>
          </div>
        </div>
        <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-4 shadow-card">{children}</div>
        {note !== undefined && <p className="mt-4 text-xs text-ink-faint">{note}</p>}
      </div>
    </main>
  );
}
