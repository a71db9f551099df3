export { parseKeepingNumbers, withNumbersReplaced } from './exact-numbers.ts';
export { nestsDeeper } from './nests-deeper.ts';
