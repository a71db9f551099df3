import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '../format/visible-text.ts';

interface PageProps {
  /** Heading and document title. */
  title: string;
  /** Before the title: breadcrumb links. */
  trail?: ReactNode;
  /** After the title. */
  badges?: ReactNode;
  /** At the end of the header. */
  actions?: ReactNode;
  /** The page fills the viewport; its content scrolls. */
  fill?: boolean;
  children: ReactNode;
}

/** A page: header with title and actions, and content. */
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
