import { auditSources } from './audit-sources.ts';
import type { EvidenceSource } from './evidence-source.ts';
import { members } from './members-source.ts';
import { portSources } from './port-sources.ts';
import { rowSources } from './row-sources.ts';

export const evidenceSources = { ...auditSources, ...rowSources, ...portSources, members } as const satisfies Record<
  string,
  EvidenceSource
>;
export type EvidenceType = keyof typeof evidenceSources;
