import { useMutation } from '@tanstack/react-query';
import type { UseMutationOptions, UseMutationResult } from '@tanstack/react-query';
import { useRef } from 'react';

type WriteOptions<Data, Variables> = Omit<UseMutationOptions<Data, Error, Variables>, 'onSettled'>;

/**
 * A mutation that is sent once: `mutate` does nothing while the one before is under way. `isPending` alone comes with the next render, which
 * is too late for a second click or key.
 */
export function useWrite<Data, Variables = void>(
  options: WriteOptions<Data, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const underWay = useRef(false);
  const mutation = useMutation<Data, Error, Variables>({
    ...options,
    onSettled: () => {
      underWay.current = false;
    },
  });
  const mutate: typeof mutation.mutate = (...call) => {
    if (underWay.current) return;
    underWay.current = true;
    mutation.mutate(...call);
  };
  return { ...mutation, mutate };
}
