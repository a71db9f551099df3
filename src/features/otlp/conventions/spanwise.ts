import { sourceAttribute } from '../../../contract/kinds.ts';
import { amount, label, tagList, version } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { kindByName } from '../readers/kind-by-name.ts';
import { parseJson } from '../readers/parse-json.ts';
import { valueJson } from '../wire/attribute.ts';

/** Reads JSON as it is: an empty text or list was given. What is no JSON, since it was redacted, is a text. */
const json: Reader<string> = (value) => {
  if (typeof value !== 'string') return valueJson(value);
  return parseJson(value) === undefined ? JSON.stringify(value) : value;
};

/** Spanwise's SDK for Python, whose fields arrive exactly as the application gave them. Names that OpenTelemetry has are sent by these. */
export const convention: Convention = {
  name: 'spanwise',
  fields: {
    kind: { 'spanwise.kind': kindByName },
    input: { 'spanwise.input': json },
    output: { 'spanwise.output': json },
    timeToFirstTokenMs: { 'spanwise.time_to_first_token_ms': amount },
    tags: { 'spanwise.tags': tagList },
    promptName: { 'spanwise.prompt.name': label },
    promptVersion: { 'spanwise.prompt.version': version },
    errorCode: { 'spanwise.error_code': label },
    // The service alone names other sources.
    origin: { [sourceAttribute]: (value) => (value === 'evaluation' ? value : undefined) },
  },
};
