import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { bodyLimits } from '../../platform/budgets/index.ts';
import { callerKey, readWhole, refuseExcess } from '../../platform/http/index.ts';
import type { Server } from '../../platform/http/index.ts';
import type { ItemTexts } from './item-texts.ts';
import { readFieldsRequest } from './payload-texts.ts';
import type { PayloadTexts } from './payload-texts.ts';

/** Maximum body of the routes that accept items. */
export const maxBodyBytes = bodyLimits.items.bytes;
/**
 * Parses JSON bodies with exact numbers and members of any name. On routes that accept items the free-form fields are removed from the body and kept as text
 * in `request.payloads`.
 */
export function takeJsonBodies(scope: Server, itemTexts: ItemTexts): void {
  scope.decorateRequest('payloads', null);
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const bytes = await readWhole(request, payload);
    if (bytes.length === 0) return undefined;
    refuseExcess(request, bytes);
    if (request.routeOptions.config.body !== 'items') return readFieldsRequest(bytes);
    const { body, payloads } = await itemTexts.request(bytes, callerKey(request));
    request.payloads = payloads;
    return body;
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The free-form fields of the items; set on routes that accept items. */
    payloads: readonly PayloadTexts[] | null;
  }
}
