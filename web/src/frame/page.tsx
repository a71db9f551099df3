import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';

interface PageProps {
  /** Also the title of the browser's tab. */
  title: string;
  /** Before the title: the way back to the list. */
  trail?: ReactNode;
  /** After the title. */
  badges?: ReactNode;
  /** At the end of the line. */
  actions?: ReactNode;
  /** The page fills the window and scrolls inside itself. */
  fill?: boolean;
  children: ReactNode;
}

/** The body of a page: its line with title and actions, and what it shows. */
export function Page({ title, trail, badges, actions, fill = false, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${visibleText(title).slice(0, 80)} · Spanwise`;
  }, [title]);
  return (
    <div className={fill ? 'flex h-full min-h-0 flex-col' : 'flex min-h-full flex-col'}>
      <header className="sticky top-0 z-20 flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-canvas px-4 py-1.5">
        <div className="flex min-w-0 flex-1 items-center gap-2">
          {trail}
          <h1 className="min-w-0 truncate text-lg font-semibold" title={visibleText(title)}>
            <bdi>{visibleText(title)}</bdi>
          </h1>
          {badges}
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className={fill ? 'flex min-h-0 flex-1 flex-col' : 'flex flex-1 flex-col gap-3 p-4'}>{children}</div>
    </div>
  );
}
