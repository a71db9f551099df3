import { LRUCache } from 'lru-cache';
import { checkText, compileBundle, compileInSteps } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, CheckOutcome, CheckRequest, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';

/** The functions of a thread that checks long texts. */
export interface CheckFunctions {
  /** Resolves when the engine is loaded; time limits start then. */
  ready(): void;
  /** Keeps guardrails compiled under a key. @param length characters of their configurations */
  load(key: string, guardrails: readonly Guardrail[], length: number): void;
  /** Whether guardrails take longer to compile than the event loop may be blocked. */
  isHeavy(guardrails: readonly Guardrail[]): boolean;
  /** Checks a text against the guardrails of a key; null when they are not loaded. */
  check(key: string, request: CheckRequest): CheckOutcome | null;
}

/** Characters of the configurations of all bundles that are kept. */
const maxLength = 4 * 1_048_576;
const bundles = new LRUCache<string, Bundle>({ maxSize: maxLength });
/** Milliseconds of processor time of one step of compiling, and of all. */
const maxStepMs = 50;
const maxAllMs = 1_000;
/** A bundle that is too large to be kept beside others. */
let last: { key: string; bundle: Bundle } | null = null;

serveParent<CheckFunctions>(() => ({
  ready: () => undefined,
  load(key, guardrails, length) {
    last = { key, bundle: compileBundle(guardrails) };
    bundles.set(key, last.bundle, { size: length + 1 });
  },
  isHeavy(guardrails) {
    const began = threadMs();
    let last = began;
    for (const _step of compileInSteps(guardrails)) {
      const now = threadMs();
      if (now - last > maxStepMs || now - began > maxAllMs) return true;
      last = now;
    }
    return threadMs() - last > maxStepMs;
  },
  check(key, request) {
    const bundle = last?.key === key ? last.bundle : bundles.get(key);
    return bundle ? checkText(bundle, request, { now: () => performance.now() }) : null;
  },
}));

/** Processor time of this thread, in milliseconds: other work of the machine does not count. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
