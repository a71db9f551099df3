import { expect, test } from 'vitest';
import { readDocuments } from './read-documents.ts';

const score = 0.82;
const cases: Record<string, unknown> = {
  LangChain: [{ pageContent: 'Refunds take 5 days.', metadata: { source: 'faq.md' }, score }],
  'LangChain in Python, with scores': [[{ page_content: 'Refunds take 5 days.', metadata: { source: 'faq.md' } }, score]],
  'LangChain, serialized': [
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain', 'Document'],
      kwargs: { page_content: 'Refunds take 5 days.', metadata: { source: 'faq.md' } },
      score,
    },
  ],
  LlamaIndex: [{ node: { id_: 'n1', text: 'Refunds take 5 days.', metadata: { file_name: 'faq.md' } }, score }],
  OpenInference: [{ document: { content: 'Refunds take 5 days.', metadata: { source: 'faq.md' } }, score }],
  'OpenInference attributes': [
    { 'document.content': 'Refunds take 5 days.', 'document.score': score, metadata: { source: 'faq.md' } },
  ],
  Haystack: { documents: [{ id: 'd', content: 'Refunds take 5 days.', meta: { url: 'faq.md' }, score }] },
  Pinecone: { matches: [{ id: 'v1', score, metadata: { text: 'Refunds take 5 days.', source: 'faq.md' } }] },
  Elasticsearch: { hits: [{ _id: '1', _score: score, _source: { body: 'Refunds take 5 days.', title: 'faq.md' } }] },
  'JSON text': JSON.stringify([{ text: 'Refunds take 5 days.', source: 'faq.md', score }]),
};

test.each(Object.entries(cases))('documents of %s', (_, value) => {
  expect(readDocuments(value)).toMatchObject([{ text: 'Refunds take 5 days.', score, title: 'faq.md' }]);
});

test.each([
  ['messages', [{ role: 'user', content: 'hi', id: 'm' }]],
  ['objects of another kind', [{ text: 'only a text' }]],
  ['a list with something else in it', [{ text: 'a', score: 1 }, 3]],
  ['texts', ['a', 'b']],
  ['an empty list', []],
  ['null', null],
  ['a text', 'documents'],
])('%s are no documents', (_, value) => {
  expect(readDocuments(value)).toBeNull();
});
