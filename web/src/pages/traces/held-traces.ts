import { useState } from 'react';
import type { ListedTrace } from '../../api/parts.ts';

/** The traces to show, and the number of newer ones that are held back. */
export interface HeldTraces {
  shown: readonly ListedTrace[];
  waiting: number;
}

/**
 * The list as it was when it was held, with the current data of its traces. Newer ones wait, so that what is being read does not move. Pure
 * function.
 *
 * @param held null while the list is not held
 */
export function heldTraces(traces: readonly ListedTrace[], held: readonly ListedTrace[] | null): HeldTraces {
  if (held === null) return { shown: traces, waiting: 0 };
  const current = new Map(traces.map((trace) => [trace.traceId, trace]));
  const known = new Set(held.map(({ traceId }) => traceId));
  return {
    shown: held.map((trace) => current.get(trace.traceId) ?? trace),
    waiting: traces.filter(({ traceId }) => !known.has(traceId)).length,
  };
}

/** {@link heldTraces} while `reading`. @param list changes when the list is another one */
export function useHeldTraces(traces: readonly ListedTrace[], reading: boolean, list: unknown): HeldTraces {
  const [held, setHeld] = useState<{ traces: readonly ListedTrace[]; list: unknown } | null>(null);
  if (reading && traces.length > 0 && held?.list !== list) setHeld({ traces, list });
  else if (!reading && held !== null) setHeld(null);
  return heldTraces(traces, reading && held !== null && held.list === list ? held.traces : null);
}
