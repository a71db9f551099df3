import type { Clock } from '../../platform/clock/clock.ts';
import type { SecretBox } from '../../platform/crypto/secret-box.ts';
import type { HttpClient } from '../../platform/net/index.ts';
import type { OutputEvaluation } from '../evaluation/index.ts';
import type { ModelClient } from '../model-connections/index.ts';
import type { PromptsFeature } from '../prompts/index.ts';
import type { IngestPipeline } from '../trace-store/index.ts';
import type { BatchRunQueue } from './batch-runs/run-queue.ts';
import type { GateStatistics } from './gate/gate-statistics.ts';
import type { RunningRuns } from './running/running-runs.ts';
import type { OutputReader } from './targets/output-reader.ts';
import type { TargetModels } from './targets/prompt-target.ts';
import type { Database } from '../../platform/postgres/index.ts';

/** What simulations need of other features. */
export interface SimulationsPorts {
  pipeline: Pick<IngestPipeline, 'accept'>;
  outputs: Pick<OutputEvaluation, 'asksModels' | 'evaluate' | 'fuzzyMatches'>;
  models: TargetModels & Pick<ModelClient, 'findConnectionNamed'>;
  prompts: Pick<PromptsFeature, 'resolvedVersion'>;
  /** The URL of a project's pages in the dashboard. */
  pagesOf(projectId: string): Promise<string>;
}

/** Dependencies of the verbs. */
export interface SimulationsContext extends SimulationsPorts {
  db: Database;
  clock: Clock;
  /** For secret headers; the owner of a sealed text is the scenario's id. */
  box: SecretBox;
  /** Connects to public addresses alone. */
  http: Pick<HttpClient, 'checkUrl' | 'request'>;
  outputReader: Pick<OutputReader, 'output' | 'areEqual'>;
  queue: BatchRunQueue;
  running: RunningRuns;
  statistics: Pick<GateStatistics, 'compare'>;
  /** Called after a batch run was queued. */
  wake(): void;
}
