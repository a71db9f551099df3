/** Attributes that hold a provider's usage object whole. */
export const usageAttributes = [
  'langsmith.metadata.usage_metadata',
  'metadata.usage_object',
  'gen_ai.usage.raw',
  'gen_ai.usage',
  'llm.usage',
  'usage',
] as const;

/** Attributes that hold one class of tokens of the details of such an object. */
export const usageDetailAttributes = {
  cached: [
    'gen_ai.usage.input_tokens_details.cached_tokens',
    'gen_ai.usage.prompt_tokens_details.cached_tokens',
    'llm.usage.prompt_tokens_details.cached_tokens',
    'llm.usage.cache_read_input_tokens',
    'gen_ai.usage.cached_tokens',
    'gen_ai.usage.cache_read_tokens',
  ],
  cacheWrite: ['llm.usage.cache_creation_input_tokens', 'gen_ai.usage.cache_creation_tokens', 'gen_ai.usage.cache_write_tokens'],
  reasoning: [
    'gen_ai.usage.output_tokens_details.reasoning_tokens',
    'gen_ai.usage.completion_tokens_details.reasoning_tokens',
    'llm.usage.completion_tokens_details.reasoning_tokens',
    'gen_ai.usage.thinking_tokens',
    'gen_ai.usage.thoughts_tokens',
  ],
} as const;
