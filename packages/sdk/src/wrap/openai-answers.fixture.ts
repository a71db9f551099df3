/** Tokens as OpenAI counts them, and as Spanwise does. */
export const usage = {
  prompt_tokens: 1200,
  completion_tokens: 85,
  total_tokens: 1285,
  prompt_tokens_details: { cached_tokens: 1024 },
  completion_tokens_details: { reasoning_tokens: 12 },
};
export const tokens = { inputTokens: 1200, outputTokens: 85, cachedTokens: 1024, reasoningTokens: 12 };
export const toolCall = { id: 'call-1', type: 'function', function: { name: 'weather', arguments: '{"city":"Rome"}' } };
/** A chat completion with a message. */
export const completion = (message: object, reason = 'stop') => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'gpt-4o-2024-08-06',
  choices: [{ index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: reason, logprobs: null }],
  usage,
});
