import type { CheckOutcome } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';
import type { CheckFunctions } from './check-worker.ts';

// A thread that does what the text says.
serveParent<CheckFunctions>(() => ({
  ready: () => undefined,
  load: () => undefined,
  isHeavy: () => false,
  check(_key, { text }): CheckOutcome {
    if (text === 'hang') for (;;);
    if (text === 'end') process.exit(1);
    return { action: 'allow', text: 'served', results: [], safeUntil: 0, replacements: [] };
  },
}));
