import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { compileInSteps, describeType } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle } from '../../../../packages/guardrails/src/index.ts';
import { OnDemandThread } from '../../../platform/thread-rpc/index.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';
import type { CheckFunctions } from './check-worker.ts';

/** Characters of the configurations whose compiled form is held; that takes some twenty times as many bytes. */
const maxLength = 4 * 1_048_576;
const bundleLength = 5_000;
/** Characters that one compiled state counts as. */
const stateLength = 10;
const maxHeavy = 10_000;
/** States of one guardrail, and of all of a project: compiling one takes up to 8 µs, and holding it some 200 bytes. */
const maxStates = 5_000;
const maxStatesOfProject = 50_000;

/** Names a revision of a project's guardrails, which never changes. */
export function bundleKey({ projectId, revision }: Pick<ProjectPolicies, 'projectId' | 'revision'>): string {
  return `${projectId} ${revision}`;
}

/** What the compiled guardrails of a project count as, in characters. */
export function heldLength({ configLength, compiledSize }: ProjectPolicies): number {
  return bundleLength + configLength + stateLength * compiledSize;
}

/**
 * Guardrails compiled in this thread, by project and revision; the least recently used are evicted. Those that are large when
 * compiled, which another thread finds out, are not compiled here.
 */
export class CompiledBundles {
  readonly #bundles = new LRUCache<string, Bundle>({ maxSize: maxLength });
  readonly #heavy = new LRUCache<string, true>({ max: maxHeavy });
  readonly #compiling = new Map<string, Promise<Bundle | null>>();
  readonly #thread = new OnDemandThread<CheckFunctions>(new URL('./check-worker.ts', import.meta.url), {
    name: 'the thread that compiles guardrails',
  });

  /** Compiled guardrails that are in memory. */
  peek(policies: ProjectPolicies): Bundle | undefined {
    return this.#bundles.get(bundleKey(policies));
  }

  /**
   * Compiles guardrails one after the other, with turns of the event loop between them; once for concurrent requests. Null where that would block the
   * event loop.
   */
  async get(policies: ProjectPolicies): Promise<Bundle | null> {
    const key = bundleKey(policies);
    if (this.#heavy.has(key)) return null;
    const known = this.#bundles.get(key) ?? this.#compiling.get(key);
    if (known) return known;
    const compiling = this.#compile(policies);
    this.#compiling.set(key, compiling);
    try {
      const bundle = await compiling;
      if (bundle) this.#bundles.set(key, bundle, { size: heldLength(policies) });
      else this.#heavy.set(key, true);
      return bundle;
    } finally {
      this.#compiling.delete(key);
    }
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #compile(policies: ProjectPolicies): Promise<Bundle | null> {
    const { guardrails, configLength } = policies;
    if (configLength > maxLength) return null;
    if (await this.#isHeavy(guardrails)) return null;
    const steps = compileInSteps(guardrails);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      await nextTurn();
    }
  }

  /** Whether guardrails are too large to be compiled here. The sizes are those of the configurations, the same on every machine. */
  async #isHeavy(guardrails: ProjectPolicies['guardrails']): Promise<boolean> {
    const measured = guardrails.filter(({ type }) => describeType(type).slow);
    if (measured.length === 0) return false;
    // A thread that fails, for lack of memory, says so too.
    const sizes = await this.#thread.call('sizesOf', measured).catch(() => [Infinity]);
    return Math.max(...sizes) > maxStates || sizes.reduce((sum, size) => sum + size, 0) > maxStatesOfProject;
  }
}
