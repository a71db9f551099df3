import type { FieldOrigin, FieldSource } from '../../../contract/span-mapping.ts';
import { priceSpan } from '../pricing.ts';
import type { SpanRecord } from '../span.ts';
import type { FieldName } from './field-priority.ts';
import { normaliseSpan, resourceFields } from './normalise-span.ts';
import { RecordingView, withoutRepeats, type FoundField } from './recording-view.ts';
import { SharedJson } from './span-extra.ts';
import { spanOutcome } from './span-failure.ts';
import { metadataAttributes } from './span-metadata.ts';
import { spanAsItCame, type SpanAsItCame, type StoredSpan } from './stored-span.ts';

/** A field that has a value, and what filled it. */
export interface MappedField {
  /** As a span's JSON names it (contract section 4); a member of `usage` as `usage.inputTokens`. */
  field: string;
  convention: FieldOrigin;
  attributes: readonly FieldSource[];
  /** The stored value as JSON text. */
  json: string;
}

/** The agent above a span that has no agent name of its own. */
export interface InheritedAgent {
  agentName: string;
  /** The agent's span. */
  spanId: string;
}

type Column = Exclude<keyof StoredSpan, 'attributes' | 'extra' | 'source'>;

interface Field {
  name: string;
  column: Column;
  /** The fields of the conventions that it is taken from: the first that was found. */
  from: readonly FieldName[];
}

const field = (column: Column & FieldName, from: readonly FieldName[] = [column]): Field => ({ name: column, column, from });
const count = (column: Column & FieldName): Field => ({ name: `usage.${column}`, column, from: [column] });

/** How the record's columns come from the fields of the conventions (`normaliseSpan`). */
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
  field('input'),
  field('output'),
  { name: 'metadata', column: 'metadata', from: [] },
];

type Found = (name: FieldName) => FoundField | undefined;
type Origin = Omit<MappedField, 'field' | 'json'>;

const unknown: Origin = { convention: 'unknown', attributes: [] };

/**
 * Which convention filled which field of a stored span, from which attributes. Worked out when it is asked for: the conventions that
 * read a span when it arrives read it once more, from the attributes as they are stored. Where they come to something else than what
 * is stored (a resource that another span keeps, a value that JSON does not hold, conventions of an earlier release), the field's
 * convention is `unknown`. Empty fields are left out. Pure.
 *
 * @param inherited the agent that the span takes its name from, null when it has its own or there is none
 */
export function mapSpan(stored: StoredSpan, inherited: InheritedAgent | null): MappedField[] {
  const explain = stored.source === 'native' ? nativeOrigins(stored) : otlpOrigins(stored);
  return fields.flatMap((one) => {
    if (one.name === 'agentName' && stored.agentName === '' && inherited !== null) {
      const attributes: FieldSource[] = [{ in: 'ancestor', key: inherited.spanId }];
      return [{ field: one.name, convention: 'inherited' as const, attributes, json: JSON.stringify(inherited.agentName) }];
    }
    const value = stored[one.column];
    if (isEmpty(value)) return [];
    const isJson = one.column === 'input' || one.column === 'output' || one.column === 'metadata';
    return [{ field: one.name, ...explain(one), json: isJson ? String(value) : JSON.stringify(value) }];
  });
}

function isEmpty(value: StoredSpan[Column]): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A native event says its fields by their names; what an event may leave out and still have is not told apart. */
function nativeOrigins(stored: StoredSpan): (one: Field) => Origin {
  const sent = (name: string): FieldSource => ({ in: 'field', key: name });
  return ({ name, column }) => {
    if (column === 'costUsd' && stored.costStatus === 'priced') {
      const used = fields.filter((one) => /^(?:model|provider|usage\..*)$/.test(one.name) && !isEmpty(stored[one.column]));
      return { convention: 'priced', attributes: used.map((one) => sent(one.name)) };
    }
    const mayBeDefault =
      (column === 'kind' && stored.kind === 'span') || (column === 'errorCode' && stored.errorCode === 'unknown');
    return mayBeDefault ? unknown : { convention: 'native', attributes: [sent(name)] };
  };
}

function otlpOrigins(stored: StoredSpan): (one: Field) => Origin {
  const came = spanAsItCame(stored);
  const resource = new RecordingView();
  resource.look(came.resource, null);
  const surroundings = { ...resourceFields(resource), scopeName: '', resource: new SharedJson(''), scope: new SharedJson('') };
  const view = new RecordingView();
  giveStatus(came, stored, view);
  const read = normaliseSpan(came.span, surroundings, view);
  const found: Found = (name) => view.found.get(name) ?? resource.found.get(name);
  return (one) => {
    if (one.column === 'costUsd' && stored.costStatus === 'priced') return priced(stored, found);
    if (!sameValue(read[one.column], stored[one.column])) return unknown;
    if (one.column === 'metadata') return metadataOrigin(came);
    const from = one.from.map(found).find((candidate) => candidate !== undefined);
    if (from === undefined) return derived(one.column, found);
    const added = one.column === 'inputTokens' && from.value !== stored.inputTokens ? cacheSources(found) : [];
    return { convention: from.convention, attributes: withoutRepeats([...from.sources, ...added]) };
  };
}

/**
 * Of a span's status only what was made of it is stored. The status that explains the most of it is taken: none where attributes and
 * events say it all, a code, then a code with the message.
 */
function giveStatus({ span }: SpanAsItCame, stored: StoredSpan, view: RecordingView): void {
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
    view.look(span.attributes, span);
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

function cacheSources(found: Found): FieldSource[] {
  return sourcesOf(found, 'cachedTokens', 'cacheWriteTokens', 'cacheOutsideInput');
}

/** By the table, from the model and what it used; from the requested model where the table does not know the one that answered. */
function priced(stored: StoredSpan, found: Found): Origin {
  const failed = stored.status === 'error';
  const answered = { ...stored, requestModel: '', startMs: Number(stored.startNs) / 1e6, providedCostUsd: null, failed };
  const byAnswer = found('responseModel') !== undefined && priceSpan(answered).costStatus === 'priced';
  const models = byAnswer ? (['responseModel'] as const) : (['requestModel'] as const);
  const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;
  return { convention: 'priced', attributes: sourcesOf(found, ...models, 'provider', ...counts) };
}

function metadataOrigin({ span }: SpanAsItCame): Origin {
  const read = metadataAttributes(span.attributes);
  const attributes = read.map(({ attribute }): FieldSource => ({ in: 'span', key: attribute }));
  return { convention: read[0]?.convention ?? 'unknown', attributes: withoutRepeats(attributes) };
}

/** What no attribute says is worked out from what others say, or is the default. */
function derived(column: Column, found: Found): Origin {
  switch (column) {
    case 'status':
      // Not failed, and yet there: the sender said so.
      return { convention: 'otel', attributes: [{ in: 'field', key: 'status.code' }] };
    case 'kind':
      return { convention: 'derived', attributes: sourcesOf(found, 'responseModel', 'requestModel').slice(0, 1) };
    case 'operation':
      return { convention: 'derived', attributes: sourcesOf(found, 'kind') };
    case 'agentName':
      return { convention: 'derived', attributes: [{ in: 'field', key: 'name' }] };
    default:
      return { convention: 'derived', attributes: [] };
  }
}
