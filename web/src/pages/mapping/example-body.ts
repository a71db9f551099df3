/** An OTLP body with one call, which a viewer may start from. @param nowMs when the call ended */
export function exampleBody(nowMs: number): string {
  const text = (key: string, value: string) => `{"key": "${key}", "value": {"stringValue": "${value}"}}`;
  const count = (key: string, value: number) => `{"key": "${key}", "value": {"intValue": "${value}"}}`;
  return `{
  "resourceSpans": [{
    "resource": {
      "attributes": [
        ${text('service.name', 'shop')},
        ${text('deployment.environment.name', 'staging')}
      ]
    },
    "scopeSpans": [{
      "spans": [{
        "traceId": "5b8efff798038103d269b633813fc60c",
        "spanId": "eee19b7ec3c1b174",
        "name": "chat gpt-4o",
        "startTimeUnixNano": "${nowMs - 1_200}000000",
        "endTimeUnixNano": "${nowMs}000000",
        "attributes": [
          ${text('gen_ai.operation.name', 'chat')},
          ${text('gen_ai.provider.name', 'openai')},
          ${text('gen_ai.request.model', 'gpt-4o')},
          ${count('gen_ai.usage.input_tokens', 1200)},
          ${count('gen_ai.usage.output_tokens', 340)},
          ${text('team', 'search')}
        ]
      }]
    }]
  }]
}
`;
}
