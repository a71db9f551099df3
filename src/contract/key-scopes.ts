/** What an API key can be limited to (docs/semantics.md, "Scopes of API keys"), in the order in which they are shown. */
export const apiKeyScopes = [
  'ingest',
  'read',
  'prompts:read',
  'prompts:write',
  'datasets:write',
  'scores:write',
  'guardrails:check',
  'simulations:run',
  'admin-read',
] as const;

export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** Days for which a key must have had its scopes before those that it never used are listed. */
export const unusedAfterDays = 30;
