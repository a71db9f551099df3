import { isRecord } from '../../../platform/json/index.ts';
import { isJsonStructure } from '../readers/is-json-structure.ts';
import { jsonText, parseJson } from '../readers/parse-json.ts';
import type { ConventionAttribute } from '../readers/span-view.ts';
import { attributeKey, metadataPrefix } from '../wire/attribute-key.ts';
import { KeyValueList, valueJson, type Attributes, type AttributeValue, type PresentValue } from '../wire/attribute.ts';

/** Attributes that hold the application's metadata as one JSON object, with their conventions. */
const wholeObjects: ReadonlyMap<string, string> = new Map([
  ['spanwise.metadata', 'spanwise'],
  ['metadata', 'openinference'],
  ['langfuse.observation.metadata', 'langfuse'],
  ['langfuse.trace.metadata', 'langfuse'],
  ['langfuse.metadata', 'langfuse'],
  ['metadata.requester_metadata', 'litellm'],
]);

/** The application's metadata from all conventions as the JSON text of one object; `''` for none. The first value of a name wins. */
export function spanMetadata(attributes: Attributes): string {
  let members: Map<string, string> | undefined;
  for (const { key, value } of attributes) {
    if (value === null) continue;
    if (key.metadataName !== '') {
      members ??= new Map();
      if (!members.has(key.metadataName)) members.set(key.metadataName, memberJson(key.name, value));
    } else if (wholeObjects.has(key.name)) {
      members ??= new Map();
      addObject(members, value);
    }
  }
  if (members === undefined || members.size === 0) return '';
  return `{${[...members].map(([name, json]) => attributeKey(name).json + json).join(',')}}`;
}

/** Langfuse writes every value as JSON. Others only write what OpenTelemetry has no type for: with them a text of digits is one. */
function memberJson(name: string, value: PresentValue): string {
  if (typeof value !== 'string') return valueJson(value);
  const text = value.trim();
  const isJson = text.startsWith('"') || isWord.test(text) || (name.startsWith('langfuse.') && isNumber.test(text));
  return isJsonStructure(text) || (isJson && parseJson(text) !== undefined) ? text : valueJson(value);
}

const isWord = /^(?:true|false|null)$/;
const isNumber = /^-?\d/;

/** The attributes that {@link spanMetadata} reads, with their conventions. */
export function metadataAttributes(attributes: Attributes): ConventionAttribute[] {
  const found: ConventionAttribute[] = [];
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
