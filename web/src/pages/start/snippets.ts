/** A curl command that sends one span with the current time. */
export function curlSnippet(origin: string, key: string): string {
  return `now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
curl -s ${origin}/v1/ingest -H "x-api-key: ${key}" -H 'content-type: application/x-ndjson' \\
  -d '{"type":"span","traceId":"hello-'$(date +%s)'","spanId":"s-1","name":"chat","kind":"llm","model":"gpt-4o","provider":"openai","startTime":"'$now'","endTime":"'$now'","usage":{"inputTokens":1200,"outputTokens":85},"input":"Hello","output":"Hi there"}'`;
}

/** Environment variables of an OpenTelemetry exporter. */
export function exporterSnippet(origin: string, key: string): string {
  return `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_HEADERS=x-api-key=${key}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_BSP_MAX_EXPORT_BATCH_SIZE=512
export OTEL_EXPORTER_OTLP_COMPRESSION=gzip
export OTEL_METRICS_EXPORTER=none OTEL_LOGS_EXPORTER=none`;
}

/** The configuration of an OpenTelemetry Collector. */
export function collectorSnippet(origin: string, key: string): string {
  return `exporters:
  otlphttp/spanwise:
    traces_endpoint: ${origin}/v1/traces
    headers:
      x-api-key: ${key}
    compression: gzip
processors:
  batch:
    send_batch_max_size: 512`;
}
