import type { PolicyReplay } from '../../../contract/policies.ts';
import { compareCodePoints } from '../../../platform/text/index.ts';
import type { ReplayedGuardrail } from './replayed-guardrails.ts';
import type { ReplayedSpan } from './replayed-spans.ts';
import type { Trigger } from './replay-worker.ts';

const maxExamples = 5;

type Row = PolicyReplay['byGuardrail'][number];

/** What a guardrail did to one span. */
interface Done {
  triggeredBefore: boolean;
  triggeredAfter: boolean;
  blockedBefore: boolean;
  blockedAfter: boolean;
  example: Row['examples'][number] | null;
}

/** Counts spans by what guardrails did to their input or output. */
export class ReplayCounts {
  readonly #guardrails: ReadonlyMap<string, ReplayedGuardrail>;
  readonly #rows: Map<string, Row>;
  readonly #users = new Map<string, Set<string>>();
  readonly #totals = { blockedBefore: 0, blockedAfter: 0 };
  #spans = 0;

  constructor(guardrails: readonly ReplayedGuardrail[]) {
    this.#guardrails = new Map(guardrails.map((one) => [one.guardrail.slug, one]));
    const slugs = [...new Set(guardrails.map(({ slug }) => slug))].toSorted(compareCodePoints);
    const counts = { triggeredBefore: 0, triggeredAfter: 0, blockedBefore: 0, blockedAfter: 0, users: 0 };
    this.#rows = new Map(slugs.map((slug) => [slug, { guardrail: slug, ...counts, examples: [] }]));
  }

  /** Adds a span with what triggered on it, the input first. */
  add(span: ReplayedSpan, triggers: readonly Trigger[]): void {
    this.#spans += 1;
    const done = new Map<string, Done>();
    for (const trigger of triggers) this.#note(done, span, trigger);
    const all = [...done.values()];
    if (all.some(({ blockedBefore }) => blockedBefore)) this.#totals.blockedBefore += 1;
    if (all.some(({ blockedAfter }) => blockedAfter)) this.#totals.blockedAfter += 1;
    for (const [slug, one] of done) this.#count(slug, span, one);
  }

  #note(done: Map<string, Done>, { traceId, spanId }: ReplayedSpan, { guardrail, stage, failed, labels }: Trigger): void {
    const replayed = this.#guardrails.get(guardrail);
    if (!replayed) return;
    const { slug, before, after } = replayed;
    const one = done.get(slug) ?? {
      triggeredBefore: false,
      triggeredAfter: false,
      blockedBefore: false,
      blockedAfter: false,
      example: null,
    };
    if (before !== null) {
      one.triggeredBefore = true;
      one.blockedBefore ||= failed || before === 'block';
    }
    if (after !== null) {
      one.triggeredAfter = true;
      one.blockedAfter ||= failed || after === 'block';
      one.example ??= { traceId, spanId, stage, labels };
    }
    done.set(slug, one);
  }

  #count(slug: string, { userId }: ReplayedSpan, done: Done): void {
    const row = this.#rows.get(slug);
    if (!row) return;
    for (const name of ['triggeredBefore', 'triggeredAfter', 'blockedBefore', 'blockedAfter'] as const) {
      if (done[name]) row[name] += 1;
    }
    if (!done.triggeredAfter || done.triggeredBefore) return;
    if (done.example && row.examples.length < maxExamples) row.examples.push(done.example);
    const users = this.#users.get(slug) ?? new Set();
    if (userId !== '') users.add(userId);
    this.#users.set(slug, users);
    row.users = users.size;
  }

  result(): Pick<PolicyReplay, 'spans' | 'byGuardrail' | 'totals'> {
    return { spans: this.#spans, byGuardrail: [...this.#rows.values()], totals: this.#totals };
  }
}
