import type { ReactNode } from 'react';
import type { ShownText } from '../../api/parts.ts';
import type { Tried } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';
import { LongText } from '../../content/long-text.tsx';
import { RunError, RunScores } from '../../content/run-scores.tsx';
import { Badge } from '../../design/badge.tsx';
import { Duration, Usd } from '../../design/figures.tsx';
import { Visible } from '../../design/visible.tsx';
import { countedExactly, formatExact } from '../../format/number-format.ts';
import { PromptLink } from '../../frame/trace-links.tsx';
import { ItemStatus } from './run-status.tsx';

/** What happened to an item that was tried: request, answer, output and evaluation. */
export function TriedView({ tried }: { tried: Tried }): ReactNode {
  const { status, request, response, call, output, error, errorKind, latencyMs, costUsd, referenceMatch, scores } = tried;
  return (
    <section aria-label="Result" className="flex min-w-0 flex-col gap-3">
      <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <ItemStatus status={status} />
        {latencyMs !== null && <Duration ms={latencyMs} />}
        {costUsd !== null && <Usd value={costUsd} />}
      </p>
      {request && <Request request={request} />}
      {call && <Call call={call} />}
      {response && <Response response={response} />}
      <Part title="Output">
        {output ? <Payload text={output} /> : <p className="text-ink-faint">None</p>}
        {errorKind === 'target' && <RunError error={error} />}
      </Part>
      {errorKind !== 'target' && (
        <Part title="Evaluation">
          {errorKind === 'evaluator' && <RunError error={error} />}
          <p className="flex items-center gap-2">
            Reference match
            {referenceMatch === null ? (
              <span className="text-ink-faint">not compared</span>
            ) : (
              <Badge tone={referenceMatch ? 'good' : 'bad'}>{referenceMatch ? 'matched' : 'differs'}</Badge>
            )}
          </p>
          <RunScores scores={scores} />
        </Part>
      )}
    </section>
  );
}

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <section aria-label={title} className="flex min-w-0 flex-col gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-xs font-semibold text-ink-soft">
        {title}
        {note !== undefined && <span className="font-normal text-ink-faint">{note}</span>}
      </h3>
      {children}
    </section>
  );
}

function Request({ request }: { request: NonNullable<Tried['request']> }): ReactNode {
  const { method, url, headers, body, attempts } = request;
  return (
    <Part title="Request" note={attempts > 1 && `sent ${countedExactly(attempts, 'time')}: the target asked to wait`}>
      <p className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">
        {method} <Visible text={url} />
      </p>
      <Headers headers={headers} />
      {body ? <Payload text={body} /> : <p className="text-ink-faint">No body</p>}
    </Part>
  );
}

function Response({ response }: { response: NonNullable<Tried['response']> }): ReactNode {
  const { status, headers, body, url } = response;
  return (
    <Part title="Answer" note={<Visible text={url} className="[overflow-wrap:anywhere]" />}>
      <p className="flex items-center gap-2">
        <Badge tone={status >= 200 && status < 300 ? 'good' : 'bad'}>{String(status)}</Badge>
        <Duration ms={response.latencyMs} />
      </p>
      <Headers headers={headers} />
      {body.bytes > 0 ? <Payload text={body} /> : <p className="text-ink-faint">No body</p>}
    </Part>
  );
}

function Call({ call }: { call: NonNullable<Tried['call']> }): ReactNode {
  const { promptName, promptVersion, model, messages, ignored, inputTokens, outputTokens } = call;
  return (
    <Part title="Messages" note={<PromptLink name={promptName} version={promptVersion} />}>
      {messages.map(({ role, content }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- messages have a place and nothing else
        <div key={index} className="min-w-0">
          <p className="text-xs text-ink-faint">{role}</p>
          <Payload text={content} plain />
        </div>
      ))}
      <p className="text-ink-soft">
        {model === null ? 'No model answered' : <Visible text={model} />}
        {inputTokens !== null && outputTokens !== null && (
          <span className="text-ink-faint">
            {' '}
            {formatExact(inputTokens)} input tokens, {formatExact(outputTokens)} output tokens
          </span>
        )}
      </p>
      {ignored.length > 0 && (
        <p className="text-ink-soft">
          Not sent of the prompt’s configuration: <Visible text={ignored.join(', ')} className="font-mono text-xs" />
        </p>
      )}
    </Part>
  );
}

function Headers({ headers }: { headers: Readonly<Record<string, string>> }): ReactNode {
  const entries = Object.entries(headers);
  if (entries.length === 0) return null;
  return (
    <ul className="font-mono text-xs [overflow-wrap:anywhere] text-ink-soft">
      {entries.map(([name, value]) => (
        <li key={name}>
          <Visible text={`${name}: ${value}`} />
        </li>
      ))}
    </ul>
  );
}

/** A text; JSON is indented unless it was cut. */
function Payload({ text: { text, bytes, truncated }, plain = false }: { text: ShownText; plain?: boolean }): ReactNode {
  return (
    <div
      className="scroll-thin max-h-72 min-w-0 overflow-auto rounded-md border border-line bg-sunken px-2.5 py-1.5"
      tabIndex={0}
    >
      <LongText text={plain || truncated ? text : indented(text)} mono={!plain} />
      {truncated && <p className="mt-1 text-xs text-ink-faint">Cut here. The whole has {formatExact(bytes)} bytes.</p>}
    </div>
  );
}

/** JSON in lines. A text that would change otherwise, such as one with numbers that the browser cannot keep, stays as it is. */
function indented(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? jsonText(value) : text;
  } catch {
    return text;
  }
}
