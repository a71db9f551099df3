import fc from 'fast-check';
import { expect, test } from 'vitest';
import { batchesOf, encodeEvent } from '../packages/sdk/src/index.ts';
import type { IngestEvent, ScoreEvent, SpanEvent, TraceEvent } from '../packages/sdk/src/index.ts';
import type { CheckAnswer, GuardrailReport, PolicyBundle } from '../packages/sdk/src/index.ts';
import type { FetchedPrompt } from '../packages/sdk/src/prompts/prompt-cache.ts';
import type { GateResult, GateThresholds } from '../packages/sdk/src/vitest/index.ts';
import type * as guardrails from '../src/contract/guardrails.ts';
import type * as contract from '../src/contract/ingest.ts';
import type { PromptVersion } from '../src/contract/prompts.ts';
import type * as simulations from '../src/contract/simulation-gate.ts';
import type { z } from 'zod';
import { readEvents } from '../src/features/ingest/native/read-events.ts';

// The SDK writes the types of events down by itself, since packages know nothing of the service. `npm run check:types` fails here when they differ
// from the contract in a field, in what it may hold, or in whether it may be left out.
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same: {
  span: Same<SpanEvent, z.input<typeof contract.spanEvent>>;
  trace: Same<TraceEvent, z.input<typeof contract.traceEvent>>;
  score: Same<ScoreEvent, z.input<typeof contract.scoreEvent>>;
  sent: Same<IngestEvent, z.input<typeof contract.ingestEvent>>;
  stored: Same<IngestEvent, contract.IngestEvent>;
} = { span: true, trace: true, score: true, sent: true, stored: true };

// @ts-expect-error A field that may not be left out in one of them.
const differs: Same<TraceEvent, Omit<TraceEvent, 'name'> & { name: string | null | undefined }> = true;

// What the service answers, and what it takes of guardrails.
const sameAnswers: {
  check: Same<CheckAnswer, guardrails.CheckAnswer>;
  bundle: Same<PolicyBundle, guardrails.PolicyBundle>;
  report: Same<GuardrailReport, z.input<typeof guardrails.guardrailReport>>;
  prompt: Same<FetchedPrompt, Pick<PromptVersion, keyof FetchedPrompt>>;
  gate: Same<GateResult, simulations.GateResult>;
  thresholds: Same<GateThresholds, Exclude<z.input<typeof simulations.gateBody>['thresholds'], undefined>>;
} = { check: true, bundle: true, report: true, prompt: true, gate: true, thresholds: true };

test('the types of events are those of the contract', () => {
  expect([...Object.values(same), ...Object.values(sameAnswers)]).not.toContain(false);
  expect(differs).toBe(true);
});

test('the service accepts every event that the SDK encodes, whatever its payloads hold', () => {
  const payload = fc.oneof(
    {
      weight: 10,
      arbitrary: fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withTypedArray: true,
        withNullPrototype: true,
      }),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }).map((part) => part.repeat(6_000)) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 60, max: 200 })
        .map((levels) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`) as unknown),
    },
  );
  const record = fc.dictionary(fc.string({ unit: 'binary' }), payload, { maxKeys: 3 });
  fc.assert(
    fc.property(
      fc.array(fc.record({ input: payload, output: payload, metadata: record, attributes: record }), {
        minLength: 1,
        maxLength: 4,
      }),
      (all) => {
        const events = all.map((fields, index): SpanEvent => ({
          type: 'span',
          traceId: 'trace',
          spanId: `span-${index}`,
          name: 'chat',
          startTime: '2026-11-20T10:00:00.000Z',
          costUsd: NaN,
          ...fields,
        }));
        let accepted = 0;
        for (const { body } of batchesOf(events.map(encodeEvent))) {
          const nowMs = Date.parse('2026-11-20T12:00:00.000Z');
          const read = readEvents(Buffer.from(body), { nowMs, oldestMs: 0, bodyKey: 'body' });
          expect(read.rejected).toEqual([]);
          accepted += read.accepted;
        }
        expect(accepted).toBe(events.length);
      },
    ),
    { numRuns: 30 },
  );
});
