import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { deliveriesQuery, useAlertActions } from '../../api/alerts.ts';
import { failureOf } from '../../api/failure-of.ts';
import type { AlertRule, Delivery } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Moment } from '../../design/figures.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { countedExactly } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { ChannelIcon } from './channel-fields.tsx';
import { attemptText, deliveryTitles } from './delivery-words.ts';

const tones: Readonly<Record<Delivery['status'], Tone>> = { pending: 'warn', delivered: 'good', failed: 'bad' };

/** The messages to the channels of a rule, with each attempt. */
export function DeliveriesTab({ rule }: { rule: AlertRule }): ReactNode {
  const { projectId } = useProject();
  const query = useInfiniteQuery(deliveriesQuery(projectId, rule.id));
  if (failureOf(query)) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Skeleton className="h-40" />;
  const deliveries = query.data.pages.flatMap((page) => page.deliveries);
  if (deliveries.length === 0) {
    return (
      <Empty title="No deliveries">
        {rule.channels.length === 0
          ? 'Add a channel to the rule to be notified.'
          : 'Messages about incidents of this rule are listed here. Send a test to try the channels.'}
      </Empty>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <Card title="Deliveries">
        <ul aria-label="Deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} ruleId={rule.id} delivery={delivery} />
          ))}
        </ul>
      </Card>
      {query.hasNextPage ? (
        <Button className="self-start" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show older deliveries
        </Button>
      ) : (
        <p className="text-xs text-ink-faint">{deliveries.length === 1 ? '1 delivery' : `${deliveries.length} deliveries`}</p>
      )}
    </div>
  );
}

function DeliveryRow({ ruleId, delivery }: { ruleId: string; delivery: Delivery }): ReactNode {
  const { at, projectId, can } = useProject();
  const { redeliver } = useAlertActions(projectId);
  const say = useToast();
  const { id, channel, type, status, attempts, incidentId, nextAttemptAt, createdAt } = delivery;
  const again = () =>
    redeliver.mutate(
      { id: ruleId, deliveryId: id },
      { onSuccess: () => say('Queued again'), onError: (error) => say(error.message, 'bad') },
    );
  return (
    <li className="flex flex-col gap-1 border-t border-line px-3 py-2 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tones[status]}>{status}</Badge>
        <span className="font-medium">
          {incidentId === null ? (
            deliveryTitles[type]
          ) : (
            <Link {...pages.incident(at, incidentId)} className="hover:text-accent hover:underline">
              {deliveryTitles[type]}
            </Link>
          )}
        </span>
        <span className="flex min-w-0 flex-1 basis-40 items-center gap-1.5 text-ink-soft">
          <ChannelIcon type={channel.type} />
          <VisibleLine text={channel.url ?? channel.to?.join(', ') ?? ''} />
        </span>
        <span className="text-xs text-ink-faint">
          <Moment iso={createdAt} />
        </span>
        {can('alerts:manage') && (
          <Button size="small" busy={redeliver.isPending} onClick={again}>
            Redeliver
          </Button>
        )}
      </div>
      <details>
        <summary className="w-fit cursor-pointer text-xs text-ink-soft hover:text-ink">
          {attempts.length === 0 ? 'No attempts' : countedExactly(attempts.length, 'attempt')}
          {nextAttemptAt !== null && status === 'pending' && (
            <>
              {' '}
              · next <Moment iso={nextAttemptAt} />
            </>
          )}
        </summary>
        <ol aria-label="Attempts" className="mt-1 flex flex-col gap-0.5 pl-4 text-xs text-ink-soft">
          {attempts.map((attempt) => (
            <li key={attempt.at} className="flex flex-wrap gap-x-3">
              <Moment iso={attempt.at} />
              <Visible text={attemptText(channel.type, attempt)} className="min-w-0 [overflow-wrap:anywhere]" />
            </li>
          ))}
          <li className="text-ink-faint">
            Message ID: <code className="font-mono">{id}</code>
          </li>
        </ol>
      </details>
    </li>
  );
}
