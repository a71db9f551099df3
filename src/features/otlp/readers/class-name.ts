/**
 * The name of an exception's class without its module, `<class '...'>` and a leading underscore: `openai.RateLimitError` and `<class 'x._RateLimitError'>`
 * are `RateLimitError`. Other texts are returned unchanged.
 */
export function className(type: string | undefined): string | undefined {
  if (type === undefined) return undefined;
  const inner = /^<class '([^']+)'>$/.exec(type)?.[1] ?? type;
  const last = /^(?:[A-Za-z_]\w*\.)+(_*[A-Z]\w*)$/.exec(inner)?.[1] ?? inner;
  return /^_+([A-Z]\w*)$/.exec(last)?.[1] ?? last;
}
