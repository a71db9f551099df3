export { chainRange, entriesOf, hashAt } from './chain-range.ts';
export type { AuditTimes, ChainRange } from './chain-range.ts';
export type { EntryRow } from './entry-row.ts';
export { open } from './open.ts';
export { recordAudit, recordAuditInEach, recordAudits } from './record-audit.ts';
export { verifyChain } from './verify-chain.ts';
