import { checkText } from './check.ts';
import type { CheckOptions } from './check.ts';
import type { Bundle } from './compile-bundle.ts';
import { replaceRanges } from './redact.ts';
import type { CheckOutcome, CheckRequest } from './types.ts';

/** What a stream may show after a part of it arrived. */
export interface StreamStep {
  /** The text that may be shown now, behind what was shown before. Empty while nothing may. */
  release: string;
  /** The stream was blocked: nothing more is shown. */
  blocked: boolean;
  /** The check of all text so far. */
  outcome: CheckOutcome;
}

/**
 * Checks a text that arrives in parts, and shows of it only what no later part can change. However the text is cut, what is shown is the text that a
 * check of the whole answers, up to where a guardrail blocks. Each part is checked with all text before it.
 */
export class TextStream {
  readonly #bundle: Bundle;
  readonly #request: Omit<CheckRequest, 'text' | 'final'>;
  readonly #options: CheckOptions;
  #text = '';
  #released = 0;
  #blocked = false;

  constructor(bundle: Bundle, request: Omit<CheckRequest, 'text' | 'final'> = {}, options: CheckOptions = {}) {
    this.#bundle = bundle;
    this.#request = request;
    this.#options = options;
  }

  /** All text so far, as it arrived. */
  get text(): string {
    return this.#text;
  }

  /** Takes the next part. Errors: as of `checkText`. */
  push(part: string): StreamStep {
    this.#text += part;
    return this.#check(false);
  }

  /** Takes the end of the text; the options may hold verdicts of remote guardrails. Errors: as of `checkText`. */
  end(options: CheckOptions = {}): StreamStep {
    return this.#check(true, options);
  }

  #check(final: boolean, options: CheckOptions = {}): StreamStep {
    const outcome = checkText(this.#bundle, { ...this.#request, text: this.#text, final }, { ...this.#options, ...options });
    // A judge that was not asked yet blocks nothing before the end.
    const blocking = outcome.results.some(({ action, type }) => action === 'block' && (final || type !== 'llm_judge'));
    this.#blocked ||= blocking;
    if (this.#blocked) return { release: '', blocked: true, outcome };
    const shown = replaceRanges(this.#text, outcome.replacements, outcome.safeUntil);
    const release = shown.slice(this.#released);
    this.#released = Math.max(this.#released, shown.length);
    return { release, blocked: false, outcome };
  }
}
