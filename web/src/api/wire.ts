import type { z } from 'zod';
import type * as identity from '../../../src/contract/identity.ts';
import type * as ingest from '../../../src/contract/ingest.ts';
import type * as models from '../../../src/contract/models.ts';
import type * as traces from '../../../src/contract/traces.ts';

// The answers of the service, as its schemas describe them: types alone, nothing of the contract is in the bundle.
export type { RangeName } from '../../../src/contract/common.ts';
export type { ErrorDetail } from '../../../src/contract/errors.ts';
export type { SpanKind } from '../../../src/contract/kinds.ts';
export type {
  FrontierPoint,
  ModelDetail,
  ModelList,
  ModelSummary,
  QualityBlock,
  TimelinePoint,
} from '../../../src/contract/models.ts';
export type { Permission, Role } from '../../../src/contract/permissions.ts';
export type { Plan } from '../../../src/contract/plans.ts';
export type { Score, Session, TraceSort, TraceSpan, TraceSummary } from '../../../src/contract/traces.ts';

export type CurrentSession = z.output<typeof identity.currentSession>;
export type Member = z.output<typeof identity.member>;
export type MemberPage = z.output<typeof identity.memberPage>;
export type MemberCreated = z.output<typeof identity.memberCreated>;
export type ApiKey = z.output<typeof identity.apiKey>;
export type ApiKeyPage = z.output<typeof identity.apiKeyPage>;
export type ApiKeyCreated = z.output<typeof identity.apiKeyCreated>;
export type RotatedKey = z.output<typeof identity.rotated>;
export type Token = z.output<typeof identity.token>;
export type TokenPage = z.output<typeof identity.tokenPage>;
export type TokenCreated = z.output<typeof identity.tokenCreated>;
export type Project = z.output<typeof identity.project>;
export type IngestHealth = z.output<typeof ingest.ingestHealth>;
export type ListedModel = z.output<typeof models.modelList>['models'][number];
export type TracePage = z.output<typeof traces.tracePage>;
export type TraceDetail = z.output<typeof traces.traceDetail>;
export type SessionPage = z.output<typeof traces.sessionPage>;
export type SessionDetail = z.output<typeof traces.sessionDetail>;
/** What the list of traces takes, as it is sent. */
export type ListTracesQuery = Partial<z.input<typeof traces.listTracesQuery>>;
export type ListSessionsQuery = Partial<z.input<typeof traces.listSessionsQuery>>;
