import { amount, label } from '../otlp/attribute-readers.ts';
import type { Convention } from '../otlp/convention.ts';
import { payload } from '../otlp/payload-json.ts';

/** Pydantic AI (Logfire), for what it does not write as `gen_ai.*`. */
export const convention: Convention = {
  name: 'pydantic-ai',
  fields: {
    agentName: { agent_name: label },
    input: { tool_arguments: payload, 'pydantic_ai.all_messages': payload },
    output: { tool_response: payload, final_result: payload },
    costUsd: { 'operation.cost': amount },
  },
};
