import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeLogRecord } from '../../../../src/features/trace-store/log/log-record.ts';
import { scanSegment, segmentIdOf } from '../../../../src/platform/wal/segment-format.ts';
import { toolEvaluator } from '../event-load.ts';
import type { Ledger } from '../ledger.ts';
import type { Random } from '../random.ts';
import { withSubject } from '../round.ts';
import type { Round } from '../round.ts';

const patienceMs = 6_000;

/**
 * Kills the process before a batch, so that only the log holds the acknowledged events, and flips bits in the log's segments. A damaged request may
 * be lost, but only whole, and must be in quarantine; all others are kept.
 */
export const flipRound: Round = (given) =>
  withSubject(given, {}, async (subject) => {
    const { random } = given;
    await subject.start({ SPANWISE_FAILPOINT: `hours-marked:${random.whole(1, 3)}` });
    subject.load({ persistent: false });
    await subject.ends(patienceMs);
    await subject.kill();
    const log = join(subject.dataDirectory, 'wal');
    const flips = random.whole(1, 3);
    const faults: string[] = [];
    let flipped = 0;
    for (let flip = 0; flip < flips; flip++) flipped += Number(flipBit(log, random, subject.ledger));
    await subject.start();
    faults.push(...(await subject.verify()), ...(await subject.end()));
    const kept = quarantined(log);
    if (flipped > 0 && kept.length === 0) faults.push('the damage was not found: quarantine is empty');
    if (flipped > 0 && !subject.printed.includes('damaged bytes of the write-ahead log were moved to quarantine'))
      faults.push('the damage was not logged');
    if (flipped === 0 && kept.length > 0) faults.push(`nothing was damaged, and ${kept.join()} is in quarantine`);
    return { what: `${flipped} bits, ${kept.length} ranges in quarantine`, times: flipped, faults };
  });

function quarantined(log: string): string[] {
  try {
    return readdirSync(join(log, 'quarantine'));
  } catch {
    return [];
  }
}

/** Flips a bit of a segment with records; returns false when there is no such segment. Marks the outcome of damaged requests as unknown. */
function flipBit(log: string, random: Random, ledger: Ledger): boolean {
  const segments = readdirSync(log).flatMap((name) => {
    const id = segmentIdOf(name);
    const bytes = readFileSync(join(log, name));
    return id !== null && scanSegment(bytes, id).records.length > 0 ? [{ path: join(log, name), id, bytes }] : [];
  });
  if (segments.length === 0) return false;
  const { path, id, bytes } = random.pick(segments);
  const before = scanSegment(bytes, id).records.map(textOf);
  const at = random.whole(0, bytes.length - 1);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.whole(0, 7));
  const after = new Set(scanSegment(bytes, id).records.map(textOf));
  const hit = before.filter((text) => !after.has(text));
  // The bit is in at most one record; losing more is a bug of the reader.
  if (hit.length > 1) throw new Error(`one flipped bit at ${at} lost ${hit.length} records`);
  for (const entry of [...ledger.traces.values()].flat())
    if (hit.some((text) => text.includes(entry.spans[0]?.name ?? ''))) entry.outcome = 'unknown';
  for (const sent of ledger.outcomes) if (hit.some((text) => text.includes(sent.kind))) sent.outcome = 'unknown';
  for (const [kind, keyed] of ledger.keyedOutcomes)
    if (hit.some((text) => text.includes(kind)))
      keyed.allowed = [null, ...Array.from({ length: ledger.requests }, (_, index) => index + 1)];
  for (const text of hit.filter((one) => one.includes(toolEvaluator)))
    for (const { spanId } of [...ledger.traces.values()].flat().flatMap(({ spans }) => spans))
      if (text.includes(spanId)) ledger.lostEvaluations.add(spanId);
  writeFileSync(path, bytes);
  return true;
}

/** The content of a record as text with the names of its spans. */
function textOf(bytes: Uint8Array): string {
  const record = decodeLogRecord(bytes);
  if ('rows' in record) return Buffer.from(bytes).toString('latin1');
  const { body, contentEncoding } = record.otlp;
  return (contentEncoding === 'gzip' ? gunzipSync(body) : Buffer.from(body)).toString('latin1');
}
