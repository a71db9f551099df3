import type { Parts } from './figures-source.ts';
import { rollupLayout } from './hour-states.ts';
import type { HourStates } from './hour-states.ts';
import { sealParameters } from './rollup-sql.ts';
import type { Window } from './window.ts';

/** What the statements of one response read, and the parameters that name it. */
export interface FiguresPlan {
  parts: Parts;
  parameters: Readonly<Record<string, unknown>>;
}

/**
 * Determines which hours of a window are sealed now. All figures of a response use one plan, so that they are consistent.
 *
 * @param environments those whose rows count; empty for all
 */
export async function planFigures(
  hourStates: HourStates,
  projectId: string,
  window: Window,
  environments: readonly string[] = [],
): Promise<FiguresPlan> {
  const layout = environments.length > 0 ? rollupLayout : 1;
  const plan = await hourStates.plan(projectId, window.from, window.to, { ...window, layout });
  const parts = {
    sealed: plan.days.length + plan.hours.length > 0,
    dirty: plan.dirty.length > 0,
    partial: window.rows !== null,
    interval: window.interval,
    environments: environments.length > 0,
  };
  return {
    parts,
    parameters: {
      ...(parts.sealed ? sealParameters(window, plan) : {}),
      ...(parts.environments ? { environments } : {}),
      ...(parts.dirty ? { dirtyHours: plan.dirty } : {}),
      ...(parts.dirty && window.rows ? { rowsFrom: window.rows.fromMs, rowsBefore: window.rows.beforeMs } : {}),
    },
  };
}
