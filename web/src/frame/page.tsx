import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../design/class-names.ts';
import { FailuresProvider, useFailures } from '../design/failures.ts';
import { visibleText } from '../format/visible-text.ts';
import { PendingNote } from './pending-note.tsx';
import { useProjectIfAny } from './project-context.ts';
import { RefreshButton } from './refresh-button.tsx';

interface PageProps {
  /** Heading and document title. */
  title: string;
  /** Before the title: breadcrumb links. */
  trail?: ReactNode;
  /** After the title. */
  badges?: ReactNode;
  /** At the end of the header. */
  actions?: ReactNode;
  /** The page fills the viewport and its content scrolls; `wide`: only in wide windows. Low windows scroll the page as well. */
  fill?: boolean | 'wide';
  /** The page is a form: it has no data to refresh. */
  form?: boolean;
  children: ReactNode;
}

const heights: Readonly<Record<string, string>> = {
  false: 'min-h-full',
  true: 'h-[max(100%,34rem)]',
  wide: 'min-h-full lg:h-[max(100%,34rem)]',
};

/** A page: header with title and actions, and content. */
export function Page({ title, trail, badges, actions, fill = false, form = false, children }: PageProps): ReactNode {
  const failures = useFailures();
  const scope = useProjectIfAny();
  const isData = scope !== null && !form;
  useEffect(() => {
    document.title = `${visibleText(title).slice(0, 80)} · Spanwise`;
  }, [title]);
  return (
    <div className={classNames('flex flex-col', heights[String(fill)])}>
      <header className="top-0 z-20 flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line bg-canvas px-4 py-1.5 lg:sticky">
        <div className="flex min-w-0 grow items-center gap-x-2 gap-y-1 max-lg:flex-wrap lg:basis-80">
          {trail}
          <h1 className="max-w-full min-w-0 truncate text-lg font-semibold" title={visibleText(title)}>
            <bdi>{visibleText(title)}</bdi>
          </h1>
          {badges}
          {isData && <PendingNote projectId={scope.projectId} />}
        </div>
        {(isData || actions !== undefined) && (
          <div className="flex min-w-0 flex-wrap items-center gap-2">
            {actions}
            {isData && <RefreshButton />}
          </div>
        )}
      </header>
      <FailuresProvider value={failures}>
        <div className={fill === false ? 'flex flex-1 flex-col gap-3 p-4' : 'flex min-h-0 flex-1 flex-col'}>{children}</div>
      </FailuresProvider>
    </div>
  );
}
