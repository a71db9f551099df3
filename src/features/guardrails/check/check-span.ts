import type { CheckOutcome } from '../../../../packages/guardrails/src/index.ts';
import { blankSpan } from '../../records/index.ts';
import type { SpanRecord } from '../../records/index.ts';

interface CheckedInTrace {
  checkId: string;
  traceId: string;
  parentSpanId?: string | undefined;
  environment?: string | undefined;
  /** When the check ended, epoch milliseconds. */
  nowMs: number;
  latencyMs: number;
}

/**
 * The span of a check in a trace. It holds nothing of the text: the reason of a judge may quote it and is left out, and the other reasons and the labels
 * come from the configuration.
 */
export function checkSpan(
  { action, results }: Pick<CheckOutcome, 'action' | 'results'>,
  { checkId, traceId, parentSpanId = '', environment = '', nowMs, latencyMs }: CheckedInTrace,
): SpanRecord {
  const endNs = BigInt(nowMs) * 1_000_000n;
  const shown = results.map((result) => (result.type === 'llm_judge' && !result.failed ? { ...result, reason: null } : result));
  return {
    ...blankSpan,
    traceId,
    spanId: checkId,
    parentSpanId,
    name: 'guardrail check',
    kind: 'guardrail',
    startNs: endNs - BigInt(Math.round(latencyMs * 1_000_000)),
    endNs,
    status: 'ok',
    environment,
    output: JSON.stringify({ action, results: shown }),
  };
}
