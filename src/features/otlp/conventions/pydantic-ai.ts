import { amount, label, tagList } from '../readers/attribute-readers.ts';
import type { Convention, Reader } from '../readers/convention.ts';
import { inputInAttribute, outputInAttribute } from '../readers/message-events.ts';
import { payload } from '../readers/payload-json.ts';

/** Logfire names spans by a template, and sends the formatted text as `logfire.msg`. */
const message: Reader<string> = (value, span) => {
  const name = span.span?.name ?? '';
  return name === '' || (name.includes('{') && name === span.get('logfire.msg_template')) ? label(value, span) : undefined;
};

/** Pydantic AI and Logfire, except for their `gen_ai.*` attributes. */
export const convention: Convention = {
  name: 'pydantic-ai',
  fields: {
    name: { 'logfire.msg': message },
    agentName: { agent_name: label },
    input: {
      tool_arguments: payload,
      'pydantic_ai.all_messages': payload,
      all_messages_events: inputInAttribute,
      events: inputInAttribute,
      request_data: payload,
    },
    output: { tool_response: payload, final_result: payload, events: outputInAttribute, response_data: payload },
    costUsd: { 'operation.cost': amount },
    tags: { 'logfire.tags': tagList },
  },
};
