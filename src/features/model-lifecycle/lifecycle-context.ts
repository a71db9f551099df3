import type { Plan } from '../../contract/plans.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Finding } from '../../contract/model-lifecycle.ts';
import type { CalledModel } from '../models/index.ts';
import type { Database, Transaction } from '../../platform/postgres/index.ts';

/** A project, as a scan needs it. */
export interface ScannedProject {
  projectId: string;
  plan: Plan;
}

/** Dependencies of the verbs. */
export interface LifecycleContext {
  db: Database;
  clock: Clock;
  /** The models that a project called since a time in epoch milliseconds. */
  calledModels(project: ScannedProject, sinceMs: number): Promise<CalledModel[]>;
  /** Announces raised findings, in the transaction of the scan. */
  raised(transaction: Transaction, projectId: string, findings: readonly Finding[]): Promise<void>;
  /** Starts to send what a committed scan announced. */
  wake(): void;
}
