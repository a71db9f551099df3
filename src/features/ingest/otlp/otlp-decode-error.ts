/** The body is no ExportTraceServiceRequest: the request is answered 400 and nothing of it is stored (contract section 3). */
export class OtlpDecodeError extends Error {
  /** `problem` finishes the sentence "The body is not a valid OTLP trace request: ...". */
  constructor(problem: string, options?: ErrorOptions) {
    super(`The body is not a valid OTLP trace request: ${problem}. Send an ExportTraceServiceRequest.`, options);
    this.name = 'OtlpDecodeError';
  }
}
