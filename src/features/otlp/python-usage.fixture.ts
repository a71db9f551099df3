const json = (value: unknown): string => JSON.stringify(value);

/** 1,300 input tokens with 515 cached ones and 53 output tokens with 19 of reasoning, as clients send them. */
export const bareUsage: ReadonlyArray<{ client: string; attributes: Record<string, unknown> }> = [
  {
    client: 'Langfuse, OpenAI Responses',
    attributes: {
      'langfuse.observation.usage_details': json({
        input_tokens: 1300,
        input_tokens_details: { cached_tokens: 515 },
        output_tokens: 53,
        output_tokens_details: { reasoning_tokens: 19 },
        total_tokens: 1353,
      }),
    },
  },
  {
    client: 'LangSmith',
    attributes: {
      'gen_ai.usage.input_tokens': 1300,
      'gen_ai.usage.output_tokens': 53,
      'langsmith.metadata.usage_metadata': json({
        input_tokens: 1300,
        input_token_details: { audio: 0, cache_read: 515 },
        output_token_details: { reasoning: 19 },
      }),
    },
  },
  {
    client: 'LangSmith, details alone',
    attributes: {
      'gen_ai.usage.input_tokens': 1300,
      'gen_ai.usage.output_tokens': 53,
      'gen_ai.usage.input_token_details': "{'cache_read': 515}",
      'gen_ai.usage.output_token_details': "{'reasoning': 19}",
    },
  },
  {
    client: 'LiteLLM',
    attributes: {
      'gen_ai.usage.input_tokens': 1300,
      'gen_ai.usage.output_tokens': 53,
      'metadata.usage_object':
        "{'completion_tokens': 53, 'completion_tokens_details': {'audio_tokens': None, 'reasoning_tokens': 19}, 'prompt_tokens_details': {'cached_tokens': 515, 'is_whole': True}}",
    },
  },
  {
    client: 'Logfire',
    attributes: {
      'gen_ai.usage.input_tokens': 1300,
      'gen_ai.usage.output_tokens': 53,
      'gen_ai.usage.details.cache_read_tokens': 515,
      'gen_ai.usage.raw': json({ output_tokens_details: { reasoning_tokens: 19 } }),
    },
  },
  {
    client: 'AG2',
    attributes: {
      'gen_ai.usage.input_tokens': 1300,
      'gen_ai.usage.output_tokens': 53,
      'gen_ai.usage.prompt_tokens_details.cached_tokens': 515,
      'gen_ai.usage.thinking_tokens': 19,
    },
  },
];
