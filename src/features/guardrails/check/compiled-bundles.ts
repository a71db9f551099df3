import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, CompiledGuardrail } from '../../../../packages/guardrails/src/index.ts';
import type { ProjectPolicies } from './project-policies.ts';

/** Characters of the configurations whose compiled form is held; that takes some twenty times as many bytes. */
const maxLength = 4 * 1_048_576;
const bundleLength = 5_000;

/** Names a revision of a project's guardrails, which never changes. */
export function bundleKey({ projectId, revision }: Pick<ProjectPolicies, 'projectId' | 'revision'>): string {
  return `${projectId} ${revision}`;
}

/** Guardrails compiled in this thread, by project and revision; the least recently used are evicted. */
export class CompiledBundles {
  readonly #bundles: LRUCache<string, Bundle>;
  readonly #compiling = new Map<string, Promise<Bundle>>();

  constructor() {
    this.#bundles = new LRUCache({ maxSize: maxLength });
  }

  /** Compiled guardrails that are in memory. */
  peek(policies: ProjectPolicies): Bundle | undefined {
    return this.#bundles.get(bundleKey(policies));
  }

  /** Compiles guardrails one after the other, with turns of the event loop between them; once for concurrent requests. */
  async get(policies: ProjectPolicies): Promise<Bundle> {
    const key = bundleKey(policies);
    const known = this.#bundles.get(key) ?? this.#compiling.get(key);
    if (known) return known;
    const compiling = compile(policies);
    this.#compiling.set(key, compiling);
    try {
      const bundle = await compiling;
      this.#bundles.set(key, bundle, { size: policies.configLength + bundleLength });
      return bundle;
    } finally {
      this.#compiling.delete(key);
    }
  }
}

async function compile({ guardrails }: ProjectPolicies): Promise<Bundle> {
  const compiled: CompiledGuardrail[] = [];
  for (const guardrail of guardrails) {
    if (guardrail.enabled !== false) compiled.push(...compileBundle([guardrail]).guardrails);
    else compiled.push(guardrail);
    await nextTurn();
  }
  return { guardrails: compiled };
}
