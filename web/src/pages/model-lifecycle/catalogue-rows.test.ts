import { expect, test } from 'vitest';
import type { ListedEntry } from '../../api/service.ts';
import { daysUntil, searchCatalogue } from './catalogue-rows.ts';

const entry = (model: string, fields: Partial<ListedEntry> = {}): ListedEntry => ({
  model,
  provider: 'openai',
  aliases: [],
  announcedOn: null,
  retiresOn: null,
  certainty: null,
  replacement: null,
  source: null,
  checkedOn: null,
  override: false,
  ...fields,
});

test.each([
  ['', ['gpt-4o', 'own', 'o3']],
  ['GPT', ['gpt-4o', 'own']],
  ['gpt azure', ['own']],
  ['chat-latest', ['o3']],
  ['claude', []],
])('%j finds %j', (search, models) => {
  const entries = [
    entry('gpt-4o'),
    entry('own', { provider: 'azure', replacement: 'gpt-5' }),
    entry('o3', { aliases: ['chat-latest'] }),
  ];
  expect(searchCatalogue(entries, search).map(({ model }) => model)).toEqual(models);
});

test('days are whole UTC days', () => {
  const nowMs = Date.UTC(2026, 10, 20, 23, 59);
  expect(['2026-11-19', '2026-11-20', '2026-11-21'].map((day) => daysUntil(day, nowMs))).toEqual([-1, 0, 1]);
});
