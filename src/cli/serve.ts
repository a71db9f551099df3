import { Command } from 'commander';
import { serve } from '../main.ts';

/** `spanwise serve`: runs the service with the environment's settings. */
export function serveCommand(): Command {
  return new Command('serve').description('Run the service (README.md lists the environment variables)').action(() => serve());
}
