import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { sharesQuery, useShareActions } from '../../api/shares.ts';
import type { ShareList } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { ErrorText } from '../../design/error-text.tsx';
import { Select } from '../../design/field.tsx';
import { Moment } from '../../design/figures.tsx';
import { Failure, Skeleton } from '../../design/states.tsx';
import { Switch } from '../../design/switch.tsx';
import { useToast } from '../../design/toast.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';

/** Makes, lists and deletes the links of a trace. */
export default function ShareDialog({ traceId, onClose }: { traceId: string; onClose(): void }): ReactNode {
  const { organization } = useProject();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Share trace"
      description="Anyone who has the link sees the trace, without an account. It never shows user, session, tags, metadata, attributes, scores or the project."
      footer={<Button onClick={onClose}>Done</Button>}
    >
      <div className="flex flex-col gap-4">
        {organization.sharedLinks ? (
          <NewLink traceId={traceId} />
        ) : (
          <p role="note" className="rounded-md border border-warn/40 bg-warn-soft px-2.5 py-2">
            Shared links are switched off in this organization. An owner can allow them in Settings, Organization.
          </p>
        )}
        <Links traceId={traceId} />
      </div>
    </Dialog>
  );
}

const lives = ['1', '7', '30', '90', '365'] as const;
type Life = (typeof lives)[number];
const options = lives.map((value) => ({ value, label: value === '1' ? '1 day' : `${value} days` }));

function NewLink({ traceId }: { traceId: string }): ReactNode {
  const { projectId } = useProject();
  const { create } = useShareActions(projectId, traceId);
  const [life, setLife] = useState<Life>('30');
  const [payloads, setPayloads] = useState(true);
  const [redact, setRedact] = useState(true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({ expiresInDays: Number(life), payloads, redact });
  };
  return (
    <>
      <form onSubmit={submit} className="flex flex-col items-start gap-1.5">
        <Select<Life> label="Expires after" className="w-32" value={life} options={options} onValue={setLife} />
        <Switch label="Show inputs, outputs and error messages" checked={payloads} onChange={setPayloads} />
        <Switch label="Replace personal data and secrets" checked={redact} onChange={setRedact} />
        <p className="text-xs text-ink-faint">
          {redact
            ? 'What the pii and secrets guardrails and the built-in entities find is replaced. Names and street addresses have no form that can be found.'
            : 'Personal data and secrets in the trace are visible to anyone who has the link.'}
        </p>
        <ErrorText text={create.error?.message ?? null} />
        <Button look="primary" type="submit" busy={create.isPending}>
          Create link
        </Button>
      </form>
      {create.data && (
        <div role="status" className="flex flex-col gap-1">
          <Snippet label="Link" text={create.data.url} />
          <p className="text-xs text-ink-faint">Copy the link now. It is not shown again.</p>
        </div>
      )}
    </>
  );
}

function Links({ traceId }: { traceId: string }): ReactNode {
  const { projectId } = useProject();
  const query = useQuery(sharesQuery(projectId, traceId));
  return (
    <section aria-label="Links of this trace" className="flex flex-col gap-1.5">
      <h3 className="text-xs font-semibold text-ink-soft">Links of this trace</h3>
      {query.data ? (
        query.data.shares.length === 0 ? (
          <p className="text-ink-faint">None yet.</p>
        ) : (
          <ul className="divide-y divide-line rounded-md border border-line">
            {query.data.shares.map((share) => (
              <Link key={share.id} traceId={traceId} share={share} />
            ))}
          </ul>
        )
      ) : query.error ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Skeleton className="h-8" />
      )}
    </section>
  );
}

function Link({ traceId, share }: { traceId: string; share: ShareList['shares'][number] }): ReactNode {
  const { projectId } = useProject();
  const { remove } = useShareActions(projectId, traceId);
  const say = useToast();
  const { id, payloads, redact, expiresAt, views } = share;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2.5 py-1">
      <span className="numbers min-w-16">{countedExactly(views, 'view')}</span>
      <span className="text-ink-soft">
        until <Moment iso={expiresAt} />
      </span>
      <span className="flex grow gap-1">
        <Badge>{payloads ? 'with contents' : 'without contents'}</Badge>
        {redact ? <Badge>redacted</Badge> : <Badge tone="warn">not redacted</Badge>}
      </span>
      <ErrorText text={remove.error?.message ?? null} />
      <IconButton
        label="Delete link"
        disabled={remove.isPending}
        onClick={() => remove.mutate(id, { onSuccess: () => say('Link deleted') })}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}
