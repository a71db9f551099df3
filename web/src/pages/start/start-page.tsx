import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { apiKeysQuery, useKeyActions } from '../../api/keys.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Visible } from '../../design/visible.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Rejections } from './rejections.tsx';
import { collectorSnippet, curlSnippet, exporterSnippet } from './snippets.ts';
import { Waiting } from './waiting.tsx';

const placeholder = 'spw_YOUR_KEY';

/** The set-up page: how to send spans, and ingestion status. */
export default function StartPage(): ReactNode {
  const { at, can } = useProject();
  const [key, setKey] = useState<string | null>(null);
  const shown = key ?? placeholder;
  const { origin } = location;
  return (
    <Page title="Send data">
      <div className="flex max-w-4xl flex-col gap-3">
        <Waiting />
        <Rejections />
        <Card title="1. Create an API key">
          <div className="flex flex-col gap-2 p-3">
            {can('keys:manage') ? (
              <KeyHint created={key} onCreated={setKey} />
            ) : (
              <p className="text-ink-soft">
                Ask an owner or admin of the organization for an API key. Your role can't create one.
              </p>
            )}
          </div>
        </Card>
        <Card title="2. Send a span with curl">
          <div className="p-3">
            <Snippet label="curl command to send a span" text={curlSnippet(origin, shown)} />
          </div>
        </Card>
        <Card title="Or use an OpenTelemetry exporter">
          <div className="flex flex-col gap-2 p-3">
            <p className="text-ink-soft">
              Endpoint: <code className="font-mono">{origin}/v1/traces</code>. Supported conventions: gen_ai.*, OpenInference,
              Traceloop, Vercel AI SDK, Langfuse and LangSmith.
            </p>
            <Snippet label="Exporter environment variables" text={exporterSnippet(origin, shown)} />
            <p className="text-ink-soft">OpenTelemetry Collector:</p>
            <Snippet label="Collector configuration" text={collectorSnippet(origin, shown)} />
          </div>
        </Card>
        <p className="text-ink-faint">
          Manage keys in{' '}
          <Link {...pages.settings(at, 'keys')} className="text-accent hover:underline">
            Settings
          </Link>
          . API reference:{' '}
          <a href="/v1/openapi.json" className="text-accent hover:underline">
            /v1/openapi.json
          </a>
          .
        </p>
      </div>
    </Page>
  );
}

function KeyHint({ created, onCreated }: { created: string | null; onCreated(key: string): void }): ReactNode {
  const { projectId } = useProject();
  const keys = useQuery(apiKeysQuery(projectId));
  const { create } = useKeyActions(projectId);
  const newest = keys.data?.apiKeys.at(-1);
  if (created !== null) {
    return (
      <>
        <p className="text-ink-soft">Shown once. Added to the commands below.</p>
        <Snippet label="API key" text={created} />
      </>
    );
  }
  return (
    <>
      <p className="text-ink-soft">
        {newest ? (
          <>
            Existing key: <Visible text={newest.name} /> (<code className="font-mono">{newest.prefix}…</code>). Replace{' '}
            <code className="font-mono">{placeholder}</code> with it, or create another key.
          </>
        ) : (
          'This project has no API keys.'
        )}
      </p>
      <div className="flex items-center gap-3">
        <Button
          look="primary"
          busy={create.isPending}
          onClick={() => create.mutate('Set-up key', { onSuccess: ({ key }) => onCreated(key) })}
        >
          Create API key
        </Button>
        {create.error && (
          <span role="alert" className="text-bad">
            {create.error.message}
          </span>
        )}
      </div>
    </>
  );
}
