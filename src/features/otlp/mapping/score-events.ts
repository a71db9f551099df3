import { createHash } from 'node:crypto';
import { maxAmount } from '../../../contract/ingest.ts';
import { cutText } from '../../../platform/text/index.ts';
import { countsAsItIs, noScore } from '../../records/index.ts';
import type { ScoreRecord, SpanRecord } from '../../records/index.ts';
import { labelOf, numberOf } from '../readers/attribute-readers.ts';
import { attributesJson, findValue, type AttributeValue } from '../wire/attribute.ts';
import type { OtlpEvent } from '../wire/model.ts';

const maxCommentLength = 16_384;
/** Labels that determine `passed`; with any other label it stays null. */
const verdicts: ReadonlyMap<string, boolean> = new Map([
  ['pass', true],
  ['passed', true],
  ['fail', false],
  ['failed', false],
]);

const scoreAttributes = new Set([
  'gen_ai.evaluation.name',
  'gen_ai.evaluation.score.value',
  'gen_ai.evaluation.score.label',
  'gen_ai.evaluation.explanation',
]);

/** Bounds in epoch milliseconds for a score's own time; outside of them the span's start is used. */
export interface ScoreTimes {
  oldestMs: number;
  newestMs: number;
}

const eventName = 'gen_ai.evaluation.result';

/** The most scores that {@link scoreEvents} can return for these events. */
export function maxScoresOf(events: readonly OtlpEvent[]): number {
  return events.reduce((count, { name }) => count + Number(name === eventName), 0);
}

/** The scores in a span's `gen_ai.evaluation.result` events: docs/semantics.md, "Scores in OTLP spans". */
export function scoreEvents(events: readonly OtlpEvent[], span: SpanRecord, times: ScoreTimes): ScoreRecord[] {
  const scores: ScoreRecord[] = [];
  for (const [index, event] of events.entries()) {
    if (event.name !== eventName) continue;
    const score = scoreOf(event, index, span, times);
    if (score !== undefined) scores.push(score);
  }
  return scores;
}

function scoreOf(event: OtlpEvent, index: number, span: SpanRecord, times: ScoreTimes): ScoreRecord | undefined {
  const evaluator = labelOf(findValue(event.attributes, 'gen_ai.evaluation.name'));
  const label = labelOf(findValue(event.attributes, 'gen_ai.evaluation.score.label')) ?? '';
  const passed = verdicts.get(label.toLowerCase()) ?? null;
  const score =
    scoreValue(findValue(event.attributes, 'gen_ai.evaluation.score.value')) ?? (passed === null ? noScore : Number(passed));
  if (evaluator === undefined || (Number.isNaN(score) && label === '')) return undefined;
  const comment = findValue(event.attributes, 'gen_ai.evaluation.explanation');
  const timeMs = Math.floor(Number(event.timeNs) / 1e6);
  const inRange = timeMs >= times.oldestMs && timeMs <= times.newestMs;
  return {
    scoreId: scoreId([span.traceId, span.spanId, evaluator, String(event.timeNs), String(index)]),
    traceId: span.traceId,
    spanId: span.spanId,
    sessionId: '',
    evaluator,
    score,
    passed,
    label,
    comment: typeof comment === 'string' ? cutText(comment, maxCommentLength) : '',
    model: '',
    timestampMs: inRange ? timeMs : Math.floor(Number(span.startNs) / 1e6),
    source: 'otlp',
    metadata: restOf(event),
    ...countsAsItIs,
  };
}

/** A score's number: may be negative; a boolean is 0 or 1. */
function scoreValue(value: AttributeValue | undefined): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number') return Math.abs(value) <= maxAmount ? value : undefined;
  if (typeof value === 'string' && value.startsWith('-')) {
    const positive = numberOf(value.slice(1));
    return positive === undefined ? undefined : -positive;
  }
  return numberOf(value);
}

/** The event's other attributes (such as `gen_ai.response.id`) as JSON text. */
function restOf(event: OtlpEvent): string {
  return attributesJson(event.attributes.filter((attribute) => !scoreAttributes.has(attribute.key.name)));
}

/** A UUID of version 8, derived from a hash: a span that is sent again replaces its scores (docs/semantics.md, "Replacement by id"). */
function scoreId(parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(hash.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
