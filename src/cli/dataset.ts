import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Command, Option } from 'commander';
import { configOfProcess } from '../config.ts';
import { Refusal } from './refusal.ts';
import { openServiceClient } from './service-client.ts';
import type { ServiceClient } from './service-client.ts';

const formats = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof formats;

interface Flags {
  url?: string;
  key?: string;
  project?: string;
  format?: Format;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `spanwise dataset import|export`: items of a dataset from a file and to a file, through a running service. */
export function datasetCommand(): Command {
  const dataset = new Command('dataset').description('Datasets of a running service');
  const reporting =
    (work: (name: string, file: string, flags: Flags) => Promise<void>) =>
    async (name: string, file: string, flags: Flags): Promise<void> => {
      try {
        await work(name, file, flags);
      } catch (error) {
        if (error instanceof Refusal) dataset.error(`spanwise: ${error.message}`);
        throw error;
      }
    };
  transfer(dataset, 'import', 'Add the items of a JSONL or CSV file, all or nothing', '- reads standard input').action(
    reporting(importFile),
  );
  transfer(dataset, 'export', 'Write all items to a JSONL or CSV file', '- writes standard output').action(reporting(exportFile));
  return dataset;
}

async function importFile(name: string, file: string, flags: Flags): Promise<void> {
  const service = serviceOf(flags);
  const source = file === '-' ? process.stdin : (await opened(file, 'r')).createReadStream();
  const id = await datasetId(service, name);
  const answer = await service.send(`/v1/datasets/${id}/import`, {
    method: 'POST',
    headers: { 'content-type': formats[formatOf(file, flags)] },
    body: Readable.toWeb(source) as never,
    duplex: 'half',
  } as RequestInit);
  const { imported } = (await answer.json()) as { imported: number };
  process.stderr.write(`imported ${imported} items\n`);
}

async function exportFile(name: string, file: string, flags: Flags): Promise<void> {
  const service = serviceOf(flags);
  const id = await datasetId(service, name);
  const answer = await service.send(`/v1/datasets/${id}/export?format=${formatOf(file, flags)}`);
  const items = Readable.fromWeb(answer.body as ReadableStream);
  if (file === '-') {
    await pipeline(items, process.stdout, { end: false });
    return;
  }
  await (await opened(file, 'w')).close();
  try {
    await pipeline(items, createWriteStream(file));
  } catch (error) {
    // A partial file cannot be told from a complete one.
    await rm(file, { force: true });
    throw new Refusal(`the export broke off (${(error as Error).message}); try again`);
  }
  process.stderr.write(`exported ${name} to ${file}\n`);
}

async function opened(file: string, mode: 'r' | 'w') {
  try {
    return await open(file, mode);
  } catch (error) {
    throw new Refusal(
      `${file} cannot be ${mode === 'r' ? 'read' : 'written'} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    );
  }
}

function transfer(dataset: Command, name: string, description: string, dash: string): Command {
  return dataset
    .command(name)
    .description(description)
    .argument('<dataset>', 'its id or name')
    .argument('<file>', `the file; ${dash}`)
    .addOption(
      new Option('--format <format>', 'default: by the ending of the file, .csv or else jsonl').choices(Object.keys(formats)),
    )
    .option('--url <url>', 'where the service is; default: SPANWISE_PUBLIC_URL, else this machine at SPANWISE_PORT')
    .option('--key <key>', 'an API key, or a personal access token; default: SPANWISE_API_KEY')
    .option('--project <id>', 'the project; needed with a personal access token');
}

function formatOf(file: string, { format }: Flags): Format {
  return format ?? (extname(file).toLowerCase() === '.csv' ? 'csv' : 'jsonl');
}

/** The service that the options name; by default the one that the environment's settings start. */
function serviceOf(flags: Flags): ServiceClient {
  const config = configOfProcess();
  const url = flags.url ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`;
  const key = flags.key ?? config.apiKey;
  if (key === null) throw new Refusal('give an API key or a personal access token with --key, or set SPANWISE_API_KEY');
  const client = openServiceClient({ url, credential: key, urlOption: '--url' });
  const project = flags.project === undefined ? '' : `projectId=${encodeURIComponent(flags.project)}`;
  const pathOf = (path: string) => (project === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${project}`);
  return { ...client, send: (path, init) => client.send(pathOf(path), init) };
}

/** The id of a dataset given by id or name. */
async function datasetId(service: ServiceClient, name: string): Promise<string> {
  const answer = await service.send(`/v1/datasets?name=${encodeURIComponent(name)}`);
  const { datasets } = (await answer.json()) as { datasets: Array<{ id: string }> };
  const id = datasets[0]?.id ?? (uuidPattern.test(name) ? name : null);
  if (id === null) throw new Refusal(`the project has no dataset ${name}; GET /v1/datasets lists those that there are`);
  return id;
}
