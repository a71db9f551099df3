import { loadedOnce } from '../loaded-once.ts';
import type { Service } from '../service.ts';
import type { CheckOptions, GuardSettings } from './options.ts';
import type { TextSource } from './pieces-of.ts';
import type { Verdict } from './verdict.ts';

export type { CheckOptions, GuardSettings } from './options.ts';
export type { TextSource } from './pieces-of.ts';
export { GuardrailBlocked } from './verdict.ts';
export type { Verdict } from './verdict.ts';
export type {
  BundledGuardrail,
  CheckAction,
  CheckAnswer,
  CheckStage,
  GuardrailReport,
  GuardrailResult,
  GuardrailType,
  PolicyBundle,
} from './wire.ts';

/** The guardrails of the project, checked in the application. */
export interface Guard {
  /**
   * Checks a text as `POST /v1/guardrails/check` does, in the application's thread. The service is asked for what a judge decides, for a check that
   * would take longer than about a quarter of a second, and while there is no policy bundle.
   *
   * Errors: TypeError for a guardrail that there is not, for a text over 256 KiB of UTF-8, for what is no text, and for a wrong stage or environment. A
   * service that is away is none.
   */
  check(text: string, options?: CheckOptions & { final?: boolean | undefined }): Promise<Verdict>;
  /**
   * Yields a text that arrives in pieces as far as nothing that follows can change it, with matches replaced; returns the verdict. Everything is held back
   * until the end where a JSON Schema, a longest length that blocks, or a judge decides, and while there is no policy bundle.
   *
   * Errors: {@link GuardrailBlocked}; those of the source; those of `check`.
   */
  stream(source: TextSource, options?: CheckOptions): AsyncGenerator<string, Verdict, undefined>;
  /** Reports what was checked. Resolves when it is sent or a request failed; never rejects. */
  flush(): Promise<void>;
  /** Ends refreshing the bundles, and flushes. */
  close(): Promise<void>;
}

/** Opens the guardrails of a service. The engine is loaded and the bundle fetched when something is checked first. */
export function openGuard(service: Service, settings: GuardSettings): Guard {
  const loaded = loadedOnce(async () => (await import('./local-guard.ts')).openLocalGuard(service, settings));
  return {
    check: async (text, options) => (await loaded()).check(text, options),
    async *stream(source, options) {
      return yield* (await loaded()).stream(source, options);
    },
    flush: async () => (await loaded.loading)?.flush(),
    close: async () => (await loaded.loading)?.close(),
  };
}
