import type { Plan } from '../../contract/plans.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { ModelClient } from '../model-connections/index.ts';
import type { IngestPipeline, TraceHooks } from '../trace-store/index.ts';
import { OutputEvaluation } from './evaluate-output.ts';
import { evaluateStored, evaluatorsToRun } from './evaluate-stored.ts';
import type { StoredEvaluation } from './evaluate-stored.ts';
import type { EvaluationContext, RunItems, ScenariosOfEvaluator } from './evaluation-context.ts';
import { Evaluation, EvaluationQueue } from './open-evaluation.ts';
import { openMeasures } from './open-measures.ts';
import { rootlessCheckMs } from './online/rootless-traces.ts';
import { evaluationRoutes } from './routes.ts';
import { scaleEarlierScores } from './scale-earlier-scores.ts';
import type { ScaleEarlierScoresOptions } from './scale-earlier-scores.ts';
import { sessionCheckMs } from './sessions/complete-sessions.ts';

export interface EvaluationPorts {
  pipeline: Pick<IngestPipeline, 'accept' | 'drain'>;
  setScoreScale: ScaleEarlierScoresOptions['setScoreScale'];
  models: Pick<ModelClient, 'askModel' | 'findConnection'>;
  runItems: RunItems;
  scenariosOfEvaluator: ScenariosOfEvaluator;
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ projectId: string; plan: Plan }>>;
}

export interface EvaluationFeature
  extends
    Feature,
    TraceHooks,
    Pick<EvaluationQueue, 'onRunItemsAdded' | 'passThresholds'>,
    Pick<Evaluation, 'completeSessions' | 'evaluateRootless' | 'deleteExpired' | 'runPending'> {
  context: EvaluationContext;
  /** Evaluators over stored records, for jobs. */
  stored: {
    /** See {@link evaluatorsToRun}. */
    evaluators(projectId: string, slugs: readonly string[]): Promise<string[]>;
    /** See {@link evaluateStored}. */
    evaluate(evaluation: StoredEvaluation): Promise<Map<string, string>>;
  };
  /** Runs evaluators on outputs without the queue. */
  outputs: OutputEvaluation;
  /** To be called at the start, once the pipeline runs; see {@link scaleEarlierScores}. Never rejects: a job repeats it. */
  scaleEarlierScores(): Promise<void>;
}

const retentionEveryMs = 60 * 60_000;
const scalesEveryMs = 10 * 60_000;

/** Evaluators and their runs on arriving spans, finished traces, idle sessions and items of dataset runs. */
export function open(
  { postgres, clickhouse, clock, metrics, log }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock' | 'metrics' | 'log'>,
  { pipeline, setScoreScale, models, runItems, scenariosOfEvaluator, projectPlans }: EvaluationPorts,
): EvaluationFeature {
  const queue = new EvaluationQueue({ postgres, clickhouse, clock, metrics: metrics.queues.of('evaluations') });
  const measuring = openMeasures({ models });
  const evaluation = new Evaluation(queue, {
    pipeline,
    measures: measuring.measures,
    runItems,
    scenariosOfEvaluator,
    onError: (error) => {
      metrics.jobErrors.inc({ job: 'evaluations' });
      log.error({ err: error }, 'an evaluation failed for a reason that is not its own');
    },
  });
  const { context } = evaluation;
  const completeSessions = () => evaluation.completeSessions();
  const rootless: Evaluation['evaluateRootless'] = (signal) => evaluation.evaluateRootless(signal);
  const deleteExpired: Evaluation['deleteExpired'] = (projects, signal) => evaluation.deleteExpired(projects, signal);
  const scale = () => scaleEarlierScores({ db: context.db, clock, setScoreScale });
  return {
    context,
    stored: {
      evaluators: (projectId, slugs) => evaluatorsToRun(context, projectId, slugs),
      evaluate: (stored) => evaluateStored({ ...context, pipeline }, stored),
    },
    outputs: new OutputEvaluation(context),
    scaleEarlierScores: () =>
      scale().catch((error: unknown) =>
        log.error({ err: error }, 'scores of an earlier release could not be given their scales'),
      ),
    completeSessions,
    evaluateRootless: rootless,
    deleteExpired,
    runPending: () => evaluation.runPending(),
    onRunItemsAdded: queue.onRunItemsAdded,
    passThresholds: queue.passThresholds,
    onSpansWritten: { name: 'evaluation', wanted: queue.wanted, run: queue.onWritten },
    onTracesDeleted: queue.onTracesDeleted,
    forgetMadeFrom: ({ projectId }, { sessionIds }) => queue.forgetSessions(projectId, sessionIds),
    routes: (server) => evaluationRoutes(server, context),
    jobs: [
      { name: 'scale-earlier-scores', everyMs: scalesEveryMs, changes: ['clickhouse', 'postgres'], run: scale },
      { name: 'complete-sessions', everyMs: sessionCheckMs, changes: ['postgres'], run: completeSessions },
      { name: 'evaluate-rootless-traces', everyMs: rootlessCheckMs, changes: ['postgres'], run: rootless },
      {
        name: 'evaluation-retention',
        everyMs: retentionEveryMs,
        changes: ['postgres'],
        run: async (signal) => deleteExpired(await projectPlans(), signal),
      },
    ],
    startWorkers: () => evaluation.start(),
    close: async () => {
      await evaluation.stop();
      await measuring.close();
    },
  };
}
