import type { TraceSpan } from '../../api/wire.ts';

/** A field of a span and the attributes that hold the same value. */
export interface MappedField {
  field: string;
  value: string;
  attributes: string[];
}

const fields: ReadonlyArray<[field: string, value: (span: TraceSpan) => unknown]> = [
  ['model', (span) => span.model],
  ['requestModel', (span) => span.requestModel],
  ['provider', (span) => span.provider],
  ['agentName', (span) => span.agentName],
  ['operation', (span) => span.operation],
  ['usage.inputTokens', (span) => span.usage?.inputTokens],
  ['usage.outputTokens', (span) => span.usage?.outputTokens],
  ['usage.cachedTokens', (span) => span.usage?.cachedTokens],
  ['usage.cacheWriteTokens', (span) => span.usage?.cacheWriteTokens],
  ['usage.reasoningTokens', (span) => span.usage?.reasoningTokens],
  ['costUsd', (span) => (span.costStatus === 'provided' ? span.costUsd : null)],
  ['timeToFirstTokenMs', (span) => span.timeToFirstTokenMs],
  ['errorCode', (span) => span.errorCode],
  ['sessionId', (span) => span.sessionId],
  ['userId', (span) => span.userId],
  ['environment', (span) => span.environment],
  ['release', (span) => span.release],
  ['service', (span) => span.service],
  ['promptName', (span) => span.promptName],
  ['promptVersion', (span) => span.promptVersion],
  ['input', (span) => span.input],
  ['output', (span) => span.output],
];

const longest = 120;

function sameText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Several conventions send their values as JSON text. */
function unquoted(text: string): string | null {
  if (!/^[\s]*["[{]/.test(text)) return null;
  try {
    return sameText(JSON.parse(text));
  } catch {
    return null;
  }
}

function attributesOf(span: TraceSpan): Array<[string, unknown]> {
  const entries = (value: unknown) => (typeof value === 'object' && value !== null ? Object.entries(value) : []);
  return [
    ...entries(span.attributes),
    ...entries(span.resourceAttributes).map(([key, value]): [string, unknown] => [`resource ${key}`, value]),
  ];
}

/**
 * Where the fields of a span seem to come from: the service says what it read and keeps every attribute, and those that hold the same
 * value are the likely sources. What was worked out (a cost from prices, an agent's name from the span above) has none.
 */
export function mappedFields(span: TraceSpan): { mapped: MappedField[]; unmapped: string[] } {
  const attributes = attributesOf(span).map(([key, value]): [string, string | null] => [key, sameText(value)]);
  const used = new Set<string>();
  const mapped = fields.flatMap(([field, read]) => {
    const value = sameText(read(span));
    if (value === null) return [];
    const same = attributes
      .filter(([, text]) => text !== null && (text === value || unquoted(text) === value))
      .map(([key]) => key);
    for (const key of same) used.add(key);
    return [{ field, value: value.length > longest ? `${value.slice(0, longest)}…` : value, attributes: same }];
  });
  return { mapped, unmapped: attributes.map(([key]) => key).filter((key) => !used.has(key)) };
}
