import { compileLinear } from './pattern.ts';
import { programOf } from './program.ts';
import type { Program } from './program.ts';
import { SetPass } from './set-pass.ts';

/** Largest automaton of a set pass, in instructions: no larger than one pattern may be. */
const maxSetInstructions = 5_000;

/** What decides how a pattern is compiled. */
export interface PatternSource {
  pattern: string;
  ignoreCase?: boolean | undefined;
}

/** A set pass, and for each pattern of a set that is in it both indices. */
export interface PartialPass {
  pass: SetPass;
  members: ReadonlyArray<{ inPass: number; inSet: number }>;
}

/**
 * The patterns of several sets. One that is in two sets or more is compiled once, and searched for once in a text; those have set passes of their own, so
 * that the passes are shared too.
 */
export class PatternPool {
  readonly #programs = new Map<string, Program>();
  readonly #common = new Set<string>();
  #commonPasses: ReadonlyArray<{ pass: SetPass; programs: readonly Program[] }> | null = null;

  constructor(sets: ReadonlyArray<readonly PatternSource[]> = []) {
    const seen = new Set<string>();
    for (const set of sets) {
      const keys = new Set(set.map(keyOf));
      for (const key of keys) (seen.has(key) ? this.#common : seen).add(key);
    }
  }

  /** The program of a pattern. Errors: PatternError. */
  programOf(source: PatternSource): Program {
    const key = keyOf(source);
    const { pattern, ignoreCase = false } = source;
    const program = this.#programs.get(key) ?? programOf(compileLinear(pattern, { ignoreCase }));
    this.#programs.set(key, program);
    return program;
  }

  /** Set passes that together have every pattern of a set. Called when all sets are compiled. Errors: PatternError. */
  passesOf(sources: readonly PatternSource[]): PartialPass[] {
    const own: Program[] = [];
    const inSet = new Map<Program, number[]>();
    for (const [index, source] of sources.entries()) {
      const program = this.programOf(source);
      inSet.set(program, [...(inSet.get(program) ?? []), index]);
      if (!this.#common.has(keyOf(source))) own.push(program);
    }
    const passes = [...this.#passesOfCommon(), ...passesFor([...new Set(own)])];
    return passes.flatMap(({ pass, programs }) => {
      const members = programs.flatMap((program, inPass) =>
        (inSet.get(program) ?? []).map((index) => ({ inPass, inSet: index })),
      );
      return members.length === 0 ? [] : [{ pass, members }];
    });
  }

  #passesOfCommon(): ReadonlyArray<{ pass: SetPass; programs: readonly Program[] }> {
    const programs = [...this.#common].flatMap((key) => this.#programs.get(key) ?? []);
    return (this.#commonPasses ??= passesFor(programs));
  }
}

function keyOf({ pattern, ignoreCase = false }: PatternSource): string {
  return `${ignoreCase ? 'i' : '-'}${pattern}`;
}

/** Automata that each match several patterns at once. */
function passesFor(programs: readonly Program[]): Array<{ pass: SetPass; programs: readonly Program[] }> {
  const groups: Program[][] = [];
  let room = 0;
  for (const program of programs) {
    const size = program.instructions.length;
    let group = groups.at(-1);
    if (!group || size > room) {
      groups.push((group = []));
      room = maxSetInstructions;
    }
    group.push(program);
    room -= size;
  }
  return groups.map((group) => ({ pass: new SetPass(group), programs: group }));
}
