import { bytesOf } from '../../platform/budgets/index.ts';
import type { ByteBudget } from '../../platform/budgets/index.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { Inflater } from '../../platform/inflate/index.ts';
import { TokenBuckets } from '../../platform/rate-limit/index.ts';
import type { RateLimit } from '../../platform/rate-limit/index.ts';
import type { OtlpEncoding, ReadOtlpOptions } from '../otlp/index.ts';
import { noOwnPrices } from '../pricing/index.ts';
import type { OwnPrices } from '../pricing/index.ts';
import type { ScoresFeature } from '../scores/index.ts';
import type { IngestPipeline, SearchProgress, UsageStore } from '../trace-store/index.ts';
import { BodyReader } from './body-reader.ts';
import type { ClientDelivery } from './clients/client-delivery.ts';
import { defaultLimits } from './ingest-limits.ts';
import type { IngestLimits } from './ingest-limits.ts';
import { Quota } from './quota.ts';
import { Rejections } from './rejections.ts';
import { RepeatedBodies } from './repeated-bodies.ts';

/** Dependencies of the ingestion routes. */
export interface IngestContext {
  clock: Clock;
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'recentEvents'>;
  /** The project's own prices, by which a request that arrives now is priced. Never rejects. */
  ownPrices(projectId: string): Promise<OwnPrices>;
  /** What would be stored of an inflated OTLP body, as JSON text. Errors: `invalid_request` when it cannot be decoded. */
  previewSpans(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): Promise<string>;
  /** See {@link ScoresFeature}. */
  replaceScore: ScoresFeature['replaceScore'];
  /** How far texts of spans that an earlier release stored are copied for searches; null when all are. */
  searchProgress(projectId: string): Promise<SearchProgress | null>;
  quota: Quota;
  /** A bucket per key, shared by the two endpoints. */
  buckets: RateLimit;
  limits: IngestLimits;
  budget: ByteBudget;
  inflater: Inflater;
  reader: BodyReader;
  bodies: RepeatedBodies;
  rejections: Rejections;
  clients: ClientDelivery;
}

/** What the ingestion routes need of other features. */
export type IngestContextPorts = Pick<IngestContext, 'ownPrices' | 'previewSpans' | 'replaceScore' | 'searchProgress'>;

const noPorts: IngestContextPorts = {
  ownPrices: () => Promise.resolve(noOwnPrices),
  previewSpans: () => Promise.reject(new Error('there are no previews')),
  replaceScore: () => Promise.resolve(false),
  searchProgress: () => Promise.resolve(null),
};

export interface IngestContextOptions {
  pipeline: IngestPipeline;
  usage: Pick<UsageStore, 'eventsOfMonth' | 'recentEvents'>;
  clock: Clock;
  /** Default: the published ones. */
  limits?: IngestLimits;
  /** Of the size `limits.rate`; by default in memory. */
  buckets?: RateLimit;
  clients: ClientDelivery;
  ports?: IngestContextPorts;
}

/** The context over a pipeline. */
export function ingestContext({
  pipeline,
  usage,
  clock,
  clients,
  limits = defaultLimits,
  buckets = new TokenBuckets({ ...limits.rate, clock }),
  ports = noPorts,
}: IngestContextOptions): IngestContext {
  return {
    clock,
    ...ports,
    pipeline,
    usage,
    quota: new Quota(usage, pipeline, clock),
    buckets,
    limits,
    // Whatever the operator sets, one body fits in.
    budget: bytesOf('ingestBodies', limits.wireBytes + 2 * limits.inflatedBytes),
    inflater: new Inflater(limits.inflatedBytes),
    reader: new BodyReader(),
    bodies: new RepeatedBodies(clock),
    rejections: new Rejections(clock),
    clients,
  };
}
