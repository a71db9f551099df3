export { open } from './open.ts';
export { recordAudit, recordAuditInEach, recordAudits } from './record-audit.ts';
