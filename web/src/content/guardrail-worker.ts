import { checkText, compileBundle, isRemote, validateConfig } from '../../../packages/guardrails/src/index.ts';
import type { Bundle, CheckOutcome, Guardrail, Problem } from '../../../packages/guardrails/src/index.ts';

export type { CheckOutcome, Guardrail, Problem };

/** A text to check against guardrails. */
export interface CheckInput {
  text: string;
  stage: 'input' | 'output';
  /** Judges are left out of the check. */
  guardrails: readonly Guardrail[];
}

/** The answer to an input. */
export interface CheckReply {
  /** The problems of configurations by slug. Guardrails with problems are left out of the check. */
  problems: Readonly<Record<string, readonly Problem[]>>;
  outcome: CheckOutcome;
}

/** The compiled guardrails of the last input: while only the text changes, they are the next one's too. */
let last: { key: string; bundle: Bundle; problems: CheckReply['problems'] } | null = null;

function compiled(guardrails: readonly Guardrail[]) {
  const key = JSON.stringify(guardrails);
  if (last?.key === key) return last;
  const problems = Object.fromEntries(
    guardrails.map((guardrail) => [guardrail.slug, validateConfig(guardrail)] as const).filter(([, found]) => found.length > 0),
  );
  const bundle = compileBundle(guardrails.filter(({ slug, type }) => !isRemote(type) && problems[slug] === undefined));
  last = { key, bundle, problems };
  return last;
}

// Checks texts in the browser with the service's engine, off the page's thread: typing never waits for a check.
globalThis.addEventListener('message', ({ data }: MessageEvent<CheckInput>) => {
  const { bundle, problems } = compiled(data.guardrails);
  const outcome = checkText(bundle, { text: data.text, stage: data.stage });
  const reply: CheckReply = { problems, outcome };
  globalThis.postMessage(reply);
});
