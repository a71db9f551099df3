import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { catalogueIn, importCatalogue } from '../features/model-lifecycle/index.ts';
import { systemClock } from '../platform/clock/clock.ts';
import { withPostgres } from './with-postgres.ts';

/** `spanwise catalogue import`: replaces the shipped dates of retirement (docs/semantics.md, "Model lifecycle"). */
export function catalogueCommand(): Command {
  const catalogue = new Command('catalogue').description('Retirement dates of models');
  catalogue
    .command('import')
    .description('Replace the catalogue of retirement dates by a file; the next scan uses it')
    .argument(
      '<file>',
      'JSON: {"reviewedOn": "2027-01-31", "models": [{"provider", "model", "retiresOn", "certainty": "firm", ...}]}, or the models alone',
    )
    .action(async (file: string, _flags: object, command: Command) => {
      const now = new Date(systemClock.now());
      const { data, error } = catalogueIn(await readJson(file, command), now);
      if (data === undefined)
        return command.error(`spanwise: ${file} is no catalogue; nothing was changed.\n${z.prettifyError(error)}`);
      await withPostgres((postgres) => importCatalogue(postgres.db, data, now));
      console.log(`The catalogue has ${data.models.length} models, reviewed on ${data.reviewedOn}`);
    });
  return catalogue;
}

/** Ends the command with a sentence where there is no JSON in the file. */
async function readJson(file: string, command: Command): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(({ code, message }: NodeJS.ErrnoException) =>
    command.error(`spanwise: ${file} cannot be read (${code ?? message}); nothing was changed`),
  );
  try {
    return JSON.parse(text);
  } catch {
    return command.error(`spanwise: ${file} is not JSON; nothing was changed`);
  }
}
