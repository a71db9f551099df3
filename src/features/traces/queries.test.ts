import { expect, test } from 'vitest';
import type { SqlPart } from '../../platform/clickhouse/index.ts';
import { digestsSql } from './comparison/compare-traces.ts';
import { countsSql } from './count-traces.ts';
import { sessionSql, sessionTracesSql } from './get-session.ts';
import { traceSql } from './get-trace.ts';
import { sessionsSql } from './list-sessions.ts';
import { keyColumnsSql, readKeyColumns } from './key-columns.ts';
import { countSql, membersOf } from './member-filters.ts';
import { acrossEdgeSql, partlyExpiredSql, remainingSql } from './partly-expired.ts';
import { sessionScoresSql, traceScoresSql } from './scores.ts';
import { headerSql, sizesSql } from './span-headers.ts';
import { rootsSql, spanPayloadsSql, spanSizesSql } from './span-payloads.ts';
import { hasTraceSql } from './open-trace.ts';
import { spansSql } from './read-spans.ts';
import { traceErrorsSql } from './trace-errors.ts';
import { figureColumns, latestTraceScoresSql, summariesSql } from './trace-figures.ts';
import { endOfPartSql, partlyExpiredTracesSql, tracesSql } from './trace-list-store.ts';
import type { TraceListing } from './trace-list-store.ts';
import { filterFields } from '../../contract/filter/fields.ts';
import { readFilter } from '../../contract/filter/read-filter.ts';
import { spansMeeting, tracesMeeting } from './filter/meeting.ts';
import { readTraceFilter } from './filter/read-filter.ts';
import { noFilter } from './filter/trace-filter.ts';
import { callSumsSql, spanCountsSql } from './span-list/count-spans.ts';
import { absentSql, evaluationSql } from './span-list/given-fields.ts';
import { ownFacetsSql } from './span-list/own-facets.ts';
import { endOfSpansSql } from './span-list/list-spans.ts';
import { listedCallsSql, listedHeadersSql, listedScoresSql, listedSpansSql, traceColumns } from './span-list/listed-spans.ts';
import { wholeOf } from './span-list/time-part.ts';
import { endOfRowsSql, positionsSql } from './span-list/span-positions.ts';
import { textHitsSql } from './span-list/walk-texts.ts';
import { spanOrder } from './span-list/span-order.ts';
import { hitsSql } from './text-search/text-search.ts';
import { conditionsOf } from './trace-filters.ts';
import { traceOrder } from './trace-order.ts';
import { userCallsSql, userDaysSql, userGuardrailsSql, userSql } from './users/get-user.ts';
import { usersSql } from './users/list-users.ts';
import { userOrders } from './users/user-order.ts';
import { anyUser, ofUsers, outcomesOfUsersSql, scoresOfUsersSql } from './users/user-traces.ts';

const range = { fromNs: 1n, beforeNs: 2n };
const plain: TraceListing = {
  range,
  conditions: conditionsOf({}, {}, 0),
  isNarrow: false,
  rare: null,
  q: undefined,
  search: null,
  order: traceOrder('-startTime'),
};
const scoreFilters = { evaluator: 'evaluator', minScore: 0.25, maxScore: 0.5, passed: 'false' } as const;
const promptFilters = { promptName: 'prompt', promptVersion: '3' };
const [scored, prompted] = [membersOf(scoreFilters), membersOf(promptFilters)];
const written =
  'cost:>1 NOT user:a (tokens:>1k OR tool:search*) any(status:error latency:>2s) none(provider:openai) score.helpful:>0.5 outcome:resolved commented:true refund metadata.a.b:(x OR y)';
const everything: TraceListing = {
  range,
  conditions: conditionsOf(
    {
      ...scoreFilters,
      unscoredBy: 'other',
      ...promptFilters,
      errorCode: ['timeout'],
      metadata: ['region:eu', 'region:us', 'key'],
      model: ['model'],
      agent: ['agent'],
      session: ['session'],
      user: ['user'],
      environment: ['environment'],
      status: 'error',
      tag: ['tag', 'other'],
      release: ['release'],
      name: ['name'],
      minLatency: 1,
      minCost: 2,
      simulated: 'false',
      traceId: ['a', 'b'],
    },
    { filter: written },
    0,
  ),
  isNarrow: true,
  rare: null,
  q: 'say "it"',
  search: null,
  order: traceOrder('-latency'),
};
const after = { value: '5', id: 'after' };
const last = { value: '3', id: 'last' };
const sessionFilters = { user: 'user', environment: 'environment', q: 'q', filter: noFilter };
const edgeMs = 4;
const partlyExpired = {
  edgeMs,
  traces: { text: 'SELECT arrayJoin({partlyExpired:Array(String)})', parameters: { partlyExpired: ['a'] } },
  newestNs: 6n,
};
/** Among some traces. */
function meeting(on: 'spans' | 'traces') {
  const filter = readFilter('user:ada tool:search score.helpful:>0.5 refund', on, 0) ?? { type: 'all', terms: [] };
  const among = { text: 'SELECT arrayJoin({some:Array(String)})', parameters: { some: ['a'] } };
  return on === 'spans' ? spansMeeting(filter, among) : tracesMeeting(filter, among);
}
const spansOf = {
  range,
  filter: readFilter('user:ada tool:search score.helpful:>0.5 refund', 'spans', 0),
  anySource: false,
  roots: false,
  reading: null,
  table: 'spans' as const,
};
const headersOf = {
  ...spansOf,
  filter: readFilter('user:ada environment:prod tool:search score.helpful:>0.5', 'spans', 0),
  table: 'span_headers' as const,
  given: new Set(['environment']),
};
const ownFields = filterFields.spans
  .filter(({ name }) => ['name', 'model'].includes(name))
  .map((field) => ({ counted: { field, path: [] }, own: field.name }));
const byIndex = { hasWords: true, isRare: true, isHeld: true };
const spanPart = { part: wholeOf(range), lookUp: { partlyExpired }, evaluator: null };
const afterSpan = { value: '5', id: '["trace","span"]' };
const ofUser = { range, conditions: conditionsOf({}, {}, 0), ofUser: ofUsers(['ada']) };
const ofFilteredUsers = { range, conditions: conditionsOf({}, { filter: written }, 0), ofUser: anyUser };
const afterUser = { value: '5', id: '7 ada' };
const buckets = { startMs: 0, lengthMs: 1000, count: 60 };

// The texts do not contain the tenant filter: the engine adds it to every table.
const queries: Record<string, string | SqlPart> = {
  'traces-page': tracesSql(plain, { after, last }, 51),
  'traces-end-of-part': endOfPartSql(plain, after, 256),
  'traces-page-all-filters': tracesSql(everything, { after, last }, 51),
  'traces-end-of-part-all-filters': endOfPartSql(everything, after, 1024),
  'traces-page-by-score': tracesSql({ ...plain, conditions: conditionsOf(scoreFilters, {}, 0) }, { after: null, last: null }, 51),
  'traces-page-by-rare-score': tracesSql(
    { ...plain, conditions: conditionsOf({ ...scoreFilters, ...promptFilters }, {}, 0), rare: scored[0] ?? null },
    { after, last: null },
    51,
  ),
  ...Object.fromEntries([...scored, ...prompted].map((member) => [`traces-with-${member.table}`, countSql(member, 10_000)])),
  'traces-counted': countsSql(everything, buckets, null),
  'traces-counted-partly-expired': countsSql(everything, buckets, partlyExpired),
  'errors-of-traces': traceErrorsSql,
  'key-columns-of-spans': keyColumnsSql('spans', readKeyColumns(['metadata.tenant', 'attribute.http.route'], 'spans', 0)),
  'key-columns-of-traces': keyColumnsSql('traces', readKeyColumns(['metadata.a.b'], 'traces', 0)),
  trace: traceSql,
  'trace-headers': headerSql(true),
  'trace-headers-without-sizes': headerSql(false),
  'trace-span-sizes': sizesSql,
  'compared-contents': digestsSql,
  'trace-found': hasTraceSql,
  'trace-spans': spansSql(true),
  'trace-spans-without-payloads': spansSql(false),
  'trace-scores': traceScoresSql,
  'traces-page-partly-expired': partlyExpiredTracesSql(plain, partlyExpired, { after, last }, 51),
  'traces-page-partly-expired-all-filters': partlyExpiredTracesSql(everything, partlyExpired, { after, last }, 51),
  'partly-expired': partlyExpiredSql(partlyExpired.traces, edgeMs),
  'partly-expired-candidates': acrossEdgeSql(edgeMs, 5n),
  'remaining-of-traces': remainingSql(['a', 'b'], 'cost', edgeMs),
  'sessions-page': sessionsSql(range, sessionFilters, after, 51, null),
  'sessions-page-partly-expired': sessionsSql(range, sessionFilters, after, 51, partlyExpired),
  'spans-meeting': meeting('spans'),
  'traces-meeting': meeting('traces'),
  'sessions-page-filtered': sessionsSql(range, { filter: readTraceFilter({ filter: written }, 0) }, after, 51, null),
  session: sessionSql(null).text,
  'session-partly-expired': sessionSql(partlyExpired),
  'session-traces': sessionTracesSql(null).text,
  'session-traces-partly-expired': sessionTracesSql(partlyExpired),
  'session-scores': sessionScoresSql,
  'roots-of-traces': rootsSql,
  'span-sizes': spanSizesSql,
  'span-payloads': spanPayloadsSql,
  'spans-page': positionsSql(spansOf, spanOrder('-startTime'), { ...spanPart, after: afterSpan }, 51),
  'spans-page-by-texts': positionsSql(
    spansOf,
    spanOrder('-startTime'),
    { ...spanPart, lookUp: { hits: [{ traceId: 'trace', spanId: 'span', version: 7, startNs: 1n }] }, after: null },
    51,
  ),
  'spans-page-of-headers': positionsSql(headersOf, spanOrder('-startTime'), { ...spanPart, after: afterSpan }, 51),
  'spans-page-of-headers-by-texts': positionsSql(
    headersOf,
    spanOrder('-startTime'),
    { ...spanPart, lookUp: { hits: [{ traceId: 'trace', spanId: 'span', version: 7, startNs: 1n }] }, after: null },
    51,
  ),
  'text-hits': textHitsSql({ texts: ['say "it" Größe 東京', 'refund'], hasWords: true }, wholeOf(range), 102, true),
  'text-hits-without-index': textHitsSql({ texts: ['refund'], hasWords: false }, wholeOf(range), 102, true),
  'text-end-of-window': endOfRowsSql('span_texts', wholeOf(range), 16_384, true),
  'text-hits-counted': hitsSql(['refund'], { hasWords: true, within: null }),
  'traces-page-by-text': tracesSql({ ...plain, q: 'refund', search: byIndex }, { after, last }, 51),
  'traces-page-by-rare-text': tracesSql(
    { ...plain, conditions: conditionsOf({}, { filter: 'refund cost:>1' }, 0), search: byIndex },
    { after: null, last: null },
    51,
  ),
  'spans-page-by-score': positionsSql(
    { ...spansOf, filter: null, roots: true },
    spanOrder('score.helpful'),
    { after: afterSpan, part: wholeOf(range), lookUp: null, evaluator: 'helpful' },
    51,
  ),
  'spans-end-of-part': endOfSpansSql(wholeOf(range), 64, true),
  'spans-counted': spanCountsSql(spansOf, buckets),
  'headers-counted': spanCountsSql(headersOf, buckets),
  'calls-of-spans-counted': callSumsSql(spansOf, buckets),
  'calls-of-headers-counted': callSumsSql(
    { ...headersOf, filter: readFilter('model:m status:error environment:(prod OR dev) NOT promptVersion:>2', 'spans', 0) },
    buckets,
  ),
  'headers-facets': ownFacetsSql(ownFields, { ...headersOf, on: 'spans', partlyExpired: null, lots: 11 }),
  'headers-without-an-own-field': absentSql('session_id', wholeOf(range)),
  'traces-of-evaluations': evaluationSql(wholeOf(range)),
  'spans-listed': listedSpansSql,
  'headers-listed': listedHeadersSql,
  'calls-of-listed-spans': listedCallsSql,
  'scores-of-listed-spans': listedScoresSql,
  'traces-of-listed-spans': summariesSql(traceColumns),
  'figures-of-traces': summariesSql(figureColumns),
  'latest-scores-of-traces': latestTraceScoresSql,
  'users-page': usersSql({ ...ofUser, ofUser: anyUser }, userOrders['-cost'], null, 51, null),
  'users-page-filtered': usersSql(ofFilteredUsers, userOrders['-lastSeen'], afterUser, 51, null),
  'users-page-partly-expired': usersSql(ofFilteredUsers, userOrders['-errors'], afterUser, 51, partlyExpired),
  'scores-of-users': scoresOfUsersSql(ofUser, null),
  'outcomes-of-users': outcomesOfUsersSql(ofUser, null),
  user: userSql(ofUser, null),
  'days-of-user': userDaysSql(ofUser, null),
  'models-of-user': userCallsSql(ofUser, 'model', null),
  'agents-of-user': userCallsSql(ofUser, 'agent_name', null),
  'guardrails-of-user': userGuardrailsSql(ofUser, null),
};

// Making the summaries of retained records is the most expensive part of a query. A filter on members or on ids does not need them.
test.each([
  ['traces-counted-partly-expired', 1],
  ['traces-page-partly-expired-all-filters', 1],
  ['sessions-page-partly-expired', 2],
  ['session-partly-expired', 1],
])('%s makes the summaries of partly expired traces %i times', (name, times) => {
  const query = queries[name];
  const text = typeof query === 'string' ? query : (query?.text ?? '');
  expect(text.split('AS is_call').length - 1).toBe(times);
});

test.each(Object.entries(queries))('the query %s is the one reviewed', async (name, query) => {
  const text = typeof query === 'string' ? query : `${query.text}\n\n-- ${JSON.stringify(query.parameters)}`;
  await expect(`${text}\n`).toMatchFileSnapshot(`queries/${name}.sql`);
});
