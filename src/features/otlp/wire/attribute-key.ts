import { fieldNames, fieldPriority } from './field-priority.ts';

/** An attribute's name with values that are computed once for each name. */
export interface AttributeKey {
  readonly name: string;
  /** The name as it begins a member of a JSON object: `"name":`. */
  readonly json: string;
  /** The index of this attribute in a {@link SpanView}; -1 when no field is read from it. */
  readonly slot: number;
  /** The name without the prefix of a convention's metadata attributes, `''` when it has none of these prefixes. */
  readonly metadataName: string;
}

/** Prefixes of attributes that hold the application's metadata, each with its convention. */
const metadataPrefixes: ReadonlyArray<readonly [prefix: string, convention: string]> = [
  ['langfuse.metadata.', 'langfuse'],
  ['langfuse.observation.metadata.', 'langfuse'],
  ['langfuse.trace.metadata.', 'langfuse'],
  ['langsmith.metadata.', 'langsmith'],
  ['traceloop.association.properties.', 'traceloop'],
  ['ai.telemetry.metadata.', 'vercel-ai'],
];

/** The same, for prefixes under which attributes that fill a field are no metadata. */
const otherMetadataPrefixes: typeof metadataPrefixes = [
  ['ai.settings.context.', 'vercel-ai'],
  ['lmnr.association.properties.metadata.', 'laminar'],
  ['mastra.metadata.', 'mastra'],
];

/** Single attributes that are metadata: what precedes the name, and the convention. */
const metadataAttributes: ReadonlyMap<string, readonly [prefix: string, convention: string]> = new Map([
  ['gcp.vertex.agent.invocation_id', ['gcp.vertex.agent.', 'google-adk']],
]);

/** Matches numbered attributes, which share the slot of `prefix.*`. */
const numbered = /^(.+?)\.\d+(?:\.|$)/;

const slots = new Map<string, number>();
for (const attributes of Object.values(fieldPriority)) {
  for (const name of attributes) if (!slots.has(name)) slots.set(name, slots.size);
}

/** The fields that are read from each slot, as indices of `fieldNames`. */
export const slotFields: readonly (readonly number[])[] = [...slots.keys()].map((name) =>
  fieldNames.flatMap((field, index) => ((fieldPriority[field] as readonly string[]).includes(name) ? [index] : [])),
);

/** The number of slots. */
export const slotCount = slots.size;

/** The slot of a name of `fieldPriority`; -1 for other names. */
export function slotOf(name: string): number {
  return slots.get(name) ?? -1;
}

const maxCachedNames = 8192;
const maxCachedNameLength = 256;
const knownKeys = new Map<string, AttributeKey>();
let otherKeys = new Map<string, AttributeKey>();

/** The key of a name, cached. */
export function attributeKey(name: string): AttributeKey {
  const found = knownKeys.get(name) ?? otherKeys.get(name);
  if (found !== undefined) return found;
  const key = makeKey(name);
  if (name.length <= maxCachedNameLength) {
    // Clients choose names freely: a full cache is cleared.
    if (otherKeys.size >= maxCachedNames) otherKeys = new Map();
    otherKeys.set(name, key);
  }
  return key;
}

function makeKey(name: string): AttributeKey {
  const list = numbered.exec(name)?.[1];
  const slot = slots.get(name) ?? (list === undefined ? -1 : slotOf(`${list}.*`));
  const prefix = metadataPrefix(name)?.[0];
  return {
    name,
    json: `${JSON.stringify(name)}:`,
    slot,
    metadataName: prefix === undefined ? '' : name.slice(prefix.length),
  };
}

/** The metadata prefix that a name starts with, and its convention; undefined when there is none. */
export function metadataPrefix(name: string): readonly [prefix: string, convention: string] | undefined {
  const matches = ([prefix]: readonly [string, string]): boolean => name.startsWith(prefix);
  return (
    metadataPrefixes.find(matches) ??
    (slots.has(name) ? undefined : otherMetadataPrefixes.find(matches)) ??
    metadataAttributes.get(name)
  );
}

for (const name of slots.keys()) knownKeys.set(name, makeKey(name));
