import { getPriority, setPriority } from 'node:os';
import { LRUCache } from 'lru-cache';
import { checkText, compileBundle, measureConfig } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, CheckOutcome, CheckRequest, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';

/** Added to the priority of the process: beside the event loop a thread that checks gets a quarter of a busy processor. */
const niceness = 5;

/** The functions of a thread that checks long texts. */
export interface CheckFunctions {
  /** Resolves when the engine is loaded; time limits start then. From then on the event loop comes before this thread. */
  ready(): void;
  /** Keeps guardrails compiled under a key. @param length what they count as, in characters: `heldLength` */
  load(key: string, guardrails: readonly Guardrail[], length: number): void;
  /** The sizes of the compiled guardrails, in states. */
  sizesOf(guardrails: readonly Guardrail[]): number[];
  /** Checks a text against the guardrails of a key; null when they are not loaded. */
  check(key: string, request: CheckRequest): CheckedText | null;
}

/** What a thread answers: without the replacements, of which a text may have tens of thousands, and which the event loop would have to read. */
export type CheckedText = Omit<CheckOutcome, 'replacements'>;

/** Characters of the configurations of all bundles that are kept. */
const maxLength = 4 * 1_048_576;
const bundles = new LRUCache<string, Bundle>({ maxSize: maxLength });
/** A bundle that is too large to be kept beside others. */
let last: { key: string; bundle: Bundle } | null = null;

serveParent<CheckFunctions>(() => ({
  ready() {
    // On Linux the priority is that of the calling thread, elsewhere that of the whole process.
    if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + niceness));
  },
  load(key, guardrails, length) {
    last = { key, bundle: compileBundle(guardrails) };
    bundles.set(key, last.bundle, { size: length });
  },
  sizesOf: (guardrails) => guardrails.map((guardrail) => measureConfig(guardrail).size),
  check(key, request) {
    const bundle = last?.key === key ? last.bundle : bundles.get(key);
    if (!bundle) return null;
    const { action, text, results, safeUntil } = checkText(bundle, request, { now: () => performance.now() });
    return { action, text, results, safeUntil };
  },
}));
