import { measureConfig } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';

/** The functions of the thread. */
export const configCheckFunctions = { measureConfig };

serveParent(() => configCheckFunctions);
