import { TextStream } from '../../../guardrails/src/index.ts';
import type { LoadedBundle } from './bundles.ts';
import type { Checker } from './checker.ts';
import { maxTextBytes } from './checker.ts';
import type { CheckOptions } from './options.ts';
import { now } from './local-check.ts';
import { piecesOf } from './pieces-of.ts';
import type { TextSource } from './pieces-of.ts';
import { Unavailable } from './remote-check.ts';
import { GuardrailBlocked } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** Characters that are checked at once; other work has its turn between them. */
const sliceLength = 4_096;

/** Yields a text that arrives in pieces as far as it is decided; see `Guard.stream`. */
export async function* guardedStream(
  checker: Checker,
  source: TextSource,
  { stage = 'output', ...options }: CheckOptions,
): AsyncGenerator<string, Verdict, undefined> {
  const request = checker.requestOf('', { stage, ...options });
  // The trace that is active now, not when the text ends.
  const given: CheckOptions = { ...request, onUnavailable: options.onUnavailable };
  // One bundle for the whole stream.
  const loaded = await checker.bundleFor(request).catch((error: unknown) => {
    if (error instanceof Unavailable) return null;
    throw error;
  });
  if (loaded === null) return yield* checkedAtEnd(checker, source, given);
  const { bundle } = loaded;
  const narrowed = request.guardrails?.filter((slug) => loaded.slugs.has(slug));
  const stream = new TextStream(bundle, { stage, guardrails: narrowed }, { now });
  for await (const piece of piecesOf(source)) {
    // The whole text is kept for its last check.
    if (stream.text.length + piece.length > maxTextBytes) checker.requestOf(stream.text + piece, given);
    for (let at = 0; at < piece.length; at += sliceLength) {
      const { release, blocked } = stream.push(piece.slice(at, at + sliceLength));
      if (blocked) throw new GuardrailBlocked(await blockedBy(checker, loaded, stream.text, given));
      if (release !== '') yield release;
      if (piece.length > sliceLength) await new Promise((resolve) => setTimeout(resolve));
    }
  }
  const verdict = await checker.checkWith(loaded, checker.requestOf(stream.text, given));
  const { release, blocked } = stream.endWith(verdict);
  if (blocked) throw new GuardrailBlocked(verdict);
  if (release !== '') yield release;
  return verdict;
}

/** The verdict over the text until a block. */
async function blockedBy(checker: Checker, loaded: LoadedBundle, text: string, options: CheckOptions): Promise<Verdict> {
  return checker.checkWith(loaded, checker.requestOf(text, options));
}

/** Without a bundle the service checks the whole text. */
async function* checkedAtEnd(
  checker: Checker,
  source: TextSource,
  options: CheckOptions,
): AsyncGenerator<string, Verdict, undefined> {
  let text = '';
  for await (const piece of piecesOf(source)) {
    text += piece;
    if (text.length > maxTextBytes) checker.requestOf(text, options);
  }
  const verdict = await checker.check(text, options);
  if (verdict.action === 'block') throw new GuardrailBlocked(verdict);
  if (verdict.text !== '') yield verdict.text;
  return verdict;
}
