/** A setting of the first start cannot be used. Its message names the variable and says what to set. */
export class FirstStartError extends Error {
  override name = 'FirstStartError';
}
