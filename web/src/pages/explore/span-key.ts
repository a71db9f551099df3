interface SpanRef {
  traceId: string;
  spanId: string;
}

/** The key of a span among those of a project: ids may contain any character. */
export function spanKey({ traceId, spanId }: SpanRef): string {
  return JSON.stringify([traceId, spanId]);
}

/** The inverse of {@link spanKey}. */
export function spanOfKey(key: string): SpanRef {
  const [traceId = '', spanId = ''] = JSON.parse(key) as string[];
  return { traceId, spanId };
}
