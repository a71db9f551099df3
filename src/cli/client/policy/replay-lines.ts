import { hourMs } from '../../../contract/durations.ts';
import type { PolicyReplay } from '../../../contract/policies.ts';
import { visible } from '../terminal/terminal.ts';
import type { Paint } from '../terminal/terminal.ts';

/** What the planned guardrails would have done with recorded calls: a sentence for each that would do something else than today, and the sum. */
export function replayLines(replay: PolicyReplay, paint: Paint): string[] {
  const when = whenOf(replay);
  const lines = replay.byGuardrail.flatMap((guardrail) => {
    const sentence = sentenceOf(guardrail, when);
    if (sentence === null) return [];
    const examples = guardrail.examples.map(
      ({ traceId, spanId, stage, labels }) =>
        `    ${stage} of span ${visible(spanId)} in trace ${visible(traceId)}${labels.length > 0 ? `: ${visible(labels.join(', '))}` : ''}`,
    );
    return [`${visible(guardrail.guardrail)} ${sentence}.`, ...examples.map((line) => paint('dim', line))];
  });
  const { blockedBefore, blockedAfter } = replay.totals;
  const part = replay.truncated === true ? ', the newest ones only, because the time was over' : '';
  const sum = `Replayed ${calls(replay.spans)} of ${when.replace(/^in /, '')}${part}: ${counted(blockedBefore)} blocked by the guardrails of today, ${counted(blockedAfter)} by the planned ones.`;
  return [...lines, sum];
}

function sentenceOf(
  { blockedBefore, blockedAfter, triggeredBefore, triggeredAfter, users, examples }: PolicyReplay['byGuardrail'][number],
  when: string,
): string | null {
  const of = users === 0 ? '' : ` of ${users === 1 ? '1 user' : `${counted(users)} users`}`;
  const blocked = blockedAfter - blockedBefore;
  const triggered = triggeredAfter - triggeredBefore;
  if (blocked > 0) return `would block ${calls(blocked)}${of} that passed ${when}`;
  if (blocked < 0) return `would let ${calls(-blocked)} pass that it blocked ${when}`;
  if (triggered > 0) return `would find something in ${calls(triggered)}${of} in which it found nothing ${when}`;
  if (triggered < 0) return `would find nothing in ${calls(-triggered)} in which it found something ${when}`;
  if (examples.length === 0) return null;
  return `would find something in calls${of} in which it found nothing ${when}, and nothing in as many others`;
}

function whenOf({ from, to }: PolicyReplay): string {
  const hours = Math.round((Date.parse(to) - Date.parse(from)) / hourMs);
  if (hours === 168) return 'last week';
  return hours === 1 ? 'in the last hour' : `in the last ${hours} hours`;
}

function calls(count: number): string {
  return count === 1 ? '1 call' : `${counted(count)} calls`;
}

function counted(count: number): string {
  return count.toLocaleString('en-US');
}
