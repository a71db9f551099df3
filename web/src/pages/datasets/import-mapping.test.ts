import { expect, test } from 'vitest';
import { columnsParameter, guessedMapping } from './import-mapping.ts';

test.each([
  [['Question', 'Answer', 'topic', 'ID'], { input: 'Question', expectedOutput: 'Answer', externalId: 'ID' }],
  [['id', 'frage', 'antwort'], { input: 'frage', expectedOutput: '', externalId: 'id' }],
  [['expected_output', 'user prompt'], { input: 'user prompt', expectedOutput: 'expected_output', externalId: '' }],
  [[], { input: '', expectedOutput: '', externalId: '' }],
])('%j are guessed', (columns, mapping) => expect(guessedMapping(columns)).toEqual({ ...mapping, otherColumns: true }));

test('other columns become metadata where they shall', () => {
  const columns = ['q', 'a', 'topic', ''];
  const mapping = { input: 'q', expectedOutput: '', externalId: 'a', otherColumns: true };
  expect(JSON.parse(columnsParameter(mapping, columns))).toEqual({ input: 'q', externalId: 'a', metadata: ['topic'] });
  expect(JSON.parse(columnsParameter({ ...mapping, otherColumns: false }, columns))).toEqual({ input: 'q', externalId: 'a' });
});
