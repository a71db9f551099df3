/** Prefixes before a colon that name a provider: `openai:gpt-4o`. Other colons belong to the model's name: `llama3:8b`. */
const colonPrefixes = new Set(
  'openai openai-chat openai-responses azure azure_openai anthropic google google-gla google-vertex google_genai google_vertexai vertex_ai bedrock bedrock_converse mistral mistralai groq cohere ollama openrouter together xai grok deepseek fireworks huggingface perplexity gateway litellm'.split(
    ' ',
  ),
);

/** Regions and vendors before a model's name in Amazon Bedrock: `us.anthropic.claude-sonnet-4-5-20250929-v1:0`. */
const bedrockPrefix =
  /^(?:(?:us-gov|us|eu|apac|global|jp|au|ca|sa)\.)?(?:(?:anthropic|amazon|meta|mistral|cohere|ai21|stability|deepseek|qwen|openai|writer|luma|twelvelabs)\.)?/;

const maxKnown = 4096;
let known = new Map<string, string>();

/**
 * The name of a model without what names its provider, region or owner: the last part of a path (`openai/gpt-4o`, `models/gemini-2.5-pro`, an
 * ARN), without prefixes of providers (docs/semantics.md, "Repeated calls"), in lower case. `''` for `''`.
 */
export function bareModel(model: string): string {
  if (model === '') return '';
  const found = known.get(model);
  if (found !== undefined) return found;
  const bare = bareOf(model);
  // Clients choose the names: a full cache is cleared.
  if (known.size >= maxKnown) known = new Map();
  known.set(model, bare);
  return bare;
}

function bareOf(model: string): string {
  const last = model.slice(model.lastIndexOf('/') + 1) || model;
  const lower = last.toLowerCase();
  const colon = lower.indexOf(':');
  const name = colon > 0 && colonPrefixes.has(lower.slice(0, colon)) ? lower.slice(colon + 1) : lower;
  return name.replace(bedrockPrefix, '') || lower;
}
