import { useCallback, useMemo, useRef, useState } from 'react';
import { allTicks, isTicked, keysBetween, noTicks, ticked } from './ticks.ts';
import type { Ticks } from './ticks.ts';

/** What the list does with ticks. */
export interface Ticking {
  ticks: Ticks;
  /** Ticks a row or takes its tick. @param range also the rows up to the one that was ticked before */
  toggle(key: string, range: boolean): void;
  /** Ticks the loaded rows, or takes all ticks. */
  toggleLoaded(): void;
  /** Ticks all that match, also those that are not loaded. */
  tickAll(): void;
  clear(): void;
}

/** The ticks of a list, which end with it. @param listed keys of the loaded rows @param list changes when the list is another one */
export function useTicks(listed: readonly string[], list: unknown): Ticking {
  const [state, setState] = useState<{ ticks: Ticks; list: unknown }>({ ticks: noTicks, list });
  const ticks = state.list === list ? state.ticks : noTicks;
  const last = useRef<string | null>(null);
  const set = useCallback((next: Ticks) => setState({ ticks: next, list }), [list]);
  const toggle = useCallback(
    (key: string, range: boolean) => {
      const keys = range ? keysBetween(listed, last.current, key) : [key];
      last.current = key;
      set(ticked(ticks, keys, range || !isTicked(ticks, key)));
    },
    [listed, ticks, set],
  );
  return useMemo(
    () => ({
      ticks,
      toggle,
      toggleLoaded: () => set(listed.every((key) => isTicked(ticks, key)) ? noTicks : ticked(noTicks, listed, true)),
      tickAll: () => set(allTicks),
      clear: () => set(noTicks),
    }),
    [ticks, toggle, listed, set],
  );
}
