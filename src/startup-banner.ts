import type { FirstStart } from './features/identity/index.ts';

/** The text printed at startup: the URL and, at the first start, credentials and commands to try. */
export function startupBanner(url: string, first: FirstStart | null): string {
  const lines = ['', `Spanwise is ready at ${url}`, `  API description: ${url}/v1/openapi.json`, ''];
  if (first) {
    // In double quotes, so that the shell expands SPANWISE_API_KEY.
    const key = first.apiKeyGenerated ? first.apiKey : '$SPANWISE_API_KEY';
    lines.push(
      'First start: this is shown once.',
      `  Sign in as:  ${first.email}`,
      `  Password:    ${first.generatedPassword ?? '(the one in SPANWISE_ADMIN_PASSWORD)'}`,
      `  Project id:  ${first.projectId}`,
      `  API key:     ${first.apiKeyGenerated ? first.apiKey : '(the one in SPANWISE_API_KEY)'}`,
      '',
      'Send a first span:',
      '',
      `  curl -s ${url}/v1/ingest -H "x-api-key: ${key}" -H 'content-type: application/x-ndjson' \\`,
      `    -d '{"type":"span","traceId":"first-trace","spanId":"first-span","name":"chat","kind":"llm","model":"gpt-4o","provider":"openai","startTime":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","endTime":"'$(date -u +%Y-%m-%dT%H:%M:%SZ)'","usage":{"inputTokens":1200,"outputTokens":85},"input":"Hello","output":"Hi there"}'`,
      '',
      'and read it back a moment later:',
      '',
      `  curl -s ${url}/v1/projects/${first.projectId}/traces/first-trace -H "x-api-key: ${key}"`,
      '',
      'Or point an OpenTelemetry exporter here:',
      '',
      `  OTEL_EXPORTER_OTLP_ENDPOINT=${url}`,
      `  OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${key}`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
