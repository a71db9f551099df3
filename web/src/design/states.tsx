import { Ban, CircleAlert, Inbox, SearchX } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { useJoinedFailure } from './failures.ts';

interface StateProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  role?: 'alert' | 'status';
}

function State({ icon: Icon, title, children, action, role = 'status' }: StateProps): ReactNode {
  return (
    <div role={role} className="mx-auto flex max-w-lg flex-col items-center gap-2 px-6 py-12 text-center">
      <Icon className="size-7 text-ink-faint" strokeWidth={1.5} aria-hidden />
      <p className="text-lg font-semibold">{title}</p>
      {children !== undefined && <div className="text-ink-soft">{children}</div>}
      {action !== undefined && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  );
}

/** An empty state with the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }): ReactNode {
  return (
    <State icon={Inbox} title={title} {...(action === undefined ? {} : { action })}>
      {children}
    </State>
  );
}

interface FailureProps {
  error: unknown;
  /** What could not be loaded, for the title of a 404: "Trace". */
  what?: string;
  /** A link back, shown with a 404. */
  back?: ReactNode;
  onRetry?: (() => void) | undefined;
}

/**
 * An error state with the next step. A 403 names the missing permission. Parts of a page that failed for one reason tell it once; trying again tries
 * all of them.
 */
export function Failure({ error, what = 'Page', back, onRetry }: FailureProps): ReactNode {
  const { isTold, retry } = useJoinedFailure(error, onRetry);
  const again = retry && <Button onClick={retry}>Try again</Button>;
  if (isTold) return <p className="px-3 py-4 text-center text-ink-faint">Not loaded</p>;
  if (!(error instanceof ApiError)) {
    return (
      <State role="alert" icon={CircleAlert} title="Something went wrong" action={again}>
        Reload the page. If the error persists, contact your operator.
      </State>
    );
  }
  if (error.status === 403) {
    return (
      <State role="alert" icon={Ban} title="Permission required">
        {error.permission ? (
          <>
            Your role lacks the permission <code className="font-mono font-semibold text-ink">{error.permission}</code>. Ask an
            owner or admin of the organization for access.
          </>
        ) : (
          error.message
        )}
      </State>
    );
  }
  if (error.status === 404)
    return (
      <State role="alert" icon={SearchX} title={`${what} not found`} {...(back === undefined ? {} : { action: back })}>
        It may have been deleted or expired.
      </State>
    );
  return (
    <State role="alert" icon={CircleAlert} title={error.status === 0 ? "Can't reach Spanwise" : 'Request failed'} action={again}>
      {error.message}
      {error.retryAfterSeconds !== null && <> Try again in {error.retryAfterSeconds}s.</>}
    </State>
  );
}

/** A loading placeholder. The `pulse` class hides it for the first 250 ms. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <div className={classNames('pulse rounded-md bg-sunken', className)} aria-hidden />;
}

/** The loading state of a page. */
export function PageSkeleton(): ReactNode {
  return (
    <div className="late flex flex-col gap-3" role="status" aria-label="Loading">
      <div className="grid grid-cols-6 gap-2">
        {[0, 1, 2, 3, 4, 5].map((index) => (
          <Skeleton key={index} className="h-16" />
        ))}
      </div>
      <Skeleton className="h-64" />
      <Skeleton className="h-40" />
    </div>
  );
}

const lines = Array.from({ length: 14 }, (_, index) => index);

/** The loading state of a list. */
export function ListSkeleton(): ReactNode {
  return (
    <div className="late flex flex-col gap-2 p-4" role="status" aria-label="Loading">
      {lines.map((line) => (
        <Skeleton key={line} className="h-6" />
      ))}
    </div>
  );
}
