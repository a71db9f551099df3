import { maxSpans, type Rejections } from './read-traces.ts';

/** The `errorMessage` of a partial success: the reasons and the settings to change; `''` when no span was rejected. */
export function rejectionMessage(rejections: Rejections): string {
  const reasons: string[] = [];
  if (rejections.overLimit > 0) {
    reasons.push(
      `${spans(rejections.overLimit)} beyond the first ${maxSpans} of the request rejected: set OTEL_BSP_MAX_EXPORT_BATCH_SIZE ` +
        `(SDK) or send_batch_max_size (collector) to ${maxSpans} or less`,
    );
  }
  if (rejections.invalidId > 0) {
    reasons.push(
      `${spans(rejections.invalidId)} rejected for an invalid trace, span or parent id: send 16 and 8 bytes that are not all zero, ` +
        'as hex in JSON',
    );
  }
  if (rejections.enumNotInteger > 0) {
    reasons.push(
      `${spans(rejections.enumNotInteger)} rejected for an enum that is not an integer: send kind and status code as numbers`,
    );
  }
  if (rejections.timeOutOfRange > 0) {
    reasons.push(
      `${spans(rejections.timeOutOfRange)} rejected for a time out of range: send nanoseconds since 1970, within the plan's retention ` +
        'and at most 24 hours ahead',
    );
  }
  return reasons.length === 0 ? '' : `${reasons.join('; ')}.`;
}

function spans(count: number): string {
  return count === 1 ? '1 span' : `${count} spans`;
}
