import { checkText, guardrailsFor } from './check.ts';
import type { CheckOptions } from './check.ts';
import { isRemote } from './compile-bundle.ts';
import type { Bundle } from './compile-bundle.ts';
import { replaceRanges } from './redact.ts';
import type { Replacement } from './redact.ts';
import type { CheckOutcome, CheckRequest, GuardrailResult } from './guardrail.ts';
import { describeType } from './types/index.ts';

/** What a stream may show after a part of it arrived. */
export interface StreamStep {
  /** The text that may be shown now, behind what was shown before. Empty while nothing may. */
  release: string;
  /** The stream was blocked: nothing more is shown. */
  blocked: boolean;
}

/** The last step, with the check of all text. */
export interface LastStep extends StreamStep {
  outcome: CheckOutcome;
}

/** Units in front of the undecided text that are checked with it: most detectors look at most 40 units back. */
const contextLength = 64;
/** The same with a detector of sentences, which may be long. */
const longContextLength = 640;
/** Undecided units up to which each part is checked when it arrives. */
const smallWindow = 4_096;
/** More of them are checked again when they have grown by one in so many. */
const growth = 16;

/**
 * Checks a text that arrives in parts, and shows of it only what no later part can change. However the text is cut, what is shown is the text that a
 * check of the whole answers, up to where a guardrail blocks. A part is checked with the undecided text before it, so that the work for it does not
 * depend on the length of the whole; the end is checked with all text.
 */
export class TextStream {
  readonly #bundle: Bundle;
  /** The guardrails that decide what is shown: those that flag hold nothing back, judges aside. */
  readonly #holding: Bundle;
  readonly #contextLength: number;
  readonly #request: Omit<CheckRequest, 'text' | 'final'>;
  readonly #options: CheckOptions;
  #text = '';
  /** Where the next search begins: every match before it is decided, and none reaches beyond it. */
  #from = 0;
  /** Code points before the window. */
  #charactersBefore = 0;
  #windowStart = 0;
  /** Length of the text at the last check. */
  #checked = 0;
  /** Units shown of what stands behind `#from`, with its replacements. */
  #shownBehind = 0;
  /** Units shown in all. */
  #shown = 0;
  #blocked = false;
  /** A guardrail took more than its budget over a part: the check of the whole decides. */
  #failed = false;

  constructor(bundle: Bundle, request: Omit<CheckRequest, 'text' | 'final'> = {}, options: CheckOptions = {}) {
    this.#bundle = bundle;
    const guardrails = bundle.guardrails.filter(({ action, type }) => action !== 'flag' || isRemote(type));
    this.#holding = { guardrails };
    this.#contextLength = guardrails.some(({ type }) => describeType(type).looksFarBack) ? longContextLength : contextLength;
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
    const undecided = this.#text.length - this.#from;
    const isSmall = undecided <= smallWindow || (this.#text.length - this.#checked) * growth >= undecided;
    if (this.#blocked || this.#failed || part === '' || !isSmall) return { release: '', blocked: this.#blocked };
    this.#checked = this.#text.length;
    const window = this.#text.slice(this.#windowStart);
    const from = this.#from - this.#windowStart;
    const { results, safeUntil, replacements } = checkText(
      this.#holding,
      { ...this.#request, guardrails: this.#named(), text: window, final: false },
      { ...this.#options, from, charactersBefore: this.#charactersBefore },
    );
    this.#blocked = results.some((result) => isBlocked(result, safeUntil));
    this.#failed = results.some(({ failed, type }) => failed === true && !isRemote(type));
    if (this.#blocked || this.#failed) return { release: '', blocked: this.#blocked };
    const shown = replaceRanges(window, replacements, Math.max(from, safeUntil)).slice(from);
    const release = shown.slice(this.#shownBehind);
    this.#shownBehind = Math.max(this.#shownBehind, shown.length);
    this.#shown += release.length;
    this.#advance(window, from, decidedUntil(replacements, Math.max(from, safeUntil)), replacements);
    return { release, blocked: false };
  }

  /** Takes the end of the text, which is checked whole without judges. Errors: as of `checkText`. */
  end(): LastStep {
    const outcome = checkText(this.#bundle, { ...this.#request, text: this.#text, final: true }, this.#options);
    return { ...this.endWith(outcome), outcome };
  }

  /** Takes the end of the text. @param outcome of a check of the whole text */
  endWith({ action, text }: Pick<CheckOutcome, 'action' | 'text'>): StreamStep {
    this.#blocked ||= action === 'block';
    if (this.#blocked) return { release: '', blocked: true };
    const release = text.slice(this.#shown);
    this.#shown += release.length;
    return { release, blocked: false };
  }

  /** The guardrails that are asked for, of those that decide what is shown. Errors: as of `checkText`. */
  #named(): string[] | undefined {
    const wanted = guardrailsFor(this.#bundle, { ...this.#request, text: '' });
    return this.#request.guardrails && this.#holding.guardrails.filter((one) => wanted.includes(one)).map(({ slug }) => slug);
  }

  /** Begins the next search at an offset of the window. */
  #advance(window: string, from: number, decided: number, replacements: readonly Replacement[]): void {
    if (decided <= from) return;
    this.#shownBehind -= replaceRanges(window, replacements, decided).length - from;
    this.#from = this.#windowStart + decided;
    let start = Math.max(0, decided - this.#contextLength);
    // Not between the halves of a pair.
    if (start > 0 && (window.codePointAt(start - 1) ?? 0) > 0xffff) start -= 1;
    for (let at = 0; at < start; at += (window.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) this.#charactersBefore += 1;
    this.#windowStart += start;
  }
}

/** Whether a guardrail blocks whatever follows: a match at the end may still go. A text that is too long stays so. */
function isBlocked({ action, type, matches }: GuardrailResult, safeUntil: number): boolean {
  if (action !== 'block' || describeType(type).decidesAtEnd) return false;
  return type === 'max_length' || matches.some(({ start }) => start < safeUntil);
}

/** The last offset, `until` or before it, that no replaced range contains or touches with its end. */
function decidedUntil(replacements: readonly Replacement[], until: number): number {
  const reaching = replacements.find(({ start, end }) => start < until && until <= end);
  return reaching?.start ?? until;
}
