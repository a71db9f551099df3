import { jsonLine } from '../format/deep-json.ts';
import type { Message } from './message.ts';

/** Fewer messages are all shown. */
const minFolded = 4;
/** Without an earlier call, and of many new messages, this many stay open. */
const lastShown = 2;
const maxNew = 8;

/** How the messages of a call are shown: those that earlier calls had are folded. */
export interface MessageFold {
  /** Messages at the beginning that are folded; 0: none. */
  earlier: number;
  /** Messages that the previous call did not have; null if it is not known. */
  added: number | null;
}

/**
 * Decides which messages of a conversation are folded.
 *
 * @param previous the messages of the call before, if it is known: those that both begin with are old
 */
export function foldedMessages(messages: readonly Message[], previous: readonly Message[] | null): MessageFold {
  const known = previous === null ? 0 : commonBeginning(messages, previous);
  // Calls that share the system prompt alone are not one conversation.
  const isContinued = known > 1 || (known === 1 && previous?.length === 1 && messages[0]?.role !== 'system');
  const added = isContinued ? messages.length - known : null;
  if (messages.length < minFolded) return { earlier: 0, added };
  const shown = added === null || added === 0 ? lastShown : Math.min(added, maxNew);
  return { earlier: messages.length - shown, added };
}

function commonBeginning(messages: readonly Message[], previous: readonly Message[]): number {
  let count = 0;
  while (count < messages.length && count < previous.length && isSame(messages[count], previous[count])) count += 1;
  return count;
}

/** Whether two messages are one; the later call also has the results of the tools that the earlier one asked for. */
function isSame(left: Message | undefined, right: Message | undefined): boolean {
  return jsonLine([left?.role, left?.parts.map(withoutResult)]) === jsonLine([right?.role, right?.parts.map(withoutResult)]);
}

function withoutResult(part: Message['parts'][number]): unknown {
  return part.kind === 'tool-call' ? [part.id, part.name, part.arguments] : part;
}
