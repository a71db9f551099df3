import {
  guardrailActivity,
  guardrailActivityQuery,
  guardrailsParams,
  reportAnswer,
  reportBody,
} from '../../../contract/guardrails.ts';
import { route, tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { readActivity } from './read-activity.ts';
import type { ActivityContext } from './read-activity.ts';
import { reportActivity } from './report-activity.ts';
import type { ReportContext } from './report-activity.ts';

const tags = ['governance'];

/** Reports of the SDK, and the activity (docs/semantics.md, "Guardrail activity"). */
export function activityRoutes(app: Server, context: ActivityContext & ReportContext): void {
  route(app, 'POST', '/v1/guardrails/report', {
    access: { who: 'key', keyScopes: ['guardrails:check'] },
    tags,
    summary: 'Report what the SDK checked in the application',
    body: reportBody,
    answer: [202, reportAnswer],
    errors: [413, 503],
    handle: async (request, reply) =>
      reply.code(202).send(await reportActivity(context, tenantOf(request), request.body.reports)),
  });
  route(app, 'GET', '/v1/projects/:id/guardrails/activity', {
    access: { who: 'key-or-session', permission: 'dashboard:read', keyScopes: ['admin-read'] },
    tags,
    summary: 'What the guardrails of a project did over a range',
    params: guardrailsParams,
    query: guardrailActivityQuery,
    answer: guardrailActivity,
    handle: (request) => readActivity(context, tenantOf(request), request.query),
  });
}
