import { Command, InvalidArgumentError } from 'commander';
import { serve } from '../main.ts';
import { storeNamed, storeNames } from '../platform/installation/index.ts';
import type { StoreName } from '../platform/installation/index.ts';

/** `spanwise serve`: runs the service with the environment's settings. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Run the service (docs/guides/configuration.md lists the environment variables)')
    .option(
      '--accept-missing <store>',
      `start although this store is missing or another installation's, and accept the loss: ${storeNames.join(', ')}`,
      (given: string, earlier: StoreName[] = []) => [...earlier, ...given.split(',').map(accepted)],
    )
    .action(({ acceptMissing }: { acceptMissing?: StoreName[] }) => serve(acceptMissing));
}

function accepted(name: string): StoreName {
  const store = storeNamed(name);
  if (store === null) throw new InvalidArgumentError(`name one of ${storeNames.join(', ')}.`);
  return store;
}
