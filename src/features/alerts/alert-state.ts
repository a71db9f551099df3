/** What a rule remembers of a scope between evaluations. */
export interface ScopeState {
  /** Whether the condition held when it was last known. */
  holds: boolean;
  /** Milliseconds for which the condition has been seen to hold; null: it does not hold, or the scope fires. */
  heldMs: number | null;
  /** Evaluations in a row in which a firing scope had recovered. */
  recovered: number;
  /** A person resolved the incident while the condition held; none opens until it was false. */
  suppressed: boolean;
  /** The open incident: the scope fires. */
  incidentId: string | null;
  /** When it was evaluated, epoch milliseconds. */
  atMs: number;
}

/** What an evaluation found in a scope. */
export type Observation =
  | {
      kind: 'value';
      value: number;
      /** Whether the value fires. */
      fires: boolean;
      /** Whether it came back past the recovery threshold. */
      recovers: boolean;
    }
  /** Too few calls, scores or checks. */
  | { kind: 'no-data' }
  /** It cannot be said whether the condition holds: nothing was observed for a part of the window. */
  | { kind: 'unknown'; value: number };

export interface StepOptions {
  nowMs: number;
  forMs: number;
  noData: 'keep' | 'resolve' | 'fire';
  /** Whether lack of data counts as the condition, with `noData` `fire`. */
  lackFires: boolean;
  /** Evaluations farther apart than this observe nothing of the time between them. */
  maxGapMs: number;
}

export type ScopeAction =
  | { do: 'none' }
  | { do: 'open' }
  /** The incident stays open. */
  | { do: 'stay' }
  | { do: 'resolve'; resolution: 'recovered' | 'no_data' };

const needed = 2;
const quiet: Omit<ScopeState, 'atMs'> = { holds: false, heldMs: null, recovered: 0, suppressed: false, incidentId: null };

/**
 * `holds`: the condition is true. `recovered`: it is false, past the recovery threshold. `between`: it is false, but a firing scope stays so.
 * `unknown`: nothing changes.
 */
type Reading = 'holds' | 'recovered' | 'between' | 'unknown';

function read(observation: Observation, { noData, lackFires }: StepOptions): Reading {
  if (observation.kind === 'unknown') return 'unknown';
  if (observation.kind === 'value') return observation.fires ? 'holds' : observation.recovers ? 'recovered' : 'between';
  if (noData === 'fire') return lackFires ? 'holds' : 'unknown';
  return noData === 'resolve' ? 'recovered' : 'unknown';
}

/**
 * The state of a scope after an evaluation (docs/semantics.md, "Alert rules"). `open` leaves `incidentId` null, for the caller to set.
 *
 * @param before null: the scope was not seen before
 */
export function step(
  before: ScopeState | null,
  observation: Observation,
  options: StepOptions,
): { state: ScopeState; action: ScopeAction } {
  const from: ScopeState = before ?? { ...quiet, atMs: options.nowMs };
  const reading = read(observation, options);
  return from.incidentId === null
    ? whileQuiet(from, reading, options)
    : whileFiring(from, reading, observation.kind === 'no-data', options);
}

function whileQuiet(from: ScopeState, reading: Reading, options: StepOptions): { state: ScopeState; action: ScopeAction } {
  const { nowMs: atMs, forMs } = options;
  if (reading === 'unknown') return { state: { ...from, heldMs: null, atMs }, action: { do: 'none' } };
  if (reading !== 'holds') return { state: { ...quiet, atMs }, action: { do: 'none' } };
  const heldMs = heldUntil(from, options);
  if (from.suppressed || heldMs < forMs) return { state: { ...from, holds: true, heldMs, atMs }, action: { do: 'none' } };
  return { state: { ...quiet, holds: true, atMs }, action: { do: 'open' } };
}

/** The time between two evaluations counts where it was observed: not across a gap, and not when the clock went back. */
function heldUntil({ heldMs, atMs }: ScopeState, { nowMs, maxGapMs }: StepOptions): number {
  const passed = nowMs - atMs;
  if (heldMs === null || passed > maxGapMs) return 0;
  return heldMs + Math.max(passed, 0);
}

function whileFiring(
  from: ScopeState,
  reading: Reading,
  lacksData: boolean,
  { nowMs: atMs }: StepOptions,
): { state: ScopeState; action: ScopeAction } {
  const stay = (holds: boolean, recovered: number) => ({
    state: { ...from, holds, recovered, atMs },
    action: { do: 'stay' } as const,
  });
  if (reading === 'holds') return stay(true, 0);
  if (reading === 'between') return stay(false, 0);
  if (reading === 'unknown') return stay(from.holds, 0);
  if (from.recovered + 1 < needed) return stay(false, from.recovered + 1);
  const resolution = lacksData ? 'no_data' : 'recovered';
  return { state: { ...quiet, atMs }, action: { do: 'resolve', resolution } };
}

/** The state of a firing scope whose incident a person resolved. */
export function afterPerson(state: ScopeState): ScopeState {
  return { ...state, incidentId: null, suppressed: state.holds, heldMs: null, recovered: 0 };
}
