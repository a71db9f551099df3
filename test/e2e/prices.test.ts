import { expect, test } from 'vitest';
import { openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const table = (name: string) => page.getByRole('table', { name });
const dialog = () => page.getByRole('dialog');

test('an unpriced model gets a price, and a repricing shows the cost before and after it changes past calls', async () => {
  await openAs('owner', '/settings/prices');
  const unpriced = table('Unpriced models').getByRole('row').filter({ hasText: 'Set price' });
  const name = (await unpriced.first().getByRole('cell').first().innerText()).trim();
  await unpriced.first().getByRole('button', { name: 'Set price' }).click();
  await dialog().getByLabel('Input', { exact: true }).fill('many');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await dialog().getByText('Enter an amount such as 2.50.').waitFor();
  await dialog().getByLabel('Input', { exact: true }).fill('100');
  await dialog().getByLabel('Output', { exact: true }).fill('200');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await table('Prices of this project').getByRole('row').filter({ hasText: name }).waitFor();
  await page.getByRole('button', { name: 'Reprice past calls' }).last().click();
  await dialog().getByRole('button', { name: 'Preview' }).click();
  await dialog().getByText('Nothing has been changed yet.').waitFor();
  expect(await dialog().innerText()).toMatch(/Cost before\s+\$0\s+Cost after\s+\$[\d.]+\s+\+\$[\d.]+/);
  await dialog()
    .getByRole('button', { name: /^Change [\d,]+ costs?$/ })
    .click();
  await dialog().getByText('Costs changed. Figures include them now.').waitFor();
  await dialog().getByRole('button', { name: 'Done' }).click();
  await table('Unpriced models').getByText(name, { exact: true }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: `Delete price of ${name}` }).click();
  await dialog().getByRole('button', { name: 'Delete' }).click();
  await table('Prices of this project').getByText(name, { exact: true }).waitFor({ state: 'detached' });
});

test('a viewer sees prices and changes none', async () => {
  await openAs('viewer', '/settings/prices');
  await table('Prices of this project').getByRole('row').filter({ hasText: 'acme/reranker-2' }).waitFor();
  expect(await page.getByRole('button', { name: /price|Reprice/ }).count()).toBe(0);
});

test('the inspector shows what is stored of a body, what no field uses, and why a span is rejected', async () => {
  await openAs('owner', '/mapping');
  await page.getByRole('button', { name: 'Inspect' }).click();
  const mapping = table('Field mapping');
  await mapping.getByRole('row').filter({ hasText: 'requestModel' }).getByText('gen_ai.request.model').waitFor();
  await page.getByText('1 unmapped attribute').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'team' }).waitFor();
  await page.getByRole('button', { name: 'Stored span' }).click();
  await page.getByRole('group', { name: 'Show' }).waitFor();
  const paste = async (text: string) => {
    // `fill` of an editor may insert before the text that is there.
    const editor = page.getByRole('textbox', { name: 'OTLP JSON body' });
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    await expect.poll(() => editor.innerText()).toBe(text);
  };
  await paste('{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0"}]}]}]}');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByText('No span would be stored').waitFor();
  expect(await page.getByRole('alert').innerText()).toContain('1 span rejected.');
  await paste('{"spans":[]}');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByText('There are no spans in resourceSpans').waitFor();
  await paste('{');
  await page.getByRole('button', { name: 'Inspect' }).click();
  await page.getByRole('alert').filter({ hasText: 'JSON' }).waitFor();

  await page.getByRole('button', { name: 'Recorded span' }).click();
  await page.getByLabel('Trace').selectOption({ index: 1 });
  await page.getByLabel('Span', { exact: true }).selectOption({ index: 1 });
  await mapping.getByRole('row').filter({ hasText: 'kind' }).waitFor();
  expect(new URL(page.url()).searchParams.get('span')).not.toBeNull();
});
