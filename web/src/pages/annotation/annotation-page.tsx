import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { formatExact } from '../../format/number-format.ts';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { RangePicker } from '../../frame/range-picker.tsx';
import { lastEvaluator, rememberEvaluator } from '../../last-evaluator.ts';
import { NextTrace } from './next-trace.tsx';
import { QueueToolbar } from './queue-toolbar.tsx';
import { QueuedTrace } from './queued-trace.tsx';
import type { AnnotationSearch, Position } from './search.ts';

/** Resets the position in the queue. */
const queueStart: Partial<AnnotationSearch> = { trace: undefined, before: undefined, done: undefined };

/** A queue of traces to score manually. */
export default function AnnotationPage(): ReactNode {
  const { can } = useProject();
  const search = useSearch({ from: '/o/$org/p/$project/annotation' });
  const navigate = useNavigate();
  const [defaultEvaluator] = useState(lastEvaluator);
  const inUrl = search.evaluator ?? defaultEvaluator;
  // The URL changes asynchronously; a click on a verdict must use the new slug before that.
  const [pending, setPending] = useState<string | null>(null);
  if (pending === inUrl) setPending(null);
  const evaluator = pending ?? inUrl;
  const { trace, before, done } = search;
  const at = useMemo<Position | null>(
    () => (trace === undefined || before === undefined ? null : { traceId: trace, startTime: before }),
    [trace, before],
  );
  const go = useCallback(
    (change: Partial<AnnotationSearch>, replace: boolean) =>
      void navigate({ to: '.', search: (now: AnnotationSearch) => ({ ...now, ...change }), replace }),
    [navigate],
  );
  const change = useCallback(
    (next: Partial<AnnotationSearch>) => {
      setPending(null);
      if (next.evaluator !== undefined) rememberEvaluator(next.evaluator);
      go({ ...queueStart, ...next }, true);
    },
    [go],
  );
  const score = (slug: string) => {
    setPending(slug);
    rememberEvaluator(slug);
    go({ evaluator: slug, done: undefined }, true);
  };
  const show = useCallback(
    ({ traceId, startTime }: Position, change: Partial<AnnotationSearch> = {}, replace = false) =>
      go({ ...change, trace: traceId, before: startTime }, replace),
    [go],
  );
  return (
    <Page
      title="Annotation"
      fill
      badges={done !== undefined && <Badge tone="good">{formatExact(Number(done))} scored</Badge>}
      actions={<RangePicker />}
    >
      <QueueToolbar {...{ search, evaluator }} onChange={change} onEvaluator={score} onStyle={(as) => go({ as }, true)} />
      {at === null ? (
        <NextTrace {...{ search, evaluator }} from={null} onFound={(found) => show(found, {}, true)} onChange={change} />
      ) : (
        <QueuedTrace {...{ search, evaluator, at }} mayScore={can('evaluations:manage')} onShow={show} onChange={change} />
      )}
    </Page>
  );
}
