import type { RawBuilder } from 'kysely';
import type { AuditKind } from '../../../contract/audit.ts';
import type { Tenant } from '../../../platform/http/index.ts';
import type { AuditTimes } from '../../audit/index.ts';
import type { GuardrailsFeature } from '../../guardrails/index.ts';
import type { ModelsFeature } from '../../models/index.ts';
import type { EvidenceRecord } from './population.ts';
import type { Transaction } from '../../../platform/postgres/index.ts';

/** What a pack is about. */
export interface PackScope extends Tenant, AuditTimes {
  /** When the pack is made, epoch milliseconds. */
  nowMs: number;
}

interface Described {
  /** What the records are and what they cannot show; sentences. */
  description: string;
  /** Names the order of the population. */
  order: string;
  /** `end`: the state at the end of the range; `retained`: what of the range the plan's retention keeps; otherwise the whole range. */
  covers?: 'end' | 'retained';
}

/** Entries of the audit log of these kinds. */
export interface AuditSource extends Described {
  from: 'audit';
  /** null: every kind. */
  kinds: readonly AuditKind[] | null;
}

/** Rows of PostgreSQL, read through a cursor in the pack's snapshot. */
export interface RowSource extends Described {
  from: 'rows';
  query(scope: PackScope): RawBuilder<Record<string, unknown>>;
}

/** Records that are read whole in the pack's snapshot; bounded by their number. */
export interface SnapshotSource extends Described {
  from: 'snapshot';
  read(transaction: Transaction, scope: PackScope): Promise<readonly EvidenceRecord[]>;
}

/** Figures that other features read from ClickHouse. */
export interface EvidencePorts {
  activityOf: GuardrailsFeature['activityOf'];
  /** How many of those checks applications reported with an API key. */
  reportedOf: GuardrailsFeature['reportedOf'];
  calledModels: ModelsFeature['calledModels'];
}

/** Records of a port, which bounds their number. They are of the moment at which they are read, not of the snapshot. */
export interface PortSource extends Described {
  from: 'port';
  read(ports: EvidencePorts, scope: PackScope): Promise<readonly EvidenceRecord[]>;
}

export type EvidenceSource = AuditSource | RowSource | SnapshotSource | PortSource;
