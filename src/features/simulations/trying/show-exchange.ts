import { hiddenHeader, isSecretHeader } from '../../../contract/simulations.ts';
import type { PromptTarget, ScenarioTarget } from '../../../contract/simulations.ts';
import { tryLimits } from '../../../contract/simulation-try.ts';
import type { ShownText, Tried } from '../../../contract/simulation-try.ts';
import { cutText } from '../../../platform/text/index.ts';
import type { ResolvedPrompt } from '../targets/prompt-target.ts';
import type { Exchange } from './exchange.ts';
import type { SecretMask } from './secret-mask.ts';

/** Headers of an answer that tell of its content, of redirects and of limits. Others may hold secrets of the target. */
const shownHeaders: ReadonlySet<string> = new Set([
  'allow',
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'location',
  'retry-after',
  'server',
  'traceparent',
  'x-request-id',
]);
/** Bytes of a UTF-8 character, at most. */
const widestCharacter = 4;

/** The beginning of a text, without secrets. */
export function shownText(
  content: string | Uint8Array,
  mask: SecretMask,
  hide: (text: string) => string = (text) => mask.hide(text),
): ShownText {
  const { shownCharacters } = tryLimits;
  const whole =
    typeof content === 'string'
      ? content
      : // Leaves out a character that is cut.
        new TextDecoder('utf-8').decode(content.subarray(0, shownCharacters * widestCharacter), {
          stream: content.length > shownCharacters * widestCharacter,
        });
  const bytes = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
  const text = cutText(whole, shownCharacters);
  return { text: hide(text), bytes, truncated: text.length < whole.length || bytes > Buffer.byteLength(whole) };
}

/** What was sent and answered, as the API returns it. */
export function shownExchange(
  exchange: Exchange,
  { target, prompt }: { target: ScenarioTarget; prompt: ResolvedPrompt | null },
  mask: SecretMask,
): Pick<Tried, 'request' | 'response' | 'call'> {
  return {
    request: shownRequest(exchange, mask),
    response: shownResponse(exchange, mask),
    call: target.type === 'prompt' && prompt !== null ? shownCall(exchange, target, prompt, mask) : null,
  };
}

function shownRequest({ request, requests }: Exchange, mask: SecretMask): Tried['request'] {
  if (request === null || request.method === 'HEAD') return null;
  const headers = Object.entries(request.headers ?? {}).map(([name, value]): [string, string] => [
    name,
    isSecretHeader(name) ? hiddenHeader : mask.hide(value),
  ]);
  return {
    method: request.method,
    url: mask.hideSent(request.url),
    headers: Object.fromEntries(headers),
    body: request.body === undefined ? null : shownText(request.body, mask, (text) => mask.hideSent(text)),
    attempts: requests,
  };
}

function shownResponse({ response }: Exchange, mask: SecretMask): Tried['response'] {
  if (response === null) return null;
  const headers = Object.entries(response.headers).filter(([name]) => shownHeaders.has(name) || name.startsWith('x-ratelimit-'));
  return {
    status: response.status,
    url: mask.hide(response.url),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, mask.hide(value)])),
    body: shownText(response.body, mask),
    latencyMs: response.latencyMs,
  };
}

function shownCall(
  { question, answer }: Exchange,
  { promptName }: PromptTarget,
  { version: promptVersion, asks }: ResolvedPrompt,
  mask: SecretMask,
): Tried['call'] {
  if (question === null) return null;
  return {
    promptName,
    promptVersion,
    model: answer?.model ?? null,
    messages: question.messages
      .slice(0, tryLimits.messages)
      .map(({ role, content }) => ({ role, content: shownText(content, mask) })),
    ignored: [...asks.ignored, ...(answer?.refused ?? [])].toSorted(),
    inputTokens: answer?.usage.inputTokens ?? null,
    outputTokens: answer?.usage.outputTokens ?? null,
  };
}
