import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { startMs, times } from './share-requests.ts';
import type { ShareRequests } from './share-requests.ts';

/** A text of one field, found nowhere else. */
export const mark = (field: string) => `zq${createHash('sha256').update(field).digest('hex').slice(0, 12)}`;

/** The fields that a link may show always, and those of a link with payloads. */
export const always = [
  'span.name',
  'trace.name',
  'model',
  'provider',
  'agent',
  'operation',
  'errorCode',
  'tokenClass',
  'tool.name',
];
export const ofPayloads = [
  'span.input',
  'span.output',
  'tool.arguments',
  'errorMessage',
  'trace.input',
  'trace.output',
  'otlp.input',
  'otlp.message',
];
export const never = [
  'session',
  'user',
  'environment',
  'release',
  'span.tag',
  'trace.tag',
  'promptName',
  'metadata.key',
  'metadata.value',
  'trace.metadata',
  'attribute.key',
  'attribute.value',
  'score.evaluator',
  'score.label',
  'score.comment',
  'outcome',
  'outcome.metadata',
  'human.evaluator',
  'otlp.attribute',
  'otlp.resource',
  'otlp.service',
  'otlp.scope',
  'otlp.event',
  'otlp.stack',
  'otlp.link',
  'otlp.state',
];

/** Sends a trace of native events with a mark in every field that has a text. */
export async function sendMarked(app: TestApp, { call }: ShareRequests, traceId: string): Promise<void> {
  const common = {
    sessionId: mark('session'),
    userId: mark('user'),
    environment: mark('environment'),
    release: mark('release'),
  };
  const span = {
    ...common,
    ...times,
    type: 'span',
    traceId,
    tags: [mark('span.tag')],
    promptName: mark('promptName'),
    promptVersion: 7,
    metadata: { [mark('metadata.key')]: mark('metadata.value') },
    attributes: { [mark('attribute.key')]: mark('attribute.value') },
  };
  const sent = await app.send([
    {
      ...common,
      type: 'trace',
      traceId,
      name: mark('trace.name'),
      tags: [mark('trace.tag')],
      input: { question: mark('trace.input') },
      output: mark('trace.output'),
      metadata: { a: mark('trace.metadata') },
    },
    {
      ...span,
      spanId: 'root',
      name: mark('span.name'),
      kind: 'llm',
      model: mark('model'),
      provider: mark('provider'),
      agentName: mark('agent'),
      operation: mark('operation'),
      usage: { inputTokens: 10, outputTokens: 5, details: { [mark('tokenClass')]: 3 } },
      costUsd: 0.25,
      input: [{ role: 'user', content: mark('span.input') }],
      output: { content: mark('span.output') },
      status: 'error',
      errorCode: mark('errorCode'),
      errorMessage: mark('errorMessage'),
    },
    {
      ...span,
      spanId: 'tool',
      parentSpanId: 'root',
      name: mark('tool.name'),
      kind: 'tool',
      input: { a: mark('tool.arguments') },
    },
    {
      type: 'score',
      traceId,
      spanId: 'root',
      evaluator: mark('score.evaluator'),
      score: 1,
      label: mark('score.label'),
      comment: mark('score.comment'),
    },
  ]);
  expect(sent).toEqual({ accepted: 4, rejected: [] });
  expect(
    (
      await call('POST', `/v1/projects/${app.projectId}/scores`, {
        body: { traceId, evaluator: mark('human.evaluator'), score: 1 },
      })
    ).status,
  ).toBe(201);
  const outcome = { traceId, kind: mark('outcome'), metadata: { a: mark('outcome.metadata') } };
  expect((await call('POST', '/v1/ingest/outcomes', { body: outcome, headers: { 'x-api-key': app.apiKey } })).status).toBe(202);
  await app.pipeline.drain();
}

const attribute = (key: string, value: string) => ({ key, value: { stringValue: value } });

/** The same as a trace of OTLP, whose spans have further parts. */
export async function sendMarkedOtlp(app: TestApp, { call }: ShareRequests, traceId: string): Promise<void> {
  const [start, end] = [startMs - 50_000, startMs - 49_000].map((ms) => `${ms}000000`);
  const span = {
    traceId,
    spanId: '00000000000000a1',
    name: mark('span.name'),
    startTimeUnixNano: start,
    endTimeUnixNano: end,
    traceState: `a=${mark('otlp.state')}`,
    status: { code: 2, message: mark('otlp.message') },
    attributes: [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.request.model', mark('model')),
      attribute(
        'gen_ai.input.messages',
        JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: mark('otlp.input') }] }]),
      ),
      attribute('user.id', mark('user')),
      attribute('session.id', mark('session')),
      attribute('my.own', mark('otlp.attribute')),
    ],
    events: [
      {
        name: 'exception',
        timeUnixNano: start,
        attributes: [attribute('exception.stacktrace', `at ${mark('otlp.stack')}`), attribute('a', mark('otlp.event'))],
      },
    ],
    links: [{ traceId: '0'.repeat(31).concat('9'), spanId: '00000000000000b1', attributes: [attribute('a', mark('otlp.link'))] }],
  };
  const resource = {
    attributes: [attribute('service.name', mark('otlp.service')), attribute('host.name', mark('otlp.resource'))],
  };
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: { name: mark('otlp.scope') }, spans: [span] }] }] };
  expect((await call('POST', '/v1/traces', { body, headers: { 'x-api-key': app.apiKey } })).status).toBe(200);
  await app.pipeline.drain();
}
