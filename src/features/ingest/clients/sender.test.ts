import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scopeText } from './scope-text.ts';
import { senderOf } from './sender.ts';

const id = '0123456789abcdef';
const none = { queueFull: 0, tooOld: 0, refused: 0 };
const sdk = (header: string) => senderOf({ 'x-spanwise-client': header, 'user-agent': 'node' }, 'http');

test('the header of the SDK names client, version, instance and what was dropped', () => {
  const header = `sdk-js/1.2.0; sent=9; accepted=5; rejected=1; queue_full=2; too_old=1; refused=3; queued=4; id=${id}`;
  const dropped = { queueFull: 2, tooOld: 1, refused: 3 };
  expect(sdk(header)).toEqual({ kind: 'sdk', client: 'sdk-js', version: '1.2.0', instance: { id, dropped } });
  expect(senderOf({ 'x-spanwise-client': header }, 'otlp').kind).toBe('sdk');
});

test.each([
  ['sdk-js/1', { version: '1', instance: null }],
  [`sdk-js/1; id=${id}`, { instance: { id, dropped: none } }],
  [`sdk-js/1; id=${id.toUpperCase()}`, { instance: null }],
  [`sdk-js/1; queue_full=-1; too_old=1e9; refused=99999999999999; id=${id}`, { instance: { id, dropped: none } }],
  [`sdk-js/1; refused=9999999999999; id=${id}`, { instance: { id, dropped: { ...none, refused: 1_000_000_000_000 } } }],
])('%s', (header, expected) => {
  expect(sdk(header)).toMatchObject({ kind: 'sdk', client: 'sdk-js', ...expected });
});

test.each(['', 'sdk-js', '/1', 'a b/1', 'sdk\u202e/1', `sdk-js/1; ${'x'.repeat(512)}`])('%j is no header of an SDK', (header) => {
  expect(sdk(header)).toEqual({ kind: 'http', client: 'node', version: '', instance: null });
});

test.each([
  ['OTel-OTLP-Exporter-JavaScript/0.223.1', 'OTel-OTLP-Exporter-JavaScript', '0.223.1'],
  ['OTel OTLP Exporter Go/1.28.0', 'OTel OTLP Exporter Go', '1.28.0'],
  ['OpenTelemetry Collector Contrib/0.103.0 (linux/amd64)', 'OpenTelemetry Collector Contrib', '0.103.0'],
  ['curl/8.5.0', 'curl', '8.5.0'],
  ['node', 'node', ''],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Mozilla', '5.0'],
  [undefined, 'unknown', ''],
  ['', 'unknown', ''],
  ['()', 'unknown', ''],
])('the user agent %j', (header, client, version) => {
  expect(senderOf({ 'user-agent': header }, 'otlp')).toEqual({ kind: 'otlp', client, version, instance: null });
});

test('names are printable and bounded, whatever is sent', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 }));
  fc.assert(
    fc.property(text, text, (one, other) => {
      const { client, version } = senderOf({ 'x-spanwise-client': one, 'user-agent': other }, 'otlp');
      expect(`${client}${version}`).toMatch(/^[\x20-\x7e]{1,144}$/);
      expect(scopeText({ name: one, version: other })).toMatch(/^[^\p{C}\p{Zl}\p{Zp}]{0,120}$/u);
    }),
    { numRuns: 40 },
  );
  expect(scopeText({ name: 'openai', version: '1' })).toBe('openai@1');
  expect(scopeText({ name: 'openai', version: '' })).toBe('openai');
  expect(scopeText({ name: '', version: '1' })).toBe('');
});
