import { useMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

type WriteOptions<Data, Variables> = Omit<UseMutationOptions<Data, Error, Variables>, 'onSettled'>;

/**
 * A mutation that ignores `mutate` while a request is running. `isPending` changes with the next render, too late for a second click or
 * key press.
 */
export function useWrite<Data, Variables = void>(
  options: WriteOptions<Data, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const running = useRef(false);
  const mutation = useMutation<Data, Error, Variables>({
    ...options,
    onSettled: () => {
      running.current = false;
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    if (running.current) return;
    running.current = true;
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}
