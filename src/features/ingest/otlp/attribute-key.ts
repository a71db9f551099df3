import type { ConventionName } from '../../../contract/span-mapping.ts';
import { fieldPriority } from './field-priority.ts';

/** An attribute's name with what is worked out once for it, not once per span. */
export interface AttributeKey {
  readonly name: string;
  /** The name as the member of a JSON object: `"name":`. */
  readonly json: string;
  /** Where a span's value of this attribute is put to be found again; -1 when no field is taken from it. */
  readonly slot: number;
  /** The name without the prefix of a convention's free metadata, `''` when it is none. */
  readonly metadataName: string;
}

/** Attributes of these prefixes are the application's own metadata; with the convention that says so. */
const metadataPrefixes: ReadonlyArray<readonly [prefix: string, convention: ConventionName]> = [
  ['langfuse.observation.metadata.', 'langfuse'],
  ['langfuse.trace.metadata.', 'langfuse'],
  ['langsmith.metadata.', 'langsmith'],
  ['traceloop.association.properties.', 'traceloop'],
  ['ai.telemetry.metadata.', 'vercel-ai'],
];

/** Stand for the numbered attributes of a list and for the span's events in `fieldPriority`. */
const numbered = /^(.+?)\.\d+(?:\.|$)/;

const slots = new Map<string, number>();
for (const attributes of Object.values(fieldPriority)) {
  for (const name of attributes) if (!slots.has(name)) slots.set(name, slots.size);
}

/** How many slots a span's values need. */
export const slotCount = slots.size;

/** The slot of a name of `fieldPriority`. */
export function slotOf(name: string): number {
  return slots.get(name) ?? -1;
}

const mostCachedNames = 8192;
const longestCachedName = 256;
const knownKeys = new Map<string, AttributeKey>();
let otherKeys = new Map<string, AttributeKey>();

/** The key of a name; the same object for names that keep coming. */
export function attributeKey(name: string): AttributeKey {
  const found = knownKeys.get(name) ?? otherKeys.get(name);
  if (found !== undefined) return found;
  const key = makeKey(name);
  if (name.length <= longestCachedName) {
    // Clients choose names freely, so the cache starts over rather than growing.
    if (otherKeys.size >= mostCachedNames) otherKeys = new Map();
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

/** The prefix of free metadata that a name starts with, and the convention that has it. */
export function metadataPrefix(name: string): readonly [prefix: string, convention: ConventionName] | undefined {
  return metadataPrefixes.find(([prefix]) => name.startsWith(prefix));
}

for (const name of slots.keys()) knownKeys.set(name, makeKey(name));
