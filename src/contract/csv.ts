/** A CSV file of records, as exports and the command line write it: every cell is quoted, and no text begins as a formula does. */

/** The columns of spans and traces: the fields that a list has of them, in its order (`listedSpan`, `listedTrace`). */
export const recordColumns = {
  spans: [
    'traceId',
    'spanId',
    'parentSpanId',
    'name',
    'kind',
    'startTime',
    'endTime',
    'durationMs',
    'timeToFirstTokenMs',
    'status',
    'errorCode',
    'errorMessage',
    'model',
    'provider',
    'agentName',
    'operation',
    'service',
    'environment',
    'release',
    'sessionId',
    'userId',
    'tags',
    'promptName',
    'promptVersion',
    'usage',
    'costUsd',
    'costStatus',
    'isCall',
    'inputPreview',
    'outputPreview',
    'scores',
    'trace',
  ],
  traces: [
    'traceId',
    'name',
    'startTime',
    'endTime',
    'durationMs',
    'status',
    'sessionId',
    'userId',
    'environment',
    'release',
    'tags',
    'models',
    'agents',
    'spanCount',
    'callCount',
    'errorCount',
    'unpricedCalls',
    'partlyPricedCalls',
    'costUsd',
    'inputTokens',
    'outputTokens',
    'cachedTokens',
    'reasoningTokens',
    'inputPreview',
    'outputPreview',
    'error',
  ],
} as const;

/** The beginnings of a text that a spreadsheet runs as a formula. */
const formula = /^[=+\-@\t\r]/;

/** One line with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

/** The cell of a value: nothing for null, a text as it is but for formulas, lists and objects as JSON. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '""';
  if (typeof value === 'string') return quotedCell(formula.test(value) ? `'${value}` : value);
  return quotedCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** The cell of a JSON text: of a string its text, of anything else the JSON as it is. */
export function csvCellOfJson(json: string): string {
  return json.startsWith('"') ? csvCell(JSON.parse(json)) : quotedCell(json);
}

function quotedCell(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
