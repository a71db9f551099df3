import { expect, test } from 'vitest';
import { openAs, page, visitDashboard } from './visit.ts';

visitDashboard({ shares: true });

test('clients are listed with what was accepted, rejected with reasons, and dropped', async () => {
  await openAs('viewer', '/settings/clients');
  const table = page.getByRole('table', { name: 'Clients' });
  await table.waitFor();
  const row = (version: string) => table.getByRole('row').filter({ hasText: version });
  expect(await row('1.4.0').innerText()).toMatch(/sdk-js\s+SDK\s+1\.4\.0\s.*\s[1-9]\d*\s+0\s+0/s);
  const worse = await row('1.3.2').innerText();
  expect(worse).toMatch(/1 invalid_request\s+1 unsupported_media_type/);
  expect(worse).toMatch(/2\.33K\s+2,310 queue full\s+12 too old\s+4 refused/);
  const scoped = row('@opentelemetry/instrumentation-openai@0.21.0');
  expect(await scoped.innerText()).toMatch(/OTel-OTLP-Exporter-Python\s+OTLP/);
});
