import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deliveries } from './delivery-vectors.ts';
import { compiledPrompts, guardedTexts } from './vectors.ts';

/** Writes packages/vectors, which the tests of both SDKs read: `node packages/sdk/scripts/write-vectors.ts`. */
const folder = fileURLToPath(new URL('../../vectors/', import.meta.url));
mkdirSync(folder, { recursive: true });
const vectors = { 'compiled-prompts': compiledPrompts(), deliveries: await deliveries(), 'guarded-texts': guardedTexts() };
for (const [name, cases] of Object.entries(vectors)) {
  writeFileSync(`${folder}${name}.jsonl`, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
}
