import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compiledPrompts, guardedTexts } from './vectors.ts';

/** Writes packages/vectors, which the tests of both SDKs read: `node packages/sdk/scripts/write-vectors.ts`. */
const folder = fileURLToPath(new URL('../../vectors/', import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, cases] of Object.entries({ 'compiled-prompts': compiledPrompts(), 'guarded-texts': guardedTexts() })) {
  writeFileSync(`${folder}${name}.jsonl`, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
}
