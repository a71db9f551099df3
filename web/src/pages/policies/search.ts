import { readVersion } from '../../version-number.ts';

export const policyTabs = ['policies', 'plan', 'revisions'] as const;
export type PolicyTab = (typeof policyTabs)[number];

/** The search parameters of the policies page. */
export interface PoliciesSearch {
  /** `policies` by default. */
  view?: PolicyTab | undefined;
  /** The selected revision; the newest by default. */
  revision?: number | undefined;
  /** The revision that it is compared with; the previous one by default. */
  with?: number | undefined;
}

/** Parses the search parameters of a URL; invalid values are dropped. */
export function readPoliciesSearch(search: Record<string, unknown>): PoliciesSearch {
  const view = policyTabs.find((one) => one === search['view'] && one !== 'policies');
  const revision = readVersion(search['revision']);
  const other = readVersion(search['with']);
  return {
    ...(view === undefined ? {} : { view }),
    ...(revision === undefined ? {} : { revision }),
    ...(other === undefined ? {} : { with: other }),
  };
}
