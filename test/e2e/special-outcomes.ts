import { hostileTraceId, toolTraceId } from './special-traces.ts';

/** Outcomes of traces that tests open: with and without a value, a success and metadata, and with text that tries to leave its place. */
export function specialOutcomes(endMs: number): object[] {
  const occurredAt = new Date(endMs - 3_600_000).toISOString();
  return [
    {
      traceId: toolTraceId,
      kind: 'trip.booked',
      success: true,
      value: 412.5,
      currency: 'EUR',
      occurredAt,
      metadata: { seats: 2 },
    },
    { traceId: toolTraceId, kind: 'trip.tip', value: 4, currency: 'USD', occurredAt },
    { traceId: toolTraceId, kind: 'refund', success: false, value: -20, currency: 'JPY', occurredAt },
    { traceId: hostileTraceId, kind: 'k'.repeat(64), occurredAt, metadata: { text: '<img src=x>\u202e\u0007 '.repeat(40) } },
  ];
}
