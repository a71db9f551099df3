import { isWord } from './program.ts';
import type { Program } from './program.ts';

/** The ASCII characters in equivalence classes: every instruction and assertion of the given programs treats the characters of a class alike. */
export class CharacterClasses {
  /** The class of each ASCII character. */
  readonly classOf: Uint8Array = new Uint8Array(128);
  /** The number of classes. */
  readonly count: number;

  constructor(programs: readonly Program[]) {
    const sets = new Map<string, readonly number[]>();
    for (const { ascii, readers } of programs) {
      for (const pc of readers) {
        const words = [...ascii.subarray(4 * pc, 4 * pc + 4)];
        sets.set(words.join(), words);
      }
    }
    const distinct = [...sets.values()];
    const classes = new Map<string, number>();
    for (let unit = 0; unit < 128; unit += 1) {
      const inSets = distinct.map((words) => ((words[unit >> 5] ?? 0) >>> (unit & 31)) & 1);
      const key = `${isWord(unit)} ${unit === 10} ${inSets.join('')}`;
      const known = classes.get(key) ?? classes.size;
      classes.set(key, known);
      this.classOf[unit] = known;
    }
    this.count = classes.size;
  }
}
