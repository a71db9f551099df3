/**
 * Of how many outcomes a success rate is: of those that say whether they succeeded.
 *
 * @returns `of 4 that say so`; without the number where none succeeded, which leaves it open
 */
export function successBase({ successRate, successCount }: { successRate: number; successCount: number }): string {
  const base = successRate === 0 ? null : Math.round(successCount / successRate);
  return base === null ? 'of those that say so' : `of ${base} that ${base === 1 ? 'says' : 'say'} so`;
}
