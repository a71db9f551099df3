import type { z } from 'zod';
import type { traceDetail, traceOutline } from '../../../contract/traces.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';
import { counted, dollars, duration, moment, numberOf } from './figures.ts';

/** A trace as the service answers, with payloads or without. */
export type TraceAnswer = Partial<z.output<typeof traceDetail>> & z.output<typeof traceOutline>;
type Span = TraceAnswer['spans'][number];

/** Characters of a payload that are shown. */
const maxPayload = 4_000;

/** A trace as a tree of its spans with scores and outcomes below it. @param payloads whether inputs and outputs are shown */
export function traceTree(answer: TraceAnswer, paint: Paint, payloads: boolean): string[] {
  const { trace, spans, scores, outcomes, truncated } = answer;
  const guides = guidesOf(spans.map(({ depth }) => depth));
  return [
    paint('bold', `${visible(trace.name ?? trace.traceId)}  ${duration(trace.durationMs)}`),
    paint('dim', factsOf(trace)),
    ...spans.flatMap((span, index) => {
      const { line = '', below = '' } = guides[index] ?? {};
      return [`${paint('dim', line)}${spanLine(span, paint)}`, ...(payloads ? payloadLines(span, below, paint) : [])];
    }),
    ...(truncated === true ? [paint('yellow', 'The trace has more spans than one answer can contain.')] : []),
    ...scores.map(({ evaluator, score, passed, comment }) => {
      const verdict = passed === null ? '' : passed ? ` ${paint('green', 'passed')}` : ` ${paint('red', 'failed')}`;
      return `score ${visible(evaluator)}: ${score}${verdict}${comment === null ? '' : ` ${paint('dim', visible(comment))}`}`;
    }),
    ...outcomes.map(({ kind, value, currency, success }) => {
      const worth = value === null ? '' : ` ${value}${currency === '' ? '' : ` ${visible(currency)}`}`;
      return `outcome ${visible(kind)}:${worth}${success === null ? '' : success ? ' success' : ' no success'}`;
    }),
  ];
}

function factsOf(trace: TraceAnswer['trace']): string {
  return [
    visible(trace.traceId),
    `${moment(trace.startTime)} UTC`,
    trace.status,
    numberOf(trace.spanCount, 'span'),
    `${dollars(trace.costUsd)}${trace.unpricedCalls > 0 ? ` (${numberOf(trace.unpricedCalls, 'call')} without a price)` : ''}`,
    `${counted(trace.inputTokens)} in, ${counted(trace.outputTokens)} out`,
    ...(trace.sessionId === null ? [] : [`session ${visible(trace.sessionId)}`]),
    ...(trace.userId === null ? [] : [`user ${visible(trace.userId)}`]),
    ...(trace.environment === null ? [] : [visible(trace.environment)]),
  ].join('  ');
}

function spanLine(span: Span, paint: Paint): string {
  const { name, kind, model, durationMs, costUsd, usage, status, errorCode, errorMessage } = span;
  const error = [errorCode, errorMessage]
    .flatMap((text) => (text === null || text === undefined ? [] : [visible(text)]))
    .join(': ');
  return [
    visible(name),
    ...(kind === 'span' ? [] : [paint('dim', kind)]),
    ...(model === null || model === undefined ? [] : [visible(model)]),
    duration(durationMs ?? null),
    ...(typeof costUsd === 'number' && costUsd > 0 ? [dollars(costUsd)] : []),
    ...(usage ? [`${counted(usage.inputTokens ?? 0)} in, ${counted(usage.outputTokens ?? 0)} out`] : []),
    ...(status === 'error' ? [paint('red', error === '' ? 'error' : `error ${error}`)] : []),
  ].join('  ');
}

function payloadLines({ input, output }: Span, below: string, paint: Paint): string[] {
  return Object.entries({ input, output }).flatMap(([name, payload]) => {
    if (payload === null || payload === undefined) return [];
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload, null, 2);
    const shown = text.length > maxPayload ? `${text.slice(0, maxPayload)}… (${counted(text.length)} characters)` : text;
    const prefix = paint('dim', `${below}    `);
    return [`${prefix}${paint('dim', `${name}:`)}`, ...shown.split(/\r?\n/).map((line) => `${prefix}  ${visible(line)}`)];
  });
}

/** The lines in front of each span of a tree that is listed depth first, and in front of what stands below it. */
function guidesOf(depths: readonly number[]): Array<{ line: string; below: string }> {
  /** Whether a span at this depth follows before the branch ends, from the last span back. */
  const follows: boolean[] = [];
  return depths
    .toReversed()
    .map((depth) => {
      follows.length = Math.min(follows.length, depth + 1);
      const stems = Array.from({ length: depth }, (_, level) => (follows[level] === true ? '│  ' : '   ')).join('');
      const isLast = follows[depth] !== true;
      follows[depth] = true;
      return { line: `${stems}${isLast ? '└─ ' : '├─ '}`, below: `${stems}${isLast ? '   ' : '│  '}` };
    })
    .toReversed();
}
