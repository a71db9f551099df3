import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import type { TestSequencer, TestSpecification } from 'vitest/node';

const root = join(import.meta.dirname, '../..');

/**
 * A class of sequencers that start the named files first, in their order, so that the longest does not run last beside an idle core. In a clone
 * without durations of an earlier run vitest would start the largest files first, and short ones may take long.
 *
 * Errors: a named file that does not exist.
 */
export function longestFirst(
  names: readonly string[],
): new (...given: ConstructorParameters<typeof BaseSequencer>) => TestSequencer {
  const missing = names.filter((name) => !existsSync(join(root, name)));
  if (missing.length > 0) throw new Error(`there is no test file ${missing.join(', ')}`);
  const rankOf = ({ moduleId }: TestSpecification) => {
    const rank = names.findIndex((name) => moduleId === join(root, name));
    return rank === -1 ? names.length : rank;
  };
  return class LongestFirst extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const others = await super.sort(files);
      return others.toSorted((left, right) => rankOf(left) - rankOf(right));
    }
  };
}
