import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EvaluationStatus } from '../../api/parts.ts';
import type { Evaluation } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { Absent, Count, Score, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatExact } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

const statuses: Readonly<Record<EvaluationStatus, readonly [tone: Tone, label: string, hint: string]>> = {
  queued: ['neutral', 'queued', 'Waiting in the queue'],
  running: ['accent', 'running', 'In progress'],
  completed: ['good', 'scored', 'Score recorded'],
  failed: ['bad', 'failed', 'Failed after retries'],
  skipped: ['warn', 'skipped', 'Not evaluated'],
};

/** The status of an evaluation. */
export function StatusBadge({ status }: { status: EvaluationStatus }): ReactNode {
  const [tone, label, hint] = statuses[status];
  return (
    <Badge tone={tone} title={hint}>
      {label}
    </Badge>
  );
}

/** A score with its verdict. */
export function ScoreCell({ score, passed }: { score: number | null; passed: boolean | null }): ReactNode {
  if (score === null) return <Absent why="No score" />;
  return (
    <span className="inline-flex items-center gap-1.5">
      <Score value={score} />
      {passed !== null && <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>}
    </span>
  );
}

/** A link to the evaluated span, trace, session or run item. */
export function TargetLink({ target }: { target: Evaluation['target'] }): ReactNode {
  const { at } = useProject();
  const { traceId, spanId, sessionId, runItemId, datasetId, runId, datasetItemId } = target;
  const look = 'block text-accent hover:underline';
  if (target.type === 'session' && sessionId !== undefined) {
    return (
      <Link {...pages.session(at, sessionId)} className={look}>
        <VisibleLine text={sessionId} />
      </Link>
    );
  }
  if (traceId !== undefined) {
    return (
      <Link {...pages.trace(at, traceId)} search={spanId === undefined ? { view: 'trace' } : { span: spanId }} className={look}>
        <VisibleLine text={spanId === undefined ? traceId : `${spanId} in ${traceId}`} />
      </Link>
    );
  }
  if (datasetId !== undefined && runId !== undefined) {
    return (
      <Link {...pages.datasetRun(at, datasetId, runId)} search={{ item: datasetItemId }} className={look}>
        <VisibleLine text={runItemId ?? runId} />
      </Link>
    );
  }
  return <VisibleLine text={runItemId ?? '–'} className="text-ink-faint" />;
}

/** Tokens and cost of the judge. */
export function UsageCell({ usage }: { usage: Evaluation['usage'] }): ReactNode {
  if (usage === null) return <Absent why="No model used" />;
  return (
    <span title={`${formatExact(usage.inputTokens)} input tokens, ${formatExact(usage.outputTokens)} output tokens`}>
      <Count value={usage.inputTokens + usage.outputTokens} /> <span className="text-ink-faint">·</span>{' '}
      <Usd value={usage.costUsd} />
    </span>
  );
}

/** The comment of a completed evaluation, or else the error. */
export function noteOf({ error, comment, status }: Evaluation): string | null {
  return status === 'completed' ? comment : (error ?? comment);
}
