import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { unknownFormat } from '../src/features/datasets/file-format.ts';
import { fileLines } from '../src/features/datasets/file-lines.ts';
import { contentsOfCsvRecord, contentsOfJsonLine, csvRows, jsonlRows } from '../src/features/datasets/import-rows.ts';
import { jsonObjectInText } from '../src/features/model-connections/ask/json-object-in-text.ts';
import { commaTags } from '../src/features/otlp/readers/attribute-readers.ts';
import { partsOf } from '../src/features/prompts/references.ts';
import { templateNames } from '../src/features/prompts/template-names.ts';
import { jsonFault } from '../src/platform/json/json-fault.ts';
import { redactSecret, withoutSecret } from '../src/features/model-connections/ask/without-secret.ts';
import { equalOutputs } from '../src/features/simulations/targets/equal-json.ts';
import { outputOf } from '../src/features/simulations/targets/output-of.ts';
import { SecretMask } from '../src/features/simulations/trying/secret-mask.ts';
import { holdsMoreValues, nestsDeeper, pointerSteps } from '../src/platform/json/index.ts';
import { cutText, escapeHtml, storableText } from '../src/platform/text/index.ts';

/**
 * Work on texts that callers size takes time proportional to the text: twice the text takes less than three times the CPU. Each case is given the text that
 * is worst for it. The shortest of several rounds counts, and a case is measured again before it fails: the machine does other work.
 */

const rounds = 3;
const mostRatio = 3;
const attempts = 6;
/** Microseconds below which a measurement says nothing. */
const shortest = 2_000;

type Work = (length: number) => () => unknown;

const key = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(33 + ((at * 7 + ((at / 94) | 0)) % 94))).join('');
const reading = (isCsv: boolean): Parameters<typeof csvRows>[1] => ({
  read: {
    ofJsonLine: async (line, text) => contentsOfJsonLine(line, text),
    ofCsvRecord: async (line, text, layout) => contentsOfCsvRecord(line, text, layout),
  },
  format: unknownFormat(isCsv),
  columns: undefined,
});

const cases: Record<string, Work> = {
  'a secret in an answer, by the length of both': (length) => {
    const secret = key(length / 8);
    const text = secret.slice(0, 7).repeat(length / 7);
    return () => redactSecret(text, secret);
  },
  'an answer that is a secret again and again': (length) => {
    const [secret, text] = [key(512), key(512).repeat(length / 512)];
    return () => redactSecret(text, secret);
  },
  'one character again and again': (length) => {
    const [secret, text] = ['a'.repeat(512), 'a'.repeat(length)];
    return () => redactSecret(text, secret);
  },
  'a refusal of a server': (length) => {
    const [secret, text] = [key(512), 'a'.repeat(length)];
    return () => withoutSecret(text, secret);
  },
  'secrets of a target in what it answered': (length) => {
    const mask = new SecretMask(Array.from({ length: 20 }, (_, at) => `${at}"${key(200)}`));
    const text = key(7).repeat(length / 7);
    return () => mask.hide(text);
  },
  'objects in an answer': (length) => {
    const text = '{"a":{} '.repeat(length / 8);
    return () => jsonObjectInText(text, ['a']);
  },
  'many objects in an answer': (length) => {
    const text = 'x {"a":1} '.repeat(length / 10);
    return () => jsonObjectInText(text, ['b']);
  },
  'a string in an answer that never ends': (length) => {
    const text = `{"a":"\n${'\\"'.repeat(length / 2)}`;
    return () => jsonObjectInText(text, ['a']);
  },
  'line breaks in a string of an answer': (length) => {
    const text = `{"a":"${'\n'.repeat(length)}"}`;
    return () => jsonObjectInText(text, ['a']);
  },
  'references in a prompt': (length) => {
    const text = `${'{{> a }}'.repeat(length / 16)}${'{{> '.repeat(length / 8)}`;
    return () => partsOf(text);
  },
  'variables of a prompt': (length) => {
    const text = `${'{{a}} '.repeat(length / 12)}${'{{'.repeat(length / 4)}`;
    return () => templateNames('text', text);
  },
  'tags of a span': (length) => {
    const text = Array.from({ length: length / 8 }, (_, at) => `tag ${at % 50}`).join(',');
    return () => commaTags(text, { json: JSON.parse } as never);
  },
  'a fault in JSON': (length) => {
    const text = `[${'"a",'.repeat(length / 4)}`;
    return () => jsonFault(text);
  },
  'an output': (length) => {
    const body = Buffer.from(`{"a":[${'1,'.repeat(Math.min(length / 2, 90_000))}1]}`);
    return () => outputOf(body, '/a');
  },
  'two outputs that are equal': (length) => {
    const text = JSON.stringify({ a: Array.from({ length: length / 8 }, (_, at) => at) });
    return () => equalOutputs(text, text);
  },
  'values of a body': (length) => {
    const body = Buffer.from('"'.repeat(length));
    return () => holdsMoreValues(body, 10);
  },
  'levels of a value': (length) => {
    const value = Array.from({ length: length / 4 }, () => []);
    return () => nestsDeeper(value, 10);
  },
  'a JSON pointer': (length) => {
    const pointer = '/~1~0'.repeat(length / 5);
    return () => pointerSteps(pointer);
  },
  'a text that is cut': (length) => {
    const text = '\ud83d\ude00'.repeat(length / 2);
    return () => cutText(text, length - 1);
  },
  'a text for the database': (length) => {
    const text = '\0\ud800'.repeat(length / 2);
    return () => storableText(text);
  },
  'a text for a page': (length) => {
    const text = '<&"'.repeat(length / 3);
    return () => escapeHtml(text);
  },
};

const lines: Record<string, (length: number) => AsyncIterable<unknown>> = {
  'CSV with a cell of many lines': (length) =>
    csvRows(fileLines(Readable.from([Buffer.from(`input\n"${'a\n'.repeat(length / 2)}"\n`)])), reading(true)),
  'CSV with many quotes': (length) =>
    csvRows(fileLines(Readable.from([Buffer.from(`input\n"${'""'.repeat(length / 2)}"\n`)])), reading(true)),
  'JSONL with many lines': (length) =>
    jsonlRows(fileLines(Readable.from([Buffer.from('{"input":1}\n'.repeat(length / 12))])), reading(false)),
};

/** CPU of `work`, in microseconds: the least of some rounds. */
async function cpuOf(work: () => unknown): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = process.threadCpuUsage();
    await work();
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

async function ratioOf(prepare: (length: number) => () => unknown): Promise<number> {
  let length = 32_768;
  let once = await cpuOf(prepare(length));
  // Long enough to be measured.
  while (once < shortest && length < 8_388_608) once = await cpuOf(prepare((length *= 2)));
  const twice = await cpuOf(prepare(length * 2));
  return twice / Math.max(once, shortest / 2);
}

async function leastRatioOf(prepare: (length: number) => () => unknown): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && least >= mostRatio; attempt++) least = Math.min(least, await ratioOf(prepare));
  return least;
}

describe('twice the text takes less than three times the CPU', () => {
  test.each(Object.entries(cases))('%s', async (_name, prepare) => {
    expect(await leastRatioOf(prepare)).toBeLessThan(mostRatio);
  });

  test.each(Object.entries(lines))('%s', async (_name, open) => {
    const prepare = (length: number) => async () => {
      let rows = 0;
      for await (const _row of open(length)) rows += 1;
      return rows;
    };
    expect(await leastRatioOf(prepare)).toBeLessThan(mostRatio);
  });
});
