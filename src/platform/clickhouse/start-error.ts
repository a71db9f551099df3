/** ClickHouse cannot be used with the given settings; the message tells the operator what to do. Printed without a stack trace. */
export class ClickHouseStartError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'ClickHouseStartError';
  }
}
