import { isUuid } from '../../contract/uuid.ts';
import { createWriteStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Command, Option } from 'commander';
import type { CommandIo } from './command-io.ts';
import { replaceFile } from './replace-file.ts';
import { exitCodes, reporting } from './run-command.ts';
import { findService, withServiceOptions } from './service/find-service.ts';
import type { Service, ServiceFlags } from './service/find-service.ts';
import { Misuse, NoAnswer, Refusal } from './service/refusal.ts';
import { numberOf } from './traces/figures.ts';

const formats = { jsonl: 'application/x-ndjson', csv: 'text/csv' } as const;
type Format = keyof typeof formats;

interface Flags extends ServiceFlags {
  format?: Format;
}

/** `spanwise dataset import|export`: items of a dataset from a file and to a file, through a running service. */
export function datasetCommand(io: CommandIo): Command {
  const dataset = new Command('dataset').description('Datasets of a running service');
  transfer(dataset, 'import', 'Add the items of a JSONL or CSV file, all or nothing', '- reads standard input').action(
    (name: string, file: string, flags: Flags) => reporting(io, flags, () => importFile(io, name, file, flags)),
  );
  transfer(dataset, 'export', 'Write all items to a JSONL or CSV file', '- writes standard output').action(
    (name: string, file: string, flags: Flags) => reporting(io, flags, () => exportFile(io, name, file, flags)),
  );
  return dataset;
}

async function importFile({ environment, terminal }: CommandIo, name: string, file: string, flags: Flags): Promise<number> {
  const service = await findService(flags, environment);
  const source = file === '-' ? process.stdin : (await opened(file, 'r')).createReadStream();
  try {
    const id = await datasetId(service, name);
    const answer = await service.client.send(await service.inProject(`/v1/datasets/${id}/import`), {
      method: 'POST',
      headers: { 'content-type': formats[formatOf(file, flags)] },
      body: Readable.toWeb(source) as never,
      duplex: 'half',
    } as RequestInit);
    const { imported } = (await answer.json()) as { imported: number };
    if (flags.json) terminal.print(JSON.stringify({ datasetId: id, imported }));
    else terminal.warn(`imported ${numberOf(imported, 'item')}`);
  } finally {
    if (file !== '-') source.destroy();
  }
  return exitCodes.done;
}

async function exportFile({ environment, terminal }: CommandIo, name: string, file: string, flags: Flags): Promise<number> {
  if (file === '-' && flags.json) throw new Misuse('standard output takes the items or, with --json, what was done; name a file');
  const service = await findService(flags, environment);
  const id = await datasetId(service, name);
  const path = await service.inProject(`/v1/datasets/${id}/export?format=${formatOf(file, flags)}`);
  const answer = await service.client.send(path);
  const items = answer.body as ReadableStream;
  if (file === '-') {
    await pipeline(Readable.fromWeb(items), process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
      // What reads the output, such as `head`, has enough.
      if (error.code !== 'EPIPE') throw error;
    });
    return exitCodes.done;
  }
  await writeWhole(file, items);
  if (flags.json) terminal.print(JSON.stringify({ datasetId: id, file }));
  else terminal.warn(`exported ${name} to ${file}`);
  return exitCodes.done;
}

/**
 * Writes beside the file and renames, so that a file that is there is kept until all has arrived. Another kind of file, such as a pipe, is written itself.
 *
 * Errors: {@link Refusal}; {@link NoAnswer} when the answer breaks off.
 */
async function writeWhole(file: string, items: ReadableStream): Promise<void> {
  const there = await stat(file).catch(() => null);
  const target = there === null ? file : await realpath(file);
  const write = async (path: string): Promise<void> => {
    await (await opened(path, 'w', file)).close();
    // A stream of Node would throw an error that comes before it is read.
    await pipeline(Readable.fromWeb(items), createWriteStream(path));
  };
  try {
    await (there === null || there.isFile() ? replaceFile(target, write) : write(target));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new NoAnswer(`the export broke off (${(error as Error).message}); try again`);
  }
}

/** @param named what messages call the file */
async function opened(file: string, mode: 'r' | 'w', named = file) {
  try {
    return await open(file, mode);
  } catch (error) {
    throw new Refusal(
      `${named} cannot be ${mode === 'r' ? 'read' : 'written'} (${(error as NodeJS.ErrnoException).code ?? 'unknown reason'})`,
    );
  }
}

function transfer(dataset: Command, name: string, description: string, dash: string): Command {
  const command = dataset
    .command(name)
    .description(description)
    .argument('<dataset>', 'its id or name')
    .argument('<file>', `the file; ${dash}`)
    .addOption(
      new Option('--format <format>', 'default: by the ending of the file, .csv or else jsonl').choices(Object.keys(formats)),
    );
  return withServiceOptions(command);
}

function formatOf(file: string, { format }: Flags): Format {
  return format ?? (extname(file).toLowerCase() === '.csv' ? 'csv' : 'jsonl');
}

/** The id of a dataset given by id or name. */
async function datasetId({ client, inProject }: Service, name: string): Promise<string> {
  const path = await inProject(`/v1/datasets?name=${encodeURIComponent(name)}`);
  const { datasets } = await client.json<{ datasets: Array<{ id: string }> }>('GET', path);
  const id = datasets[0]?.id ?? (isUuid(name) ? name : null);
  if (id === null) throw new Refusal(`the project has no dataset ${name}; GET /v1/datasets lists those that there are`);
  return id;
}
