import { errorBody } from '../../../contract/common.ts';
import {
  guardrailActivity,
  guardrailActivityQuery,
  guardrailsParams,
  reportAnswer,
  reportBody,
} from '../../../contract/guardrails.ts';
import { tenantOf } from '../../../platform/http/index.ts';
import type { Server } from '../../../platform/http/index.ts';
import { readActivity } from './read-activity.ts';
import type { ActivityContext } from './read-activity.ts';
import { reportActivity } from './report-activity.ts';
import type { ReportContext } from './report-activity.ts';

const tags = ['governance'];

/** Reports of the SDK, and the activity (docs/semantics.md, "Guardrail activity"). */
export function activityRoutes(app: Server, context: ActivityContext & ReportContext): void {
  app.post(
    '/v1/guardrails/report',
    {
      config: { access: { who: 'key' } },
      schema: {
        tags,
        summary: 'Report what the SDK checked in the application',
        body: reportBody,
        response: { 202: reportAnswer, 400: errorBody, 401: errorBody, 413: errorBody, 503: errorBody },
      },
    },
    async (request, reply) => reply.code(202).send(await reportActivity(context, tenantOf(request), request.body.reports)),
  );
  app.get(
    '/v1/projects/:id/guardrails/activity',
    {
      config: { access: { who: 'key-or-session', permission: 'dashboard:read' } },
      schema: {
        tags,
        summary: 'What the guardrails of a project did over a range',
        params: guardrailsParams,
        querystring: guardrailActivityQuery,
        response: { 200: guardrailActivity, 400: errorBody, 401: errorBody, 403: errorBody, 404: errorBody },
      },
    },
    (request) => readActivity(context, tenantOf(request), request.query),
  );
}
