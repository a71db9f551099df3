import type { FieldSource } from '../../../contract/span-mapping.ts';
import { noOwnPrices, pricedModel } from '../../pricing/index.ts';
import type { OwnPrices } from '../../pricing/index.ts';
import { operationIn } from '../../records/index.ts';
import type { SpanRecord } from '../../records/index.ts';
import type { FieldName } from '../wire/field-priority.ts';
import { normaliseSpan, resourceFields } from './normalise-span.ts';
import { RecordingView, withoutRepeats, type FoundField } from './recording-view.ts';
import { SharedJson } from './span-extra.ts';
import { metadataAttributes } from './span-metadata.ts';
import { spanOutcome } from './span-outcome.ts';
import { restoreSpan, type RestoredSpan, type StoredSpan } from './stored-span.ts';

/** A field with a value, and the source of the value: docs/semantics.md, "Field mapping". */
export interface MappedField {
  /** Its name in the JSON of a span; a member of `usage` as `usage.inputTokens`. */
  field: string;
  /** The name of a convention, or one of `fieldOrigins`. */
  convention: string;
  attributes: readonly FieldSource[];
  /** The stored value as JSON text. */
  json: string;
}

/** The agent name of a span that was sent without one. */
export interface InheritedAgent {
  agentName: string;
  /** The id of the ancestor's span; null for an agent that has the name of its own span. */
  spanId: string | null;
}

type Column = Exclude<keyof StoredSpan, 'attributes' | 'extra' | 'source'>;

interface Field {
  name: string;
  column: Column;
  /** Fields of the conventions in order of precedence; the first that was found fills the column. */
  from: readonly FieldName[];
}

const field = (column: Column & FieldName, from: readonly FieldName[] = [column]): Field => ({ name: column, column, from });
const count = (column: Column & FieldName): Field => ({ name: `usage.${column}`, column, from: [column] });

/** The fields of the conventions from which `normaliseSpan` fills each column. */
const fields: readonly Field[] = [
  field('kind'),
  { name: 'model', column: 'model', from: ['responseModel', 'requestModel'] },
  field('requestModel'),
  field('provider'),
  field('agentName'),
  field('operation'),
  count('inputTokens'),
  count('outputTokens'),
  count('cachedTokens'),
  count('cacheWriteTokens'),
  count('reasoningTokens'),
  { name: 'usage.details', column: 'usageDetails', from: ['tokenClasses'] },
  field('costUsd'),
  field('timeToFirstTokenMs'),
  { name: 'status', column: 'status', from: ['failed'] },
  field('errorCode'),
  field('errorMessage'),
  field('sessionId'),
  field('userId'),
  field('environment'),
  field('release'),
  field('service'),
  field('tags'),
  field('promptName'),
  field('promptVersion'),
  { name: 'input', column: 'input', from: ['input', 'systemInstructions'] },
  field('output'),
  { name: 'metadata', column: 'metadata', from: [] },
];

/** The fields of the conventions that may be added to the value of a column. */
const addedTo: Partial<Record<Column, readonly FieldName[]>> = {
  input: ['systemInstructions'],
  inputTokens: ['cachedTokens', 'cacheWriteTokens', 'cacheOutsideInput'],
  outputTokens: ['reasoningTokens', 'reasoningOutsideOutput', 'totalTokens'],
};

type Found = (name: FieldName) => FoundField | undefined;
type Origin = Omit<MappedField, 'field' | 'json'>;

const unknown: Origin = { convention: 'unknown', attributes: [] };

/**
 * Which convention filled each non-empty field of a stored span, from which attributes. The conventions read the stored attributes
 * again. Where the result differs from the stored value (resource attributes stored with another span, a value that JSON cannot
 * hold, conventions of an earlier release), the field's convention is `unknown`. Pure.
 *
 * @param inherited the ancestor whose agent name the span inherits, null when it has a name or there is no such ancestor
 * @param own the project's own prices
 */
export function mapSpan(stored: StoredSpan, inherited: InheritedAgent | null, own: OwnPrices = noOwnPrices): MappedField[] {
  const explain = stored.source === 'native' ? nativeOrigins(stored) : otlpOrigins(stored, own);
  return fields.flatMap((one) => {
    if (one.name === 'agentName' && stored.agentName === '' && inherited !== null) {
      const json = JSON.stringify(inherited.agentName);
      if (inherited.spanId === null)
        return [{ field: one.name, convention: 'derived', attributes: [{ in: 'field', key: 'name' }], json }];
      return [{ field: one.name, convention: 'inherited', attributes: [{ in: 'ancestor', key: inherited.spanId }], json }];
    }
    const value = one.column === 'operation' ? operationIn(stored) : stored[one.column];
    if (isEmpty(value)) return [];
    const isJson = jsonColumns.has(one.column);
    const isNumber = one.column === 'promptVersion' && stored.promptVersionType === 'number';
    return [{ field: one.name, ...explain(one), json: isJson || isNumber ? String(value) : JSON.stringify(value) }];
  });
}

/** Columns of JSON text. */
const jsonColumns: ReadonlySet<Column> = new Set<Column>(['input', 'output', 'metadata', 'usageDetails']);

function isPriced({ costStatus }: StoredSpan): boolean {
  return costStatus === 'priced' || costStatus === 'partly_priced';
}

function isEmpty(value: StoredSpan[Column]): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Origins of a native event's fields. A value that may be a default has the origin `unknown`. */
function nativeOrigins(stored: StoredSpan): (one: Field) => Origin {
  const sent = (name: string): FieldSource => ({ in: 'field', key: name });
  return ({ name, column }) => {
    if (column === 'costUsd' && isPriced(stored)) {
      const used = fields.filter((one) => /^(?:model|provider|usage\..*)$/.test(one.name) && !isEmpty(stored[one.column]));
      return { convention: 'priced', attributes: used.map((one) => sent(one.name)) };
    }
    const mayBeDefault =
      (column === 'kind' && stored.kind === 'span') || (column === 'errorCode' && stored.errorCode === 'unknown');
    if (mayBeDefault) return unknown;
    const source: FieldSource = name === 'service' ? { in: 'span', key: 'service.name' } : sent(name);
    return { convention: 'native', attributes: [source] };
  };
}

function otlpOrigins(stored: StoredSpan, ownPrices: OwnPrices): (one: Field) => Origin {
  const restored = restoreSpan(stored);
  const resource = new RecordingView();
  resource.reset(restored.resource, null);
  const shared = {
    ...resourceFields(resource),
    scopeName: restored.scopeName,
    resource: new SharedJson(''),
    scope: new SharedJson(''),
    ownPrices,
  };
  const view = new RecordingView();
  restoreStatus(restored, stored, view);
  const read = normaliseSpan(restored.span, shared, view);
  const found: Found = (name) => view.found.get(name) ?? resource.found.get(name);
  return (one) => {
    if (one.column === 'costUsd' && isPriced(stored)) return priced(stored, found, ownPrices);
    if (!sameValue(read[one.column], stored[one.column])) return unknown;
    if (one.column === 'metadata') return metadataOrigin(restored);
    const from = one.from.map(found).find((candidate) => candidate !== undefined);
    if (from === undefined) return derived(one.column, found);
    const added = from.value === stored[one.column] ? [] : sourcesOf(found, ...(addedTo[one.column] ?? []));
    return { convention: from.convention, attributes: withoutRepeats([...from.sources, ...added]) };
  };
}

/**
 * Sets a status that leads to the stored status, error code and message. Statuses are tried in this order: unset, with a code, with a
 * message, with both. The status as sent is not stored.
 */
function restoreStatus({ span, scopeName }: RestoredSpan, stored: StoredSpan, view: RecordingView): void {
  const statuses =
    stored.status === 'error'
      ? [
          { statusCode: 0, statusMessage: '' },
          { statusCode: 2, statusMessage: '' },
          { statusCode: 0, statusMessage: stored.errorMessage },
          { statusCode: 2, statusMessage: stored.errorMessage },
        ]
      : [{ statusCode: stored.status === 'ok' ? 1 : 0, statusMessage: '' }];
  for (const status of statuses) {
    Object.assign(span, status);
    view.reset(span.attributes, span, scopeName);
    const { status: outcome, errorCode, errorMessage } = spanOutcome(span, view);
    if (outcome === stored.status && errorCode === stored.errorCode && errorMessage === stored.errorMessage) return;
  }
}

function sameValue(read: SpanRecord[Column], stored: StoredSpan[Column]): boolean {
  return Array.isArray(read) ? JSON.stringify(read) === JSON.stringify(stored) : read === stored;
}

function sourcesOf(found: Found, ...names: readonly FieldName[]): FieldSource[] {
  return withoutRepeats(names.flatMap((name) => found(name)?.sources ?? []));
}

/** Origin of a cost by a price: the response model where it has one, otherwise the requested one, and the tokens. */
function priced(stored: StoredSpan, found: Found, own: OwnPrices): Origin {
  const price = { ...stored, startMs: Number(stored.startNs) / 1e6, providedCostUsd: null, failed: stored.status === 'error' };
  const byResponseModel = found('responseModel') !== undefined && pricedModel(price, own) === 'model';
  const models = byResponseModel ? (['responseModel'] as const) : (['requestModel'] as const);
  const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens', 'tokenClasses'] as const;
  return { convention: 'priced', attributes: sourcesOf(found, ...models, 'provider', ...counts) };
}

function metadataOrigin({ span }: RestoredSpan): Origin {
  const read = metadataAttributes(span.attributes);
  const attributes = read.map(({ attribute }): FieldSource => ({ in: 'span', key: attribute }));
  return { convention: read[0]?.convention ?? 'unknown', attributes: withoutRepeats(attributes) };
}

/** Origin of a value that no attribute of the field determines: it is derived from other fields, or a default. */
function derived(column: Column, found: Found): Origin {
  switch (column) {
    case 'status':
      // `ok` is set by the status code only.
      return { convention: 'otel', attributes: [{ in: 'field', key: 'status.code' }] };
    case 'kind':
      return { convention: 'derived', attributes: sourcesOf(found, 'responseModel', 'requestModel').slice(0, 1) };
    case 'provider':
      // Of the model in the price table.
      return { convention: 'derived', attributes: sourcesOf(found, 'responseModel', 'requestModel').slice(0, 1) };
    case 'operation':
      return { convention: 'derived', attributes: sourcesOf(found, 'kind') };
    default:
      return { convention: 'derived', attributes: [] };
  }
}
