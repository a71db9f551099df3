import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { IngestPipeline, WrittenSpans } from '../ingest/index.ts';
import { deleteExpiredEvaluations } from './delete-expired-evaluations.ts';
import { queueLimits, QueueSignal } from './evaluation-context.ts';
import type { EvaluationContext, QueueContext, QueueLimits, RunItems } from './evaluation-context.ts';
import { forgetTrace } from './forget-trace.ts';
import type { Measures } from './measures.ts';
import { queueWritten } from './online/queue-written.ts';
import { ProjectEvaluators } from './project-evaluators.ts';
import { queueRunItems } from './queue-run-items.ts';
import { EvaluationRunner } from './queue/evaluation-runner.ts';
import { completeSessions } from './sessions/complete-sessions.ts';
import type { EvaluationDb } from './tables.ts';

interface QueueInput {
  postgres: Pick<Postgres, 'db' | 'mode'>;
  clickhouse: ClickHouse;
  clock: Clock;
  limits?: QueueLimits;
}

/** The side of evaluation that ingestion and dataset runs add to. Opened before them. */
export class EvaluationQueue {
  readonly context: QueueContext;
  /** This process alone uses the database. */
  readonly alone: boolean;

  constructor({ postgres, clickhouse, clock, limits = queueLimits }: QueueInput) {
    const db = postgres.db as unknown as EvaluationDb;
    this.alone = postgres.mode === 'embedded';
    this.context = { db, clock, clickhouse, limits, evaluators: new ProjectEvaluators(db, clock), signal: new QueueSignal() };
  }

  /** For the pipeline: see {@link queueWritten}. */
  readonly onWritten = (projects: readonly WrittenSpans[]): Promise<void> => queueWritten(this.context, projects);

  /** For the pipeline: whether a project has evaluators that look at what arrives. */
  readonly wanted = async (projectId: string): Promise<boolean> => {
    const project = await this.context.evaluators.of(projectId);
    return project?.evaluators.some((evaluator) => evaluator.enabled) ?? false;
  };

  /** For the pipeline: thresholds from which a score has passed, by evaluator. */
  readonly passThresholds = (projectId: string): Promise<ReadonlyMap<string, number>> =>
    this.context.evaluators.passThresholds(projectId);

  /** For the pipeline, when a trace was deleted: see {@link forgetTrace}. */
  readonly onTraceDeleted = (projectId: string, traceId: string): Promise<void> => forgetTrace(this.context, projectId, traceId);

  /** For dataset runs: see {@link queueRunItems}. */
  readonly onRunItemsAdded = (
    transaction: Parameters<typeof queueRunItems>[1],
    tenant: { projectId: string },
    runItemIds: readonly string[],
  ): Promise<void> => queueRunItems(this.context, transaction, tenant, runItemIds);
}

interface EvaluationInput {
  pipeline: Pick<IngestPipeline, 'accept'>;
  measures: Pick<Measures, 'measure' | 'checkedConfig' | 'hasConnection'>;
  runItems: RunItems;
  /** Told of what is no failure of an evaluator. */
  onError(error: unknown): void;
}

/** The side of evaluation that runs what was queued. Opened after the pipeline. */
export class Evaluation {
  readonly context: EvaluationContext;
  readonly #runner: EvaluationRunner;

  constructor(queue: EvaluationQueue, { pipeline, measures, runItems, onError }: EvaluationInput) {
    this.context = { ...queue.context, pipeline, measures, runItems };
    this.#runner = new EvaluationRunner(this.context, { alone: queue.alone, onError });
  }

  /** Runs queued evaluations from now on, in this process. */
  start(): void {
    this.#runner.start();
  }

  /** Runs everything that is due now; where {@link start} was not called. @returns pieces of work done */
  runPending(): Promise<number> {
    return this.#runner.runPending();
  }

  /** The job that looks for sessions that have fallen silent. @returns completions */
  completeSessions(): Promise<number> {
    return completeSessions(this.context);
  }

  /** The job that deletes what is older than the retention. */
  deleteExpired(projects: ReadonlyArray<{ projectId: string; plan: Plan }>, signal?: AbortSignal): Promise<void> {
    return deleteExpiredEvaluations(this.context, projects, signal);
  }

  /** Takes no more, and lets what runs come to its end for some seconds. What is left runs after the next start. */
  stop(): Promise<void> {
    return this.#runner.stop();
  }
}
