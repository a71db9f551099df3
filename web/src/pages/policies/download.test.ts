import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { downloadOf } from './download.ts';

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

test('a single file is downloaded as it is', async () => {
  const files = [{ path: 'guardrails/pii.yaml', content: '# why\nkind: Guardrail\n' }];
  const { name, type, content } = await downloadOf({ files, revision: 4 }, 'shop');
  expect([name, type, textOf(content)]).toEqual(['pii.yaml', 'application/yaml', '# why\nkind: Guardrail\n']);
});

test('several files are an archive that holds each with its path', async () => {
  const files = [
    { path: 'a.yaml', content: '\uFEFFü: 1\n' },
    { path: 'guardrails/ü.yml', content: '' },
  ];
  const { name, type, content } = await downloadOf({ files, revision: 12 }, 'shop');
  expect([name, type]).toEqual(['policies-shop-12.zip', 'application/zip']);
  const unpacked = Object.entries(unzipSync(content)).map(([path, bytes]) => ({ path, content: textOf(bytes) }));
  expect(unpacked).toEqual(files);
});
