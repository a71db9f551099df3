/** Servers of models on one's own machines, without the marks between words. */
const localProviders: ReadonlySet<string> = new Set(['ollama', 'vllm', 'lmstudio', 'llamacpp', 'llamafile', 'localai']);

/** Whether a call costs nothing by who answers it: a local provider, or a model that ends in `:free` (docs/semantics.md, "Cost of a span"). */
export function isFreeCall(model: string, provider: string): boolean {
  return isLocal(provider) || model.endsWith(':free') || (model.includes('/') && isLocal(model.slice(0, model.indexOf('/'))));
}

function isLocal(provider: string): boolean {
  return (
    provider !== '' &&
    localProviders.has(
      provider
        .toLowerCase()
        .replaceAll(/[-_. ]/g, '')
        .replace(/(?:chat|openai)$/, ''),
    )
  );
}
