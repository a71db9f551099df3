import { expect, test } from 'vitest';
import { settled } from './dashboard.ts';
import { replaceText } from './replace-text.ts';
import { triagePrompt } from './special-prompts.ts';
import { dashboard, openAs, page, visitDashboard } from './visit.ts';

visitDashboard();

const open = (path: string) => openAs('owner', path);

const parameters = (...names: string[]) => names.map((name) => new URL(page.url()).searchParams.get(name));
const bar = () => page.getByRole('textbox', { name: 'Filter' });
const footer = () => page.getByText(/^[\d,]+ traces$/);
const firstTrace = () => page.getByRole('table', { name: 'Traces' }).getByRole('row').nth(1).getByRole('link').first();

test('traces are filtered by score, by a missing score, and by a score of any evaluator', async () => {
  await open('/traces?environment=evaluation');
  await footer().waitFor();
  const all = await footer().innerText();
  await replaceText(bar(), 'environment:evaluation score.helpfulness:<=0.5 passed.helpfulness:false');
  await bar().press('Enter');
  await expect
    .poll(() => parameters('filter'))
    .toEqual(['environment:evaluation score.helpfulness:<=0.5 passed.helpfulness:false']);
  await settled(page);
  await footer().waitFor();
  expect(await footer().innerText()).not.toBe(all);
  await firstTrace().click();
  await page.getByRole('button', { name: /^Trace\b/ }).click();
  const scores = page.getByRole('region', { name: 'Scores' });
  await scores.getByRole('listitem').filter({ hasText: 'helpfulness' }).getByText('failed').waitFor();
  await page.goBack();
  await replaceText(bar(), 'environment:evaluation');
  await bar().press('Enter');
  await expect.poll(() => footer().innerText()).toBe(all);
  await open('/traces?environment=evaluation&unscoredBy=helpfulness');
  await page.getByText('No matching traces').waitFor();
  expect(parameters('filter')).toEqual(['environment:evaluation -scored:helpfulness']);
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect.poll(() => parameters('filter')).toEqual([null]);
  // Scores by any evaluator have no words in the language of filters: a chip.
  await open('/traces?environment=evaluation&maxScore=0.5&passed=false');
  await page.getByText('any evaluator ≤ 0.5, failed').waitFor();
  await page.getByRole('button', { name: 'Remove filter Score' }).click();
  await expect.poll(() => parameters('maxScore', 'passed', 'filter')).toEqual([null, null, 'environment:evaluation']);
});

test('a prompt version links to its traces', async () => {
  await open(`/prompts/${encodeURIComponent(triagePrompt)}?view=metrics`);
  const row = page
    .getByRole('table', { name: 'Metrics by version' })
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: 'Version 3' }) });
  await row.getByRole('link', { name: 'View traces of version 3' }).click();
  await expect.poll(() => parameters('filter')).toEqual([`any(prompt:${triagePrompt} promptVersion:3)`]);
  await firstTrace().waitFor();
  const id = await firstTrace().getAttribute('href');
  const answer = await page.request.get(`/v1/projects/${dashboard.projectId}/traces/${id?.split('/').at(-1)?.split('?')[0]}`);
  const { spans } = (await answer.json()) as { spans: Array<{ promptName: string | null; promptVersion: number | null }> };
  expect(spans.some(({ promptName, promptVersion }) => promptName === triagePrompt && promptVersion === 3)).toBe(true);
});

test('the quality of a model links to traces with low scores', async () => {
  const model = 'gpt-4o-2024-08-06';
  const startTime = new Date().toISOString();
  await dashboard.send([
    { type: 'span', traceId: 'poor-answer', spanId: 'a', kind: 'llm', model, name: 'poor answer', startTime },
    { type: 'score', scoreId: 'poor-answer', traceId: 'poor-answer', spanId: 'a', evaluator: 'lenient', score: 0.02 },
    {
      type: 'score',
      scoreId: 'failed-answer',
      traceId: 'poor-answer',
      spanId: 'a',
      evaluator: 'strict',
      score: 0.7,
      passed: false,
    },
  ]);
  const stored = `${dashboard.service.url}/v1/projects/${dashboard.projectId}/traces?name=poor%20answer&evaluator=lenient`;
  const headers = { 'x-api-key': dashboard.service.apiKey };
  await expect.poll(async () => (await fetch(stored, { headers })).text()).toContain('poor-answer');
  await open('/models/gpt-4o-2024-08-06');
  const table = page.getByRole('table', { name: 'Quality by evaluator' });
  const ofFailed = await table.getByRole('link', { name: 'View traces with low scores of strict' }).getAttribute('href');
  expect(new URL(ofFailed ?? '', page.url()).search).toBe('?model=gpt-4o-2024-08-06&evaluator=strict&passed=false');
  await table.getByRole('link', { name: 'View traces with low scores of lenient' }).click();
  // The lowest tenth of the scale, where none failed: not those under the mean.
  await expect.poll(() => parameters('filter')).toEqual(['model:gpt-4o-2024-08-06 score.lenient:<=0.1']);
  await firstTrace().waitFor();
});

test('an evaluation of a run item links to that item', async () => {
  await open('/evaluations?target=run_item');
  await page.getByRole('row').nth(1).getByRole('link').last().click();
  await page.getByRole('region', { name: 'Run item' }).waitFor();
  expect(parameters('item')).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
});

test('the next trace of a queue is requested from the list', async () => {
  await open('/annotation?evaluator=helpfulness&pick=low&below=0.5&environment=evaluation');
  const read: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/traces\/./.test(pathname)) read.push(pathname);
  });
  const low = page.getByRole('complementary', { name: 'Annotation' }).getByText('helpfulness').first();
  await low.waitFor();
  await settled(page);
  const [first] = parameters('trace');
  await page.keyboard.press('n');
  await expect.poll(() => parameters('trace')).not.toEqual([first]);
  await settled(page);
  // The two that were shown, and the prefetched next one.
  expect(new Set(read).size).toBeLessThanOrEqual(3);
  await page.getByLabel('Max score').fill('-5');
  await page.keyboard.press('Enter');
  await page.getByText('Queue empty').waitFor();
});
