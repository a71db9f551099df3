import { expect } from 'vitest';
import { checkOtlpTraces, readOtlpTraces, type OtlpEncoding, type OtlpReading, type ReadOtlpOptions } from './read-traces.ts';

/** Reads a body, and expects {@link checkOtlpTraces} to give the same counts. */
export function readChecked(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpReading {
  const reading = readOtlpTraces(body, encoding, options);
  const { maxScores, ...check } = checkOtlpTraces(body, encoding, options);
  const { batch, ...counts } = reading;
  expect(check).toEqual(counts);
  expect(batch.scores.length).toBeLessThanOrEqual(maxScores);
  return reading;
}
