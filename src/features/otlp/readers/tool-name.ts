import { label } from './attribute-readers.ts';
import type { Reader } from './convention.ts';

/** Reads the name of a tool as the name of its span, unless the span's own name contains it. */
export const toolName: Reader<string> = (value, span) => {
  const name = label(value, span);
  return name === undefined || span.span?.name.includes(name) === true ? undefined : name;
};
