import { evaluatorTypeNames } from '../../../contract/evaluators.ts';
import type { EvaluatorConfigs, EvaluatorTypeName } from '../../../contract/evaluators.ts';
import type { EvaluatorType } from './evaluator-type.ts';

/** What a file of a type exports: `evaluatorType`. */
type TypeFile<Name extends EvaluatorTypeName> = { evaluatorType: EvaluatorType<EvaluatorConfigs[Name]> };

/** Loads the file of a type, which is named for it: `starts-with.ts` for `starts_with`. */
async function load<Name extends EvaluatorTypeName>(name: Name): Promise<[Name, EvaluatorType<EvaluatorConfigs[Name]>]> {
  const file = (await import(/* @vite-ignore */ `./${name.replaceAll('_', '-')}.ts`)) as TypeFile<Name>;
  return [name, file.evaluatorType];
}

/** Every evaluator type of the contract by name (docs/semantics.md, "Evaluator types"). `types.test.ts` compares the files with the names. */
export const evaluatorTypes = Object.fromEntries(await Promise.all(evaluatorTypeNames.map(load))) as {
  readonly [Name in EvaluatorTypeName]: EvaluatorType<EvaluatorConfigs[Name]>;
};
