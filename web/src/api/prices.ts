import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { get, send } from './client.ts';
import { useWrite } from './use-write.ts';
import type { OwnPrice, PriceBody, PricePage, RepriceBody } from './service.ts';

const pricesKey = 'prices';
const pageSize = 200;
const pollMs = 1_000;

/** All prices of a project's own, in order of model. */
export function pricesQuery(projectId: string) {
  return queryOptions({
    queryKey: [pricesKey, projectId],
    queryFn: async ({ signal }): Promise<OwnPrice[]> => {
      const prices: OwnPrice[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: PricePage = await get('/v1/projects/{id}/prices', { id: projectId, limit: pageSize, cursor }, signal);
        prices.push(...page.prices);
        cursor = page.nextCursor;
      }
      return prices;
    },
  });
}

/** A repricing; polls until it has ended. */
export function repricingQuery(projectId: string, repricingId: string) {
  return queryOptions({
    queryKey: ['repricing', projectId, repricingId],
    queryFn: ({ signal }) => get('/v1/projects/{id}/prices/reprice/{repricingId}', { id: projectId, repricingId }, signal),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.completedAt == null ? pollMs : false),
  });
}

/** Changes prices and starts repricings. Requires the role owner or admin. */
export function usePriceActions(projectId: string) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: [pricesKey, projectId] });
  return {
    setPrice: useWrite({
      mutationFn: ({ model, ...fields }: PriceBody & { model: string }) =>
        send('PUT', '/v1/projects/{id}/prices/{model}', { id: projectId, model }, fields),
      onSuccess,
    }),
    deletePrice: useWrite({
      mutationFn: (model: string) => send('DELETE', '/v1/projects/{id}/prices/{model}', { id: projectId, model }),
      onSuccess,
    }),
    reprice: useWrite({
      mutationFn: (fields: RepriceBody) => send('POST', '/v1/projects/{id}/prices/reprice', { id: projectId }, fields),
    }),
  };
}
