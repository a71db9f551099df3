import type { Convention } from '../readers/convention.ts';

/** AG2, except for its `gen_ai.*` attributes: beside the span of a call it sends one that only reports the tokens of the call. */
export const convention: Convention = {
  name: 'ag2',
  fields: { kind: { 'ag2.span.type': (value) => (value === 'usage' ? 'span' : undefined) } },
};
