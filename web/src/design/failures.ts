import { createContext, use, useEffectEvent, useId, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../api/client.ts';

/** Parts of a page that could not be loaded, by the reason: the first of each reason tells it for all. */
export class Failures {
  readonly #parts = new Map<string, { reason: string; retry(): void }>();
  readonly #listeners = new Set<() => void>();

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Adds a part, or replaces what is known of it. @returns removes it */
  add(id: string, reason: string, retry: () => void): () => void {
    this.#parts.set(id, { reason, retry });
    this.#tell();
    return () => {
      this.#parts.delete(id);
      this.#tell();
    };
  }

  /** Whether another part tells of this reason. */
  isTold(id: string, reason: string): boolean {
    for (const [other, part] of this.#parts) if (part.reason === reason) return other !== id;
    return false;
  }

  /** Tries again all parts with this reason. */
  retry(reason: string): void {
    const alike = [...this.#parts.values()].filter((part) => part.reason === reason);
    for (const part of alike) part.retry();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** What makes two failures one. */
export function reasonOf(error: unknown): string {
  return error instanceof ApiError ? `${error.status} ${error.code} ${error.message}` : 'other';
}

const FailuresContext = createContext<Failures | null>(null);
export const FailuresProvider = FailuresContext.Provider;

/** The failures of a page. */
export function useFailures(): Failures {
  return useState(() => new Failures())[0];
}

/** Joins the failure of a part with those of the page that have the same reason. */
export function useJoinedFailure(error: unknown, onRetry: (() => void) | undefined) {
  const failures = use(FailuresContext);
  const id = useId();
  const reason = reasonOf(error);
  // The place among the failures does not depend on the function, which is another with each rendering.
  const retryThis = useEffectEvent(() => onRetry?.());
  useLayoutEffect(() => failures?.add(id, reason, () => retryThis()), [failures, id, reason]);
  const isTold = useSyncExternalStore(failures?.subscribe ?? noChanges, () => failures?.isTold(id, reason) ?? false);
  return { isTold, retry: onRetry && (() => (failures === null ? onRetry() : failures.retry(reason))) };
}

const noChanges = () => () => undefined;
