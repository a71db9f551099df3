import type { Plan } from '../../contract/plans.ts';
import type { ListedSpan } from '../../contract/spans.ts';
import type { ListedTrace, ListTracesQuery } from '../../contract/traces.ts';
import type { Feature, Platform } from '../../platform/feature/index.ts';
import type { Tenant } from '../../platform/http/index.ts';
import type { OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import type { IngestPipeline, SearchPort } from '../trace-store/index.ts';
import type { Views, WithView } from '../views/index.ts';
import type { TracesContext } from './traces-context.ts';
import { deleteExpired } from './delete-expired.ts';
import type { ExpiredRows } from './delete-expired.ts';
import { matchingIds } from './records/matching-ids.ts';
import type { RecordIds, RecordsQuery } from './records/matching-ids.ts';
import { readListedTraces, readSpansOfList, spanPayloads, tracePayloads } from './records/read-records.ts';
import type { RecordPayloads } from './records/read-records.ts';
import { getSpanTexts } from './get-span-texts.ts';
import type { SpanTexts } from './get-span-texts.ts';
import { getTracePart } from './get-trace-part.ts';
import type { TracePart } from './get-trace-part.ts';
import { listTraces } from './list-traces.ts';
import { hasTrace, openTrace } from './open-trace.ts';
import type { OpenedTrace } from './open-trace.ts';
import { traceRoutes } from './routes.ts';
import { recordRows } from './rows/record-rows.ts';
import type { RecordRows, RowsAsked } from './rows/record-rows.ts';
import { SpanMapper } from './span-mapper.ts';
import { idsOfUser } from './users/ids-of-user.ts';

export interface TracesPorts {
  pipeline: Pick<IngestPipeline, 'deleteTrace'>;
  outcomesOfTrace: TracesContext['outcomesOfTrace'];
  ownPrices: TracesContext['ownPrices'];
  views: Views;
  search: SearchPort;
  /** Every project with the plan of its organization. */
  projectPlans(): Promise<ReadonlyArray<{ organizationId: string; projectId: string; plan: Plan }>>;
  /** Called before expired rows are deleted. */
  onExpired(expired: readonly ExpiredRows[]): Promise<void>;
}

/** Many traces or spans by their ids, for exports and other work on selections. */
export interface TraceRecords {
  /** See {@link matchingIds}. */
  matching(tenant: Reading, query: RecordsQuery, most: number): AsyncIterable<RecordIds[]>;
  /** See {@link readListedTraces}. */
  listedTraces(tenant: Reading, traceIds: readonly string[]): Promise<Map<string, ListedTrace>>;
  /** See {@link readSpansOfList}. */
  listedSpans(tenant: Reading, ids: readonly RecordIds[]): Promise<ListedSpan[]>;
  /** See {@link tracePayloads}. */
  tracePayloads(tenant: Reading, traceIds: readonly string[]): AsyncIterable<Array<RecordIds & RecordPayloads>>;
  /** See {@link spanPayloads}. */
  spanPayloads(tenant: Reading, ids: readonly RecordIds[]): AsyncIterable<Array<RecordIds & RecordPayloads>>;
}

type Reading = Pick<Tenant, 'projectId' | 'plan'>;

export interface TracesFeature extends Feature {
  records: TraceRecords;
  /** See {@link idsOfUser}. */
  idsOfUser(tenant: Reading, userId: string): AsyncGenerator<string[]>;
  /** See {@link recordRows}. */
  recordRows(tenant: Reading, asked: RowsAsked): Promise<RecordRows>;
  /** See {@link listTraces}. */
  listTraces(tenant: Tenant, query: WithView<ListTracesQuery>): ReturnType<typeof listTraces>;
  /** See {@link getTracePart}. */
  getTracePart(tenant: Tenant, traceId: string, part: Parameters<typeof getTracePart>[3]): Promise<TracePart>;
  /** See {@link getSpanTexts}. */
  getSpanTexts(tenant: Tenant, traceId: string, spanId: string): Promise<SpanTexts>;
  /** See {@link hasTrace}. */
  hasTrace(tenant: Tenant, traceId: string): Promise<boolean>;
  /** See {@link openTrace}. */
  openTrace(tenant: Tenant, traceId: string, payloads: boolean): Promise<OpenedTrace>;
  /** What would be stored of an OTLP body, as JSON text. Errors: `invalid_request` when it cannot be decoded. */
  previewSpans(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): Promise<string>;
}

const retentionEveryMs = 60 * 60_000;

/** Reads and deletes traces and sessions; a job deletes expired records. */
export function open(
  { postgres, clickhouse, clock }: Pick<Platform, 'postgres' | 'clickhouse' | 'clock'>,
  { pipeline, outcomesOfTrace, ownPrices, search, views, projectPlans, onExpired }: TracesPorts,
): TracesFeature {
  const mapper = new SpanMapper();
  const retention = { clickhouse, clock, postgres: postgres.db, projects: projectPlans, onExpired };
  const context = { clickhouse, clock, pipeline, outcomesOfTrace, ownPrices, search, mapper, views };
  return {
    records: {
      matching: (tenant, query, most) => matchingIds(context, tenant, query, most),
      listedTraces: (tenant, traceIds) => readListedTraces(context, tenant, traceIds),
      listedSpans: (tenant, ids) => readSpansOfList(context, tenant, ids),
      tracePayloads: (tenant, traceIds) => tracePayloads(context, tenant, traceIds),
      spanPayloads: (tenant, ids) => spanPayloads(context, tenant, ids),
    },
    idsOfUser: (tenant, userId) => idsOfUser(context, tenant, userId),
    recordRows: (tenant, asked) => recordRows(context, tenant, asked),
    listTraces: (tenant, query) => listTraces(context, tenant, query),
    getTracePart: (tenant, traceId, part) => getTracePart(context, tenant, traceId, part),
    getSpanTexts: (tenant, traceId, spanId) => getSpanTexts(context, tenant, traceId, spanId),
    hasTrace: (tenant, traceId) => hasTrace(context, tenant, traceId),
    openTrace: (tenant, traceId, payloads) => openTrace(context, tenant, traceId, payloads),
    previewSpans: (body, encoding, options) => mapper.preview(body, encoding, options),
    routes: (server) => traceRoutes(server, context),
    jobs: [
      {
        name: 'retention',
        everyMs: retentionEveryMs,
        changes: ['clickhouse', 'postgres'],
        run: (signal) => deleteExpired(retention, signal),
      },
    ],
    close: () => mapper.close(),
  };
}
