import { LRUCache } from 'lru-cache';
import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, CheckOutcome, CheckRequest, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';

/** The functions of a thread that checks long texts. */
export interface CheckFunctions {
  /** Resolves when the engine is loaded; time limits start then. */
  ready(): void;
  /** Keeps guardrails compiled under a key. @param length characters of their configurations */
  load(key: string, guardrails: readonly Guardrail[], length: number): void;
  /** Checks a text against the guardrails of a key; null when they are not loaded. */
  check(key: string, request: CheckRequest): CheckOutcome | null;
}

/** Characters of the configurations of all bundles that are kept. */
const maxLength = 4 * 1_048_576;
const bundles = new LRUCache<string, Bundle>({ maxSize: maxLength });
/** A bundle that is too large to be kept beside others. */
let last: { key: string; bundle: Bundle } | null = null;

serveParent<CheckFunctions>(() => ({
  ready: () => undefined,
  load(key, guardrails, length) {
    const enabled = compileBundle(guardrails.filter((guardrail) => guardrail.enabled !== false)).guardrails;
    const bySlug = new Map(enabled.map((guardrail) => [guardrail.slug, guardrail]));
    last = { key, bundle: { guardrails: guardrails.map((guardrail) => bySlug.get(guardrail.slug) ?? guardrail) } };
    bundles.set(key, last.bundle, { size: length + 1 });
  },
  check(key, request) {
    const bundle = last?.key === key ? last.bundle : bundles.get(key);
    return bundle ? checkText(bundle, request, { now: () => performance.now() }) : null;
  },
}));
