/** The body is not a valid ExportTraceServiceRequest. The response is 400 and nothing is stored: docs/semantics.md, "OTLP requests". */
export class OtlpDecodeError extends Error {
  /** @param problem completes the sentence "The body is not a valid OTLP trace request: ..." */
  constructor(problem: string, options?: ErrorOptions) {
    super(`The body is not a valid OTLP trace request: ${problem}. Send an ExportTraceServiceRequest.`, options);
    this.name = 'OtlpDecodeError';
  }
}
