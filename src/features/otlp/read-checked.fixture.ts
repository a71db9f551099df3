import { expect } from 'vitest';
import { checkOtlpTraces, readOtlpTraces, type OtlpEncoding, type OtlpReading, type ReadOtlpOptions } from './read-traces.ts';

/** Reads a body, and expects {@link checkOtlpTraces} to give the same counts. */
export function readChecked(body: Buffer, encoding: OtlpEncoding, options: ReadOtlpOptions): OtlpReading {
  const reading = readOtlpTraces(body, encoding, options);
  const { maxScores, scopes, ...check } = checkOtlpTraces(body, encoding, options);
  const { batch, ...counts } = reading;
  expect(check).toEqual(counts);
  expect(batch.scores.length).toBeLessThanOrEqual(maxScores);
  expect(scopes.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(check.accepted);
  expect(scopes.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(check.rejected);
  return reading;
}
