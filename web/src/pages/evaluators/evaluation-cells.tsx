import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { EvaluationRecord, EvaluationStatus } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import type { Tone } from '../../design/badge.tsx';
import { Absent, Count, Usd } from '../../design/figures.tsx';
import { VisibleLine } from '../../design/visible.tsx';
import { formatScore } from '../../format/number-format.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';

const tones: Readonly<Record<EvaluationStatus, Tone>> = {
  queued: 'neutral',
  running: 'accent',
  completed: 'good',
  failed: 'bad',
  skipped: 'warn',
};

/** How far a run of an evaluator has come. */
export function StatusBadge({ status }: { status: EvaluationStatus }): ReactNode {
  return <Badge tone={tones[status]}>{status}</Badge>;
}

/** The score, and whether it has passed. */
export function ScoreCell({ score, passed }: { score: number | null; passed: boolean | null }): ReactNode {
  if (score === null) return <Absent why="It has no score" />;
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="numbers">{formatScore(score)}</span>
      {passed !== null && <Badge tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'failed'}</Badge>}
    </span>
  );
}

/** What was evaluated, and the way to it. */
export function TargetLink({ target }: { target: EvaluationRecord['target'] }): ReactNode {
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
      <Link {...pages.trace(at, traceId)} search={spanId === undefined ? {} : { span: spanId }} className={look}>
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

/** What the judge itself used. */
export function UsageCell({ usage }: { usage: EvaluationRecord['usage'] }): ReactNode {
  if (usage === null) return <Absent why="No model was asked" />;
  return (
    <span title={`${usage.inputTokens} tokens in, ${usage.outputTokens} out`}>
      <Count value={usage.inputTokens + usage.outputTokens} /> <span className="text-ink-faint">·</span>{' '}
      <Usd value={usage.costUsd} />
    </span>
  );
}

/** Why it failed or skipped, or what the evaluator says of its score. */
export function saidOf({ error, comment, status }: EvaluationRecord): string | null {
  return status === 'completed' ? comment : (error ?? comment);
}
