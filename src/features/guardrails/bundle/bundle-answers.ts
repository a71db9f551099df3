import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { guardrailsFor, isRemote } from '../../../../packages/guardrails/src/index.ts';
import type { PolicyBundle } from '../../../contract/guardrails.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { ProjectPolicies } from '../policies/project-policies.ts';

/** A bundle as it is sent: its bytes and their ETag. */
export interface BundleAnswer {
  body: Buffer;
  etag: string;
}

/** Bytes of all answers in memory. */
const maxBytes = 32 * 1_048_576;
const entryBytes = 500;

/**
 * The policy bundles of projects as bytes, by revision and environment; the least recently used are evicted. A revision never changes, so that no answer
 * can be out of date.
 */
export class BundleAnswers {
  readonly #clock: Clock;
  readonly #answers = new LRUCache<string, BundleAnswer>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.length + entryBytes,
  });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The bundle of an environment, or without one of the guardrails for all environments (docs/semantics.md, "Policy bundle"). */
  of(policies: ProjectPolicies, environment: string | undefined): BundleAnswer {
    const key = `${policies.projectId} ${policies.revision} ${environment ?? ''}`;
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = answerOf(policies, environment, this.#clock.now());
    this.#answers.set(key, answer);
    return answer;
  }
}

function answerOf(policies: ProjectPolicies, environment: string | undefined, nowMs: number): BundleAnswer {
  const isUnknown = environment !== undefined && !policies.environments.has(environment);
  const content = {
    version: policies.revision,
    environment: environment ?? null,
    ...(isUnknown && { unknownEnvironment: true as const }),
    guardrails: bundled(policies, environment),
  };
  const etag = `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;
  const { version, ...rest } = content;
  const bundle: PolicyBundle = { version, etag, compiledAt: new Date(nowMs).toISOString(), ...rest };
  return { body: Buffer.from(JSON.stringify(bundle)), etag };
}

function bundled(policies: ProjectPolicies, environment: string | undefined): PolicyBundle['guardrails'] {
  const runs = new Set(
    (['input', 'output'] as const).flatMap((stage) =>
      guardrailsFor(policies, { text: '', stage, environment }).map(({ slug }) => slug),
    ),
  );
  return policies.guardrails
    .filter(({ slug }) => runs.has(slug))
    .map(({ slug, name, type, stage, action, config, priority, onError }) => {
      const remote = isRemote(type);
      const shown = remote ? null : (config as Record<string, unknown>);
      return { slug, name, type, stage, action, config: shown, priority, onError, remote };
    });
}
