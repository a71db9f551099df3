import { createBirpc } from 'birpc';
import { receiveError, sendError } from './sent-error.ts';
import type { SentError } from './sent-error.ts';
import { transferListOf } from './transfer.ts';

/** The arguments of a function of `Functions`. */
export type Arguments<Functions, Name extends keyof Functions> = Functions[Name] extends (...given: infer Given) => unknown
  ? Given
  : never;

/** What a function of `Functions` returns, or resolves with. */
export type Answer<Functions, Name extends keyof Functions> = Functions[Name] extends (...given: never[]) => infer Returned
  ? Awaited<Returned>
  : never;

/** Either end of the connection between two threads. */
export interface MessageEnd {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Calls the functions that `Remote` names in another thread. */
export interface Channel<Remote> {
  /**
   * Resolves with the function's result. The message is posted before this returns, so calls arrive in order. Rejects with the function's error, and
   * when an argument cannot be cloned.
   */
  call<Name extends keyof Remote & string>(name: Name, ...given: Arguments<Remote, Name>): Promise<Answer<Remote, Name>>;
  /** Calls a function without waiting for an answer; its error is lost. */
  notify<Name extends keyof Remote & string>(name: Name, ...given: Arguments<Remote, Name>): void;
  /** Rejects every call that has no answer yet. */
  rejectPending(error: Error): void;
}

/** birpc's messages: a request has arguments, an answer has a result or an error. */
type Message = { t: 'q'; a: unknown[] } | { t: 's'; r?: unknown; e?: unknown };

type AnyFunctions = Record<string, (...given: unknown[]) => unknown>;

/** Connects two threads: the other one may call `functions`, this one the functions that `Remote` names. ADR 0016 says why birpc. */
export function openChannel<Remote extends object>(end: MessageEnd, functions: object): Channel<Remote> {
  const rpc = createBirpc<AnyFunctions, object, false>(functions, {
    post: (message: Message) => end.postMessage(message, transferListOf(message.t === 'q' ? message.a : [message.r])),
    on: (listener) => void end.on('message', listener),
    serialize: (message: Message) =>
      message.t === 's' && message.e !== undefined ? { ...message, e: sendError(message.e) } : message,
    deserialize: (message: Message) =>
      message.t === 's' && message.e !== undefined ? { ...message, e: receiveError(message.e as SentError) } : message,
    // The caller decides how long a call may take: WorkerThread.callWithin.
    timeout: -1,
    proxify: false,
    bind: 'functions',
    // A result that cannot be cloned: true sends the error to the caller instead of throwing it here.
    onGeneralError: (_error, functionName) => functionName !== undefined,
  });
  return {
    call: (name, ...given) => rpc.$call(name, ...given) as Promise<Answer<Remote, typeof name>>,
    notify: (name, ...given) => void rpc.$callEvent(name, ...given).catch(() => undefined),
    rejectPending: (error) => void rpc.$rejectPendingCalls(({ reject }) => reject(error)),
  };
}
