export { behindString } from './behind-string.ts';
export { decimalOf } from './decimal-of.ts';
export { isKeptNumber, ordinaryNumber, parseKeepingNumbers, withNumbersReplaced } from './exact-numbers.ts';
export { holdsMoreValues, maxBodyValues } from './holds-more-values.ts';
export { isRecord } from './is-record.ts';
export { jsonFault } from './json-fault.ts';
export { jsonPointer, pointerSteps } from './json-pointer.ts';
export { jsonList, jsonStream } from './json-stream.ts';
export { nestsDeeper } from './nests-deeper.ts';
