import { label } from '../readers/attribute-readers.ts';
import type { Convention } from '../readers/convention.ts';

/** OpenLIT: additions to `gen_ai.*`. */
export const convention: Convention = {
  name: 'openlit',
  fields: { userId: { 'gen_ai.request.user': label } },
};
