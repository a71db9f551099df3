import type { Service } from '../support/service.ts';
import { dayMs } from '../../src/contract/durations.ts';

/** A guardrail with activity of two weeks. */
export const cardsSlug = 'no-card-numbers';
/** A trace of three days ago with a check that redacted two matches. */
export const guardedTraceId = 'guarded-trace';

const reportedDays = 14;

const guardrails = [
  {
    slug: cardsSlug,
    name: 'No card numbers',
    type: 'pii',
    stage: 'output',
    action: 'redact',
    config: { entities: ['payment_card', 'iban'] },
    environments: ['production'],
  },
  { slug: 'no-secrets', name: 'No secrets', type: 'secrets', stage: 'both', priority: 10 },
  { slug: 'injection', name: 'Prompt injection', type: 'prompt_injection', config: { threshold: 0.6 } },
  {
    slug: 'order-numbers',
    name: 'Order numbers',
    type: 'regex',
    action: 'redact',
    config: {
      patterns: [
        { pattern: String.raw`\bORD-\d{6}\b`, label: 'order' },
        { pattern: String.raw`\bticket #\d+`, label: 'ticket', ignoreCase: true },
      ],
    },
  },
  { slug: 'short-answers', type: 'max_length', stage: 'output', action: 'flag', config: { maxCharacters: 4000 }, enabled: false },
] as const;

/**
 * Creates an environment and guardrails, reports two weeks of checks, and sends a trace with a check. The environment `staging` of the
 * seeded traces stays unregistered.
 */
export async function specialGuardrails(
  service: Service,
  { cookie, projectId }: { cookie: string; projectId: string },
  endMs: number,
): Promise<void> {
  const root = `/v1/projects/${projectId}`;
  await call(service, `${root}/environments`, { name: 'production', description: 'What customers use' }, { cookie });
  for (const guardrail of guardrails) await call(service, `${root}/guardrails`, guardrail, { cookie });
  await call(service, '/v1/guardrails/report', { reports: reportsBefore(endMs) }, { 'x-api-key': service.apiKey });
}

function reportsBefore(endMs: number): object[] {
  return Array.from({ length: reportedDays }, (_, day) => {
    const at = new Date(endMs - day * dayMs - 60_000).toISOString();
    const base = { at, flagged: 0, redacted: 0, blocked: 0, failed: 0, environment: 'production' };
    return [
      {
        ...base,
        guardrail: cardsSlug,
        stage: 'output',
        checks: 120 + 37 * (day % 5),
        redacted: (day * 7) % 12,
        failed: day === 4 ? 3 : 0,
        reportId: `cards-${day}`,
      },
      {
        ...base,
        guardrail: 'no-secrets',
        stage: 'input',
        checks: 200 + 11 * day,
        blocked: (day * 5) % 4,
        reportId: `secrets-${day}`,
      },
      { ...base, guardrail: 'injection', stage: 'input', checks: 200 + 11 * day, flagged: day % 3, reportId: `injection-${day}` },
    ];
  }).flat();
}

/** A trace of three days ago: an agent whose answer was checked. */
export function guardedTrace(endMs: number): Array<Record<string, unknown>> {
  const at = (offsetMs: number) => new Date(endMs - 3 * dayMs + offsetMs).toISOString();
  const span = (spanId: string, [startMs, stopMs]: readonly [number, number], fields: object) => ({
    type: 'span',
    traceId: guardedTraceId,
    spanId,
    startTime: at(startMs),
    endTime: at(stopMs),
    status: 'ok',
    environment: 'production',
    ...fields,
  });
  const none = { triggered: false, action: 'allow', matches: [], reason: null, latencyMs: 0.1 };
  return [
    span('root', [0, 1_200], { name: 'refund', kind: 'agent', agentName: 'support' }),
    span('check', [1_100, 1_104], {
      parentSpanId: 'root',
      name: 'guardrail check',
      kind: 'guardrail',
      output: {
        action: 'redact',
        results: [
          { guardrail: 'no-secrets', type: 'secrets', ...none },
          {
            guardrail: cardsSlug,
            type: 'pii',
            triggered: true,
            action: 'redact',
            matches: [
              { start: 31, end: 50, label: 'payment_card' },
              { start: 78, end: 97, label: 'payment_card' },
            ],
            reason: 'Found payment_card.',
            latencyMs: 0.4,
          },
        ],
      },
    }),
  ];
}

async function call(service: Service, path: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
}
