import { serveParent } from '../../../platform/thread-rpc/index.ts';
import { equalOutputs } from './equal-json.ts';
import { outputOf } from './output-of.ts';

/** What {@link OutputReader} does in its thread. */
export const outputFunctions = { outputOf, equalOutputs };

serveParent(() => outputFunctions);
