import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { catalogueFile } from '../contract/model-lifecycle.ts';
import { importCatalogue } from '../features/model-lifecycle/index.ts';
import type { LifecycleDb } from '../features/model-lifecycle/index.ts';
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
      'JSON: {"reviewedOn": "2027-01-31", "models": [{"provider", "model", "retiresOn", "certainty": "firm", ...}]}',
    )
    .action(async (file: string) => {
      const { data, error } = catalogueFile.safeParse(await readJson(file));
      if (data === undefined)
        return catalogue.error(`spanwise: ${file} is no catalogue; nothing was changed.\n${z.prettifyError(error)}`);
      await withPostgres((postgres) => importCatalogue(postgres.db as unknown as LifecycleDb, data, new Date(systemClock.now())));
      console.log(`The catalogue has ${data.models.length} models, reviewed on ${data.reviewedOn}`);
    });
  return catalogue;
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
