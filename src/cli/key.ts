import { Command } from 'commander';
import { makeApiKey } from '../contract/api-key.ts';

/** `spanwise key generate`: prints a key for `SPANWISE_API_KEY`. */
export function keyCommand(): Command {
  const key = new Command('key').description('API keys');
  key
    .command('generate')
    .description('Print a new API key for SPANWISE_API_KEY at the first start')
    .action(() => console.log(makeApiKey()));
  return key;
}
