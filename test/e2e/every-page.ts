import { failingTraceId, hostileTraceId, toolTraceId } from './special-traces.ts';

/** Every page of the dashboard by its path inside a project, with a name for files and test titles. */
export const everyPage: ReadonlyArray<readonly [name: string, path: string]> = [
  ['overview', ''],
  ['start', '/start'],
  ['traces', '/traces'],
  ['traces-filtered', '/traces?status=error&q=rate&model=gpt-4o-2024-08-06'],
  ['traces-none', '/traces?q=nothing-has-this-text'],
  ['trace', `/traces/${toolTraceId}`],
  ['trace-span', `/traces/${toolTraceId}?span=answer`],
  ['trace-failed', `/traces/${failingTraceId}`],
  ['trace-hostile', `/traces/${hostileTraceId}?span=call`],
  ['trace-not-there', '/traces/no-such-trace'],
  ['sessions', '/sessions'],
  ['session', '/sessions/weather-chat'],
  ['models', '/models'],
  ['model', '/models/gpt-4o-2024-08-06'],
  ['settings-keys', '/settings/keys'],
  ['settings-members', '/settings/members'],
  ['settings-tokens', '/settings/tokens'],
  ['settings-organization', '/settings/organization'],
];
