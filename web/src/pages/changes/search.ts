import type { ListChangesQuery } from '../../api/parts.ts';
import { rangeRequest, readRange } from '../../range.ts';
import type { RangeSearch } from '../../range.ts';
import { given, textOf } from '../../search-values.ts';
import { changeKinds } from '../../../../src/contract/kinds.ts';

/** The search parameters of the list of changes. */
export interface ChangesSearch extends RangeSearch {
  kind?: (typeof changeKinds)[number] | undefined;
  environment?: string | undefined;
  service?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readChangesSearch(search: Record<string, unknown>): ChangesSearch {
  return given({
    ...readRange(search),
    kind: changeKinds.find((known) => known === search['kind']),
    environment: textOf(search['environment']),
    service: textOf(search['service']),
  });
}

/** The request for the list. */
export function changesRequest(search: ChangesSearch, nowMs: number): ListChangesQuery {
  const { kind, environment, service } = search;
  return {
    ...rangeRequest(search, nowMs),
    ...(kind === undefined ? {} : { kind }),
    ...(environment === undefined ? {} : { environment }),
    ...(service === undefined ? {} : { service }),
  };
}

/** Hours before and after a change that can be compared. */
export const impactHours = [1, 6, 24, 72, 168] as const;
export type ImpactHours = (typeof impactHours)[number];
const defaultHours: ImpactHours = 24;

/** The search parameters of a change. */
export interface ChangeSearch {
  /** 24 by default. */
  hours?: ImpactHours | undefined;
  model?: string | undefined;
  agent?: string | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readChangeSearch(search: Record<string, unknown>): ChangeSearch {
  return given({
    hours: impactHours.find((known) => String(known) === String(search['hours']) && known !== defaultHours),
    model: textOf(search['model']),
    agent: textOf(search['agent']),
  });
}

/** The request for the impact of a change. */
export function impactRequest({ hours = defaultHours, model, agent }: ChangeSearch) {
  return { hours, ...(model === undefined ? {} : { model }), ...(agent === undefined ? {} : { agent }) };
}
