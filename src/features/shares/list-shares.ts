import type { Share } from '../../contract/shares.ts';
import type { SharesContext } from './shares-context.ts';

/** The valid links of a trace, newest first. Their secrets are not stored. */
export async function listShares({ db, clock }: SharesContext, projectId: string, traceId: string): Promise<{ shares: Share[] }> {
  const rows = await db
    .selectFrom('shares')
    .select(['id', 'payloads', 'redact', 'expires_at', 'views'])
    .where('project_id', '=', projectId)
    .where('trace_id', '=', traceId)
    .where('expires_at', '>', new Date(clock.now()))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return {
    shares: rows.map(({ expires_at: expiresAt, ...rest }) => ({
      ...rest,
      views: Number(rest.views),
      expiresAt: expiresAt.toISOString(),
    })),
  };
}
