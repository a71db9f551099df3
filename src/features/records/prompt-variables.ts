import { isRecord } from '../../platform/json/index.ts';

/** The attribute with what the prompt of a call was compiled with: an object, or its JSON as a text. */
export const promptVariablesAttribute = 'spanwise.prompt.variables';

/** The variables of the prompt among the attributes of a span, as the field of an answer; empty where they are not there, or no object. */
export function promptVariablesIn(attributesJson: string): { promptVariables?: Readonly<Record<string, unknown>> } {
  // Most spans have none, and attributes may be long.
  if (!attributesJson.includes(`"${promptVariablesAttribute}"`)) return {};
  const sent = objectOf(attributesJson)[promptVariablesAttribute];
  const promptVariables = typeof sent === 'string' ? objectOf(sent) : sent;
  return isRecord(promptVariables) && Object.keys(promptVariables).length > 0 ? { promptVariables } : {};
}

function objectOf(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    // An application may have redacted it.
    return {};
  }
}
