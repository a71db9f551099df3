import type { BucketSize } from '../../platform/rate-limit/index.ts';
import { mostInflatedBytes } from '../trace-store/index.ts';

const mebibyte = 1_048_576;
/** A body inflates to as many times its largest size. */
const inflation = 16;

/** What the operator may raise (docs/semantics.md, "Body limits" and "Rate limit"). */
export interface IngestSettings {
  /** Mebibytes of a body as sent: `SPANWISE_MAX_REQUEST_MIB`, 1 to 64. */
  maxRequestMiB: number;
  /** Requests a minute of one API key: `SPANWISE_INGEST_RATE`, 300 to 100,000. */
  ingestRate: number;
}

export interface IngestLimits {
  /** Bytes of a body as sent. */
  wireBytes: number;
  /** Bytes of a body after decompression. */
  inflatedBytes: number;
  /** Requests of one API key. */
  rate: BucketSize;
}

export function ingestLimits({ maxRequestMiB, ingestRate }: IngestSettings): IngestLimits {
  return {
    wireBytes: maxRequestMiB * mebibyte,
    inflatedBytes: Math.min(maxRequestMiB * inflation * mebibyte, mostInflatedBytes),
    rate: { capacity: ingestRate, refillPerSecond: ingestRate / 60 },
  };
}

/** The published limits. */
export const defaultLimits = ingestLimits({ maxRequestMiB: 1, ingestRate: 300 });
