import { checkText, compileBundle } from '../../../../packages/guardrails/src/index.ts';
import type { Bundle, Guardrail } from '../../../../packages/guardrails/src/index.ts';
import { serveParent } from '../../../platform/thread-rpc/index.ts';

/** The recorded texts of a span, as JSON; null for none. */
export interface ReplayedTexts {
  environment: string;
  input: string | null;
  output: string | null;
}

/** A guardrail that triggered on a span. */
export interface Trigger {
  /** The slug that it was loaded with. */
  guardrail: string;
  stage: 'input' | 'output';
  /** It could not run, and blocks then. */
  failed: boolean;
  /** Distinct labels of its matches. */
  labels: string[];
}

/** The functions of the thread. */
export interface ReplayFunctions {
  /** Compiles the guardrails. */
  load(guardrails: readonly Guardrail[]): void;
  /** Checks spans in their order until the time is over. Returns what triggered on each span that was checked. */
  check(spans: readonly ReplayedTexts[], budgetMs: number): Trigger[][];
}

/** Characters of a text that are checked. A check refuses longer ones. */
const maxCharacters = 256 * 1024;
const maxLabels = 10;

let bundle: Bundle = { guardrails: [] };

serveParent<ReplayFunctions>(() => ({
  load: (guardrails) => void (bundle = compileBundle(guardrails)),
  check: (spans, budgetMs) => {
    const end = performance.now() + budgetMs;
    const checked: Trigger[][] = [];
    for (const span of spans) {
      if (performance.now() > end) break;
      checked.push([...triggersOf(span, 'input'), ...triggersOf(span, 'output')]);
    }
    return checked;
  },
}));

function triggersOf(span: ReplayedTexts, stage: 'input' | 'output'): Trigger[] {
  const text = textOf(span[stage]);
  if (text === null) return [];
  const request = { text, stage, ...(span.environment !== '' && { environment: span.environment }) };
  return checkText(bundle, request, { now: () => 0 }).results.flatMap(({ guardrail, triggered, failed = false, matches }) =>
    triggered ? [{ guardrail, stage, failed, labels: [...new Set(matches.map(({ label }) => label))].slice(0, maxLabels) }] : [],
  );
}

/** A text itself; any other value as its JSON. */
function textOf(json: string | null): string | null {
  if (json === null) return null;
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return text.slice(0, maxCharacters);
}
