import { useEffect, useMemo, useState } from 'react';
import { jsonSize } from './json-size.ts';
import type { Message } from './message.ts';
import { readMessages, readMessagesInSteps } from './read-messages.ts';
import { runInSteps } from './steps.ts';

/** Larger values, in characters of JSON, are read in steps. */
const maxAtOnce = 400_000;

/** The conversation in a value; null if it is not a conversation, undefined while a large one is being read. */
export function useMessages(value: unknown): Message[] | null | undefined {
  const isSmall = useMemo(() => jsonSize(value, maxAtOnce) < maxAtOnce, [value]);
  const small = useMemo(() => (isSmall ? readMessages(value) : undefined), [value, isSmall]);
  const [large, setLarge] = useState<{ value: unknown; messages: Message[] | null } | null>(null);
  useEffect(() => {
    if (isSmall) return undefined;
    return runInSteps(readMessagesInSteps(value), (messages) => setLarge({ value, messages }));
  }, [value, isSmall]);
  if (isSmall) return small;
  return large !== null && large.value === value ? large.messages : undefined;
}
