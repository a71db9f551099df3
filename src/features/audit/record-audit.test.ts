import { expectTypeOf, test } from 'vitest';
import type { recordAudit } from './record-audit.ts';
import type { AnyAuditRecord } from './record-audit.ts';

type Recorded<Kind extends string, Detail> = Pick<AnyAuditRecord, 'organizationId' | 'projectId' | 'actor' | 'subject'> & {
  kind: Kind;
  detail: Detail;
};

test('a record takes the detail that its kind declares', () => {
  expectTypeOf<Recorded<'member.added', { email: string; role: 'owner' }>>().toExtend<AnyAuditRecord>();
  expectTypeOf<Recorded<'member.added', { email: string }>>().not.toExtend<AnyAuditRecord>();
  expectTypeOf<Recorded<'member.added', { email: string; role: 'emperor' }>>().not.toExtend<AnyAuditRecord>();
  expectTypeOf<Recorded<'member.added', { name: string; prefix: string }>>().not.toExtend<AnyAuditRecord>();
  expectTypeOf<Recorded<'member.invented', object>>().not.toExtend<AnyAuditRecord>();
  // Kinds of features that do not exist yet have no detail that could be recorded.
  expectTypeOf<Recorded<'guardrail.created', object>>().not.toExtend<AnyAuditRecord>();
  type OfTokens = Parameters<typeof recordAudit<'token.created'>>[2]['detail'];
  expectTypeOf<OfTokens>().toEqualTypeOf<{ name: string; prefix: string }>();
});
