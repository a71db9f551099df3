import type { IncidentStatus, IncidentsQuery } from '../../api/parts.ts';
import type { Incident } from '../../api/service.ts';
import { rangeRequest, rangeStart, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { given, textOf } from '../../search-values.ts';
import { dayMs } from '../../../../src/contract/durations.ts';
import { incidentStatuses } from '../../../../src/contract/kinds.ts';

/** The search parameters of the list of incidents. */
export interface IncidentsSearch extends RangeSearch {
  status?: IncidentStatus | undefined;
  /** The ID of a rule. */
  rule?: string | undefined;
  environment?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readIncidentsSearch(search: Record<string, unknown>): IncidentsSearch {
  const rule = textOf(search['rule']);
  return given({
    ...readRange(search),
    status: incidentStatuses.find((known) => known === search['status']),
    rule: rule !== undefined && /^[0-9a-f-]{36}$/i.test(rule) ? rule : undefined,
    environment: textOf(search['environment']),
  });
}

/** The request for the list: incidents opened in the range. */
export function incidentsRequest(search: IncidentsSearch, nowMs: number): IncidentsQuery {
  const { status, rule, environment } = search;
  const { to } = rangeRequest(search, nowMs);
  const startMs = rangeStart(search, nowMs);
  return {
    ...(startMs === null ? {} : { from: new Date(startMs).toISOString() }),
    ...(to === undefined ? {} : { to }),
    ...(status === undefined ? {} : { status }),
    ...(rule === undefined ? {} : { ruleId: rule }),
    ...(environment === undefined ? {} : { environment }),
  };
}

/** A trace of an incident's window may have begun so long before the incident opened. */
const longestTraceMs = 7 * dayMs;

/** The request for the worst traces of an incident. */
export function worstTracesRequest({ sampleTraceIds, openedAt }: Pick<Incident, 'sampleTraceIds' | 'openedAt'>) {
  return { traceId: [...sampleTraceIds], from: new Date(Date.parse(openedAt) - longestTraceMs).toISOString() };
}
