import { expect, test } from 'vitest';
import type { Comment } from '../../api/service.ts';
import { commentGroups, openComments } from './comment-groups.ts';

const comment = (id: string, spanId: string | null, resolvedAt: string | null = null): Comment => ({
  id,
  traceId: 't',
  spanId,
  body: id,
  anchor: null,
  author: { id: 'u', name: 'Ada' },
  createdAt: '2026-11-20T10:00:00.000Z',
  editedAt: null,
  resolvedAt,
  mentions: [],
});
const comments = [
  comment('1', 'call'),
  comment('2', null),
  comment('3', 'gone'),
  comment('4', 'root', '2026-11-20T10:00:00.000Z'),
  comment('5', 'call'),
];
const spans = [
  { spanId: 'root', name: 'answer' },
  { spanId: 'call', name: 'chat' },
];

test('comments stand by what they are on, the trace first and the spans in their order', () => {
  const groups = commentGroups(comments, spans);
  expect(groups.map(({ spanId, name, comments: of }) => [spanId, name, of.map(({ id }) => id).join()])).toEqual([
    [null, 'Trace', '2'],
    ['root', 'answer', '4'],
    ['call', 'chat', '1,5'],
    ['gone', 'gone', '3'],
  ]);
});

test('resolved comments are not counted', () => {
  expect([...openComments(comments)]).toEqual([
    ['call', 2],
    [null, 1],
    ['gone', 1],
  ]);
});
