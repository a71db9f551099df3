import { serveParent } from '../../../platform/thread-rpc/index.ts';
import type { CheckedText, CheckFunctions } from './check-worker.ts';

// A thread that does what the text says.
serveParent<CheckFunctions>(() => ({
  ready: () => undefined,
  load: () => undefined,
  sizesOf: () => [],
  check(_key, { text }): CheckedText {
    if (text === 'hang') for (;;);
    if (text === 'end') process.exit(1);
    return { action: 'allow', text: 'served', results: [], safeUntil: 0 };
  },
}));
