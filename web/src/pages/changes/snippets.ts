/** A command that reports a deployment. The commit is the idempotency key: a pipeline that runs again reports it once. */
export function reportSnippet(url: string): string {
  return `commit=$(git rev-parse HEAD)
curl -fsS ${url} \\
  -H "x-api-key: $SPANWISE_API_KEY" -H 'content-type: application/json' \\
  -d '{"kind":"deploy","environment":"production","version":"'"$(git describe --tags --always)"'","commitSha":"'"$commit"'","idempotencyKey":"'"$commit"'"}'`;
}
