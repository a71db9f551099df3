import { SingleBar } from 'cli-progress';
import type { BatchRun } from '../../../contract/simulations.ts';

/** Shows how far a run is. */
export interface Progress {
  show(run: Pick<BatchRun, 'status' | 'counts'>): void;
  end(): void;
}

/** A progress bar on standard error; nothing where that is no terminal. */
export function processProgress(): Progress {
  const bar = new SingleBar({ format: '{status} {bar} {value}/{total} items', stream: process.stderr, clearOnComplete: true });
  let shown = false;
  return {
    show: ({ status, counts: { total, pending } }) => {
      if (process.stderr.isTTY !== true) return;
      if (!shown) bar.start(total, 0, { status });
      shown = true;
      bar.update(total - pending, { status });
    },
    end: () => {
      if (shown) bar.stop();
      shown = false;
    },
  };
}
