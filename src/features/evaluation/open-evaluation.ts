import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { ClickHouse } from '../../platform/clickhouse/index.ts';
import type { QueueMetrics } from '../../platform/jobs/leased-queue/index.ts';
import type { Postgres } from '../../platform/postgres/index.ts';
import type { IngestPipeline, WrittenSpans } from '../trace-store/index.ts';
import { deleteExpiredEvaluations } from './delete-expired-evaluations.ts';
import { queueLimits, QueueSignal } from './evaluation-context.ts';
import type { EvaluationContext, QueueContext, QueueLimits, RunItems, ScenariosOfEvaluator } from './evaluation-context.ts';
import { forgetSessions, forgetTraces } from './forget-trace.ts';
import type { Measures } from './measures.ts';
import { queueWritten } from './online/queue-written.ts';
import { evaluateRootless } from './online/rootless-traces.ts';
import { ProjectEvaluators } from './project-evaluators.ts';
import { queueRunItems } from './queue-run-items.ts';
import { openEvaluationJobs } from './queue/evaluation-jobs.ts';
import { openEvaluationWorkers } from './queue/evaluation-workers.ts';
import type { EvaluationWorkers } from './queue/evaluation-workers.ts';
import { completeSessions } from './sessions/complete-sessions.ts';

interface QueueInput {
  postgres: Pick<Postgres, 'db' | 'mode'>;
  clickhouse: ClickHouse;
  clock: Clock;
  limits?: QueueLimits;
  metrics?: QueueMetrics;
  /** 0 up to 1, excluded; the jitter of retries. */
  random?: () => number;
}

/** Queues evaluations: the part that ingestion and dataset runs use. Opened before them. */
export class EvaluationQueue {
  readonly context: QueueContext;
  /** No other process uses the database. */
  readonly alone: boolean;

  constructor({ postgres, clickhouse, clock, limits = queueLimits, ...jobsOptions }: QueueInput) {
    const db = postgres.db;
    this.alone = postgres.mode === 'embedded';
    const evaluators = new ProjectEvaluators(db, clock);
    const jobs = openEvaluationJobs({ db, clock, ...jobsOptions });
    this.context = { db, clock, clickhouse, limits, evaluators, jobs, signal: new QueueSignal() };
  }

  /** The span consumer; see {@link queueWritten}. */
  readonly onWritten = (projects: readonly WrittenSpans[]): Promise<void> => queueWritten(this.context, projects);

  /** Whether the span consumer has work in a project. */
  readonly wanted = async (projectId: string): Promise<boolean> => {
    const project = await this.context.evaluators.of(projectId);
    return project?.evaluators.some((evaluator) => evaluator.enabled) ?? false;
  };

  /** Pass thresholds of a project's evaluators by slug. */
  readonly passThresholds = (projectId: string): Promise<ReadonlyMap<string, number>> =>
    this.context.evaluators.passThresholds(projectId);

  /** For deleted traces; see {@link forgetTraces}. */
  readonly onTracesDeleted = (projectId: string, traceIds: readonly string[]): Promise<void> =>
    forgetTraces(this.context, projectId, traceIds);

  /** For all data of a user; see {@link forgetSessions}. */
  readonly forgetSessions = (projectId: string, sessionIds: readonly string[]): Promise<void> =>
    forgetSessions(this.context, projectId, sessionIds);

  /** For dataset runs; see {@link queueRunItems}. */
  readonly onRunItemsAdded = (
    transaction: Parameters<typeof queueRunItems>[1],
    tenant: { projectId: string },
    runItemIds: readonly string[],
  ): Promise<void> => queueRunItems(this.context, transaction, tenant, runItemIds);
}

interface EvaluationInput {
  pipeline: Pick<IngestPipeline, 'accept'>;
  measures: Pick<Measures, 'measure' | 'checkedConfig'>;
  runItems: RunItems;
  /** Default: none. */
  scenariosOfEvaluator?: ScenariosOfEvaluator;
  /** Called with errors other than failed evaluations. */
  onError(error: unknown): void;
}

/** Runs queued evaluations. Opened after the pipeline. */
export class Evaluation {
  readonly context: EvaluationContext;
  readonly #workers: EvaluationWorkers;

  constructor(
    queue: EvaluationQueue,
    { pipeline, measures, runItems, scenariosOfEvaluator = async () => [], onError }: EvaluationInput,
  ) {
    this.context = { ...queue.context, pipeline, measures, runItems, scenariosOfEvaluator };
    this.#workers = openEvaluationWorkers(this.context, { alone: queue.alone, onError });
  }

  /** Starts the workers of this process. */
  start(): void {
    this.#workers.start();
  }

  /** Runs every evaluation that is due now; instead of {@link start}. @returns batches and single runs */
  runPending(): Promise<number> {
    return this.#workers.runPending();
  }

  /** Completes idle sessions; see {@link completeSessions}. @returns completions */
  completeSessions(): Promise<number> {
    return completeSessions(this.context);
  }

  /** See {@link evaluateRootless}. @returns traces that were looked at */
  evaluateRootless(signal?: AbortSignal): Promise<number> {
    return evaluateRootless(this.context, signal);
  }

  /** See {@link deleteExpiredEvaluations}. */
  deleteExpired(projects: ReadonlyArray<{ projectId: string; plan: Plan }>, signal?: AbortSignal): Promise<void> {
    return deleteExpiredEvaluations(this.context, projects, signal);
  }

  /** Stops claiming, waits some seconds for running evaluations, and releases the rest. */
  stop(): Promise<void> {
    return this.#workers.stop();
  }
}
