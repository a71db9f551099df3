export { behindString } from './behind-string.ts';
export { parseKeepingNumbers, withNumbersReplaced } from './exact-numbers.ts';
export { holdsMoreValues, maxBodyValues } from './holds-more-values.ts';
export { nestsDeeper } from './nests-deeper.ts';
