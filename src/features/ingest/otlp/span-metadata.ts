import type { ConventionName } from '../../../contract/span-mapping.ts';
import { attributeKey, metadataPrefix } from './attribute-key.ts';
import { KeyValueList, valueJson, type Attributes, type AttributeValue } from './attribute.ts';
import type { ReadAttribute } from './convention.ts';
import { isRecord, jsonText, parseJson } from './parse-json.ts';

/** Attributes that hold free metadata as a whole JSON object. */
const wholeObjects: ReadonlyMap<string, ConventionName> = new Map([
  ['metadata', 'openinference'],
  ['langfuse.observation.metadata', 'langfuse'],
  ['langfuse.trace.metadata', 'langfuse'],
]);

/**
 * The application's own metadata, from wherever its convention puts it, as JSON text of one object; `''` for none. A name
 * that comes twice keeps its first value.
 */
export function spanMetadata(attributes: Attributes): string {
  let members: Map<string, string> | undefined;
  for (const { key, value } of attributes) {
    if (value === null) continue;
    if (key.metadataName !== '') {
      members ??= new Map();
      if (!members.has(key.metadataName)) members.set(key.metadataName, valueJson(value));
    } else if (wholeObjects.has(key.name)) {
      members ??= new Map();
      addObject(members, value);
    }
  }
  if (members === undefined || members.size === 0) return '';
  return `{${[...members].map(([name, json]) => attributeKey(name).json + json).join(',')}}`;
}

/** Which attributes {@link spanMetadata} gathers, each with its convention. */
export function metadataAttributes(attributes: Attributes): ReadAttribute[] {
  const found: ReadAttribute[] = [];
  for (const { key, value } of attributes) {
    const convention = key.metadataName === '' ? wholeObjects.get(key.name) : metadataPrefix(key.name)?.[1];
    if (value !== null && convention !== undefined) found.push({ convention, attribute: key.name });
  }
  return found;
}

function addObject(members: Map<string, string>, value: AttributeValue): void {
  const json = value instanceof KeyValueList ? valueJson(value) : value;
  const parsed = typeof json === 'string' ? parseJson(json) : undefined;
  if (!isRecord(parsed)) return;
  for (const [name, member] of Object.entries(parsed)) {
    const text = members.has(name) ? undefined : jsonText(member);
    if (text !== undefined) members.set(name, text);
  }
}
