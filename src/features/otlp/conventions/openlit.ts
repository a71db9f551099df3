import { label } from '../mapping/attribute-readers.ts';
import type { Convention } from '../mapping/convention.ts';

/** OpenLIT: additions to `gen_ai.*`. */
export const convention: Convention = {
  name: 'openlit',
  fields: { userId: { 'gen_ai.request.user': label } },
};
