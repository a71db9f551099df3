import { expect } from 'vitest';
import { checkOtlpTraces, readOtlpTraces, type OtlpEncoding, type OtlpReading, type ReadOtlpOptions } from './ingest-otlp.ts';

/** Reads a body, having looked that the check before the acknowledgement judges it alike. */
export function readChecked(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpReading {
  const reading = readOtlpTraces(body, encoding, options);
  const { mostScores, ...check } = checkOtlpTraces(body, encoding, options);
  const { batch, ...judged } = reading;
  expect(check).toEqual(judged);
  expect(batch.scores.length).toBeLessThanOrEqual(mostScores);
  return reading;
}
