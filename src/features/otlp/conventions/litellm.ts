import { amount, label } from '../readers/attribute-readers.ts';
import type { Convention } from '../readers/convention.ts';

/** LiteLLM's proxy: additions to `gen_ai.*`. */
export const convention: Convention = {
  name: 'litellm',
  fields: {
    costUsd: { 'gen_ai.cost.total_cost': amount },
    userId: { 'metadata.user_api_key_end_user_id': label, 'llm.user': label },
  },
};
