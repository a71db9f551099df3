export type { AuditKind } from '../../contract/audit.ts';
export { auditActorOf, recordAudit, recordAudits } from './record-audit.ts';
export type { AuditActor, AuditRecord } from './record-audit.ts';
export { recordRetention } from './record-retention.ts';
export { auditRoutes } from './routes.ts';
