import type { AlertType } from '../../../contract/alerts.ts';
import type { ClickHouse } from '../../../platform/clickhouse/index.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { ModelClient } from '../../model-connections/index.ts';
import type { PromptsFeature } from '../../prompts/index.ts';
import type { ProposalJobs } from './proposal-jobs.ts';
import type { Database } from '../../../platform/postgres/index.ts';

/** What a proposal needs to know of an incident. */
export interface ProposedIncident {
  id: string;
  ruleName: string;
  type: AlertType;
  summary: string;
  /** The worst first. */
  sampleTraceIds: readonly string[];
  value: number | null;
  threshold: number | null;
  scope: string | null;
  environment: string | null;
}

export interface FixProposalsPorts {
  /** Errors: `not_found`. */
  incidentOf(projectId: string, incidentId: string): Promise<ProposedIncident>;
  models: Pick<ModelClient, 'askModel' | 'findConnection' | 'findConnectionNamed' | 'soleConnection'>;
  prompts: Pick<PromptsFeature, 'createProposal' | 'findVersion'>;
}

/** Dependencies of the verbs. */
export interface FixProposalsContext extends FixProposalsPorts {
  db: Database;
  clickhouse: ClickHouse;
  clock: Clock;
  jobs: ProposalJobs;
  /** Runs queued proposals now, in this process. */
  wake(): void;
}
