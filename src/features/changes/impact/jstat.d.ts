/** The part of jStat that is used; it has no types of its own. */
declare module 'jstat' {
  const jstat: {
    /** Student's t distribution. `inv` returns the quantile of a probability, for any positive degrees of freedom. */
    studentt: { inv(probability: number, freedom: number): number };
    /** The beta distribution. `inv` returns the quantile of a probability. */
    beta: { inv(probability: number, alpha: number, beta: number): number };
  };
  export default jstat;
}
