import { amount, label } from '../mapping/attribute-readers.ts';
import type { Convention } from '../mapping/convention.ts';
import { payload } from '../mapping/payload-json.ts';

/** Pydantic AI (Logfire), except for its `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'pydantic-ai',
  fields: {
    agentName: { agent_name: label },
    input: { tool_arguments: payload, 'pydantic_ai.all_messages': payload },
    output: { tool_response: payload, final_result: payload },
    costUsd: { 'operation.cost': amount },
  },
};
