import { useEffect, useRef, useState } from 'react';
import type { CheckInput, CheckReply } from './guardrail-worker.ts';

/** The state of a check that follows its input. */
export interface LiveCheck {
  /** The newest reply and its input, which may be an earlier one; null before the first. */
  answer: { reply: CheckReply; input: CheckInput } | null;
  /** A newer input is being checked. */
  running: boolean;
  /** The engine did not start, or stopped. */
  failed: boolean;
}

interface Handlers {
  onReply(reply: CheckReply, input: CheckInput): void;
  onFailure(): void;
}

/** Sends inputs to a worker one at a time. While one is checked, only the newest of those that follow is kept. */
class CheckQueue {
  readonly #worker: Worker;
  #running: CheckInput | null = null;
  #next: CheckInput | null = null;

  constructor({ onReply, onFailure }: Handlers) {
    this.#worker = new Worker(new URL('./guardrail-worker.ts', import.meta.url), { type: 'module' });
    this.#worker.addEventListener('message', ({ data }: MessageEvent<CheckReply>) => {
      const input = this.#running;
      const next = this.#next;
      this.#running = null;
      this.#next = null;
      if (next) this.#send(next);
      if (input) onReply(data, input);
    });
    this.#worker.addEventListener('error', () => onFailure());
  }

  check(input: CheckInput): void {
    if (this.#running) this.#next = input;
    else this.#send(input);
  }

  close(): void {
    this.#worker.terminate();
  }

  #send(input: CheckInput): void {
    this.#running = input;
    this.#worker.postMessage(input);
  }
}

/**
 * Checks a text in the browser whenever it or the guardrails change. The engine is loaded with the first check.
 *
 * @param input a stable object; null for nothing to check
 */
export function useGuardrailCheck(input: CheckInput | null): LiveCheck {
  const [answer, setAnswer] = useState<LiveCheck['answer']>(null);
  const [failed, setFailed] = useState(false);
  const queue = useRef<CheckQueue | null>(null);
  useEffect(() => {
    if (input === null) return;
    queue.current ??= new CheckQueue({
      onReply: (reply, checked) => {
        setFailed(false);
        setAnswer({ reply, input: checked });
      },
      // The next input starts another worker.
      onFailure: () => {
        queue.current?.close();
        queue.current = null;
        setFailed(true);
      },
    });
    queue.current.check(input);
  }, [input]);
  useEffect(
    () => () => {
      queue.current?.close();
      queue.current = null;
    },
    [],
  );
  return { answer, running: !failed && input !== null && answer?.input !== input, failed };
}
