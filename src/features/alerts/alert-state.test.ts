import { describe, expect, test } from 'vitest';
import { afterPerson, step } from './alert-state.ts';
import type { Observation, ScopeAction, ScopeState, StepOptions } from './alert-state.ts';

const minute = 60_000;
const holds: Observation = { kind: 'value', value: 9, fires: true, recovers: false };
const recovers: Observation = { kind: 'value', value: 1, fires: false, recovers: true };
const between: Observation = { kind: 'value', value: 5, fires: false, recovers: false };
const none: Observation = { kind: 'no-data' };
const unknown: Observation = { kind: 'unknown', value: 9 };

type Options = Partial<Pick<StepOptions, 'forMs' | 'noData' | 'lackFires'>>;

/** A scope that is evaluated every minute. */
class Scope {
  state: ScopeState | null = null;
  nowMs = 1_000 * minute;
  readonly #options: Options;

  constructor(options: Options = {}) {
    this.#options = options;
  }

  /** What each of the observations does, a minute apart. */
  see(...observations: Observation[]): Array<ScopeAction['do'] | 'recovered' | 'no_data'> {
    return observations.map((observation) => this.at(minute, observation));
  }

  at(passedMs: number, observation: Observation): ScopeAction['do'] | 'recovered' | 'no_data' {
    this.nowMs += passedMs;
    const defaults = { forMs: 0, noData: 'keep' as const, lackFires: true, maxGapMs: 3 * minute };
    const { state, action } = step(this.state, observation, { ...defaults, ...this.#options, nowMs: this.nowMs });
    this.state = action.do === 'open' ? { ...state, incidentId: 'incident' } : state;
    return action.do === 'resolve' ? action.resolution : action.do;
  }

  resolveByPerson(): void {
    if (this.state) this.state = afterPerson(this.state);
  }
}

describe('a scope', () => {
  test('opens when the condition holds, and resolves when it was false twice in a row', () => {
    const scope = new Scope();
    expect(scope.see(recovers, holds, holds, recovers, holds, recovers, recovers, recovers)).toEqual([
      'none',
      'open',
      'stay',
      'stay',
      'stay',
      'stay',
      'recovered',
      'none',
    ]);
  });

  test('between the thresholds neither opens nor resolves', () => {
    expect(new Scope().see(between, between)).toEqual(['none', 'none']);
    expect(new Scope().see(holds, recovers, between, recovers, between, recovers, recovers)).toEqual([
      'open',
      'stay',
      'stay',
      'stay',
      'stay',
      'stay',
      'recovered',
    ]);
  });

  test('with forMinutes opens when the condition has held for so long', () => {
    const scope = new Scope({ forMs: 2 * minute });
    expect(scope.see(holds, holds, recovers, holds, holds, holds)).toEqual(['none', 'none', 'none', 'none', 'none', 'open']);
  });

  test.each([
    ['between the thresholds', between],
    ['without data', none],
    ['unknown', unknown],
  ])('that is pending begins anew when it is %s', (_what, observation) => {
    const scope = new Scope({ forMs: 2 * minute });
    expect(scope.see(holds, holds, observation, holds, holds, holds)).toEqual(['none', 'none', 'none', 'none', 'none', 'open']);
  });

  test('does not count a gap, nor a clock that goes back or jumps', () => {
    const scope = new Scope({ forMs: 4 * minute });
    expect(scope.see(holds, holds)).toEqual(['none', 'none']);
    expect(scope.at(60 * minute, holds)).toBe('none');
    expect(scope.see(holds, holds)).toEqual(['none', 'none']);
    expect(scope.at(-30 * minute, holds)).toBe('none');
    expect(scope.see(holds, holds)).toEqual(['none', 'open']);
  });
});

describe('without enough data', () => {
  test('keep neither opens nor resolves, however long', () => {
    expect(new Scope().see(none, none)).toEqual(['none', 'none']);
    expect(new Scope().see(holds, none, none, none, none)).toEqual(['open', 'stay', 'stay', 'stay', 'stay']);
    expect(new Scope().see(holds, recovers, none, recovers, recovers)).toEqual(['open', 'stay', 'stay', 'stay', 'recovered']);
  });

  test('resolve counts as a false condition', () => {
    const scope = new Scope({ noData: 'resolve' });
    expect(scope.see(none, holds, none, none, holds, recovers, none)).toEqual([
      'none',
      'open',
      'stay',
      'no_data',
      'open',
      'stay',
      'no_data',
    ]);
  });

  test('fire counts as the condition where lack of data counts', () => {
    expect(new Scope({ noData: 'fire' }).see(none)).toEqual(['open']);
    expect(new Scope({ noData: 'fire', forMs: minute }).see(none, none)).toEqual(['none', 'open']);
    const unobserved = new Scope({ noData: 'fire', lackFires: false });
    expect(unobserved.see(none, none, holds, none, recovers, none, recovers, recovers)).toEqual([
      'none',
      'none',
      'open',
      'stay',
      'stay',
      'stay',
      'stay',
      'recovered',
    ]);
  });
});

describe('after a person resolved it', () => {
  test('opens only after the condition was false once', () => {
    const scope = new Scope();
    scope.see(holds);
    scope.resolveByPerson();
    expect(scope.see(holds, none, holds, between, holds)).toEqual(['none', 'none', 'none', 'none', 'open']);
  });

  test.each([
    ['recovered', recovers],
    ['was between the thresholds', between],
  ])('opens at once when it %s before', (_what, observation) => {
    const scope = new Scope();
    scope.see(holds, observation);
    scope.resolveByPerson();
    expect(scope.see(holds)).toEqual(['open']);
  });

  test('opens after lack of data only where that is a false condition', () => {
    const keeping = new Scope();
    keeping.see(holds);
    keeping.resolveByPerson();
    expect(keeping.see(none, holds, recovers, holds)).toEqual(['none', 'none', 'none', 'open']);
    const resolving = new Scope({ noData: 'resolve' });
    resolving.see(holds);
    resolving.resolveByPerson();
    expect(resolving.see(none, holds)).toEqual(['none', 'open']);
    const firing = new Scope({ noData: 'fire' });
    firing.see(holds);
    firing.resolveByPerson();
    expect(firing.see(none, holds, recovers, none)).toEqual(['none', 'none', 'none', 'open']);
  });

  test('waits for forMinutes again', () => {
    const scope = new Scope({ forMs: minute });
    scope.see(holds, holds);
    scope.resolveByPerson();
    expect(scope.see(holds, holds, recovers, holds, holds)).toEqual(['none', 'none', 'none', 'none', 'open']);
  });
});
