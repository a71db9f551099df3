import type { IncidentsQuery, IncidentStatus } from '../../api/wire.ts';
import { incidentStatuses } from '../../content/alert-words.ts';
import { rangeStart, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';

/** The search parameters of the list of incidents. */
export interface IncidentsSearch extends RangeSearch {
  status?: IncidentStatus | undefined;
  /** The ID of a rule. */
  rule?: string | undefined;
  environment?: string | undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readIncidentsSearch(search: Record<string, unknown>): IncidentsSearch {
  const status = incidentStatuses.find((known) => known === search['status']);
  const rule = text(search['rule']);
  const environment = text(search['environment']);
  return {
    ...readRange(search),
    ...(status === undefined ? {} : { status }),
    ...(rule === undefined || !/^[0-9a-f-]{36}$/i.test(rule) ? {} : { rule }),
    ...(environment === undefined ? {} : { environment }),
  };
}

/** The request for the list: incidents opened in the range. */
export function incidentsRequest(search: IncidentsSearch, nowMs: number): IncidentsQuery {
  const { to, status, rule, environment } = search;
  const startMs = rangeStart(search, nowMs);
  return {
    ...(startMs === null ? {} : { from: new Date(startMs).toISOString() }),
    ...(to === undefined ? {} : { to }),
    ...(status === undefined ? {} : { status }),
    ...(rule === undefined ? {} : { ruleId: rule }),
    ...(environment === undefined ? {} : { environment }),
  };
}
