import { crc32, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

const traceId = 'media-trace';

/** A PNG of one colour, in base64. */
function png(width: number, height: number): string {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([head, body, sum]);
  };
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width);
  size.writeUInt32BE(height, 4);
  size.set([8, 2], 8);
  const row = Buffer.alloc(1 + width * 3, 120);
  row[0] = 0;
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64');
}

/** A second of silence, in base64. */
function wav(): string {
  const head = Buffer.alloc(44);
  head.write('RIFF');
  head.writeUInt32LE(8036, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(8000, 40);
  return Buffer.concat([head, Buffer.alloc(8000, 128)]).toString('base64');
}

const content = [
  { text: 'What is on these?' },
  { inlineData: { mimeType: 'image/png', data: png(1200, 900) } },
  { inlineData: { mimeType: 'audio/wav', data: wav() } },
  { fileData: { mimeType: 'image/jpeg', fileUri: 'https://images.example/cat.jpg' } },
  { inlineData: { mimeType: 'image/png', data: 'bm8gaW1hZ2U=' } },
];

test('images and sounds of a conversation are shown from data in a bounded size, and links are not loaded', async () => {
  const startMs = Date.now() - 60_000;
  await dashboard.send([
    {
      type: 'span',
      traceId,
      spanId: 'call',
      name: 'generate_content',
      kind: 'llm',
      model: 'gemini-2.5-flash',
      startTime: new Date(startMs).toISOString(),
      endTime: new Date(startMs + 900).toISOString(),
      input: { contents: [{ role: 'user', parts: content }] },
      output: { candidates: [{ content: { role: 'model', parts: [{ text: 'A grey square.' }] } }] },
    },
  ]);
  await openAs('owner', '/settings/organization');
  await settled(page);
  await expect
    .poll(async () => (await page.request.get(`/v1/projects/${dashboard.projectId}/traces/${traceId}`)).status())
    .toBe(200);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  await page.goto(dashboard.address(`/traces/${traceId}`));
  const input = page.getByRole('region', { name: 'Input' });
  const image = input.getByRole('img', { name: 'image/png' });
  await image.first().waitFor();
  await expect.poll(() => image.first().evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1200);
  const box = await image.first().boundingBox();
  expect(box?.height).toBeLessThanOrEqual(321);
  await expect.poll(() => input.locator('audio').evaluate((sound: HTMLAudioElement) => Math.round(sound.duration))).toBe(1);
  await input.getByText('cannot be shown').waitFor();
  expect(await input.getByRole('link').getAttribute('href')).toBe('https://images.example/cat.jpg');
  expect(requested.filter((url) => url.includes('images.example'))).toEqual([]);
  await page.getByRole('region', { name: 'Output' }).getByText('A grey square.').waitFor();
});
