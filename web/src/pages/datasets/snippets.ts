const head = `-H "x-api-key: $SPANWISE_API_KEY" -H 'content-type: application/json'`;

/** A curl command that creates a dataset. */
export function datasetSnippet(origin: string): string {
  return `curl -s ${origin}/v1/datasets \\
  ${head} \\
  -d '{"name":"weather questions","description":"What people ask about tomorrow"}'`;
}

/** A curl command that adds an item to a dataset. */
export function itemSnippet(origin: string, datasetId: string): string {
  return `curl -s ${origin}/v1/datasets/${datasetId}/items \\
  ${head} \\
  -d '{"items":[{"input":"Do I need an umbrella?","expectedOutput":"yes","metadata":{"topic":"rain"}}]}'`;
}

/** Two curl commands: create a run, and add the output of an item. */
export function runSnippet(origin: string, datasetId: string, itemId: string): string {
  return `runs=${origin}/v1/datasets/${datasetId}/runs
run=$(curl -s $runs ${head} \\
  -d '{"name":"prompt v2"}' | jq -r .id)
curl -s $runs/$run/items \\
  ${head} \\
  -d '{"items":[{"datasetItemId":"${itemId}","output":"yes","latencyMs":840}]}'`;
}
