interface Process {
  once?(event: 'beforeExit', call: () => void): void;
}

const calls = new Set<() => void>();
let isListening = false;

/** Calls once when Node, Bun or Deno has nothing left to do, before the process ends. Returns what cancels it. */
export function beforeProcessEnd(call: () => void): () => void {
  calls.add(call);
  if (!isListening) {
    const { process } = globalThis as { process?: Process };
    process?.once?.('beforeExit', () => {
      isListening = false;
      const all = [...calls];
      calls.clear();
      for (const one of all) one();
    });
    isListening = true;
  }
  return () => calls.delete(call);
}

/** Keeps the process alive for so many milliseconds at most, as timers of a `Clock` do not. Returns what ends it. */
export function holdProcess(ms: number): () => void {
  const timer = setTimeout(() => {}, Math.min(ms, 2_147_483_647));
  return () => clearTimeout(timer);
}
