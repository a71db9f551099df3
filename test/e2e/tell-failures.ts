import { afterEach } from 'vitest';
import type { TestContext } from 'vitest';
import { openPages } from './dashboard.ts';

/** Prints what the open pages show when a test failed: a timeout alone does not say what was there instead. */
export async function tellFailure({ task }: TestContext): Promise<void> {
  if (task.result?.state !== 'fail') return;
  const pages = await openPages();
  if (pages.length > 0) process.stdout.write(`${task.name} failed:\n${pages.join('\n')}\n`);
}

// For pages that a file opens itself (the configuration's set-up).
afterEach(tellFailure);
