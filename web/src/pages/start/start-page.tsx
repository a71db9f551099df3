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
import { collectorSnippet, curlSnippet, exporterSnippet } from './snippets.ts';
import { Waiting } from './waiting.tsx';

const placeholder = 'spw_YOUR_KEY';

/** How to send a first span, and whether it has arrived. */
export default function StartPage(): ReactNode {
  const { at, can } = useProject();
  const [key, setKey] = useState<string | null>(null);
  const shown = key ?? placeholder;
  const { origin } = location;
  return (
    <Page title="Send data">
      <div className="flex max-w-4xl flex-col gap-3">
        <Waiting />
        <Card title="1. An API key">
          <div className="flex flex-col gap-2 p-3">
            {can('keys:manage') ? (
              <KeyHint made={key} onMade={setKey} />
            ) : (
              <p className="text-ink-soft">
                Ask an owner or admin of the organization for an API key of this project; your role cannot make one.
              </p>
            )}
          </div>
        </Card>
        <Card title="2. A span, from a shell">
          <div className="p-3">
            <Snippet label="curl that sends a span" text={curlSnippet(origin, shown)} />
          </div>
        </Card>
        <Card title="Or any OpenTelemetry exporter">
          <div className="flex flex-col gap-2 p-3">
            <p className="text-ink-soft">
              Traces go to <code className="font-mono">{origin}/v1/traces</code>. The conventions of gen_ai.*, OpenInference,
              Traceloop, the Vercel AI SDK, Langfuse and LangSmith are understood.
            </p>
            <Snippet label="Exporter settings for a shell" text={exporterSnippet(origin, shown)} />
            <p className="text-ink-soft">Through a collector:</p>
            <Snippet label="Exporter of a collector" text={collectorSnippet(origin, shown)} />
          </div>
        </Card>
        <p className="text-ink-faint">
          Keys are managed in{' '}
          <Link {...pages.settings(at, 'keys')} className="text-accent hover:underline">
            the settings
          </Link>
          ; the whole interface is described at{' '}
          <a href="/v1/openapi.json" className="text-accent hover:underline">
            /v1/openapi.json
          </a>
          .
        </p>
      </div>
    </Page>
  );
}

function KeyHint({ made, onMade }: { made: string | null; onMade(key: string): void }): ReactNode {
  const { projectId } = useProject();
  const keys = useQuery(apiKeysQuery(projectId));
  const { create } = useKeyActions(projectId);
  const newest = keys.data?.apiKeys.at(-1);
  if (made !== null) {
    return (
      <>
        <p className="text-ink-soft">This is shown once; the commands below have it already.</p>
        <Snippet label="API key" text={made} />
      </>
    );
  }
  return (
    <>
      <p className="text-ink-soft">
        {newest ? (
          <>
            This project has a key that begins with <code className="font-mono">{newest.prefix}…</code> (
            <Visible text={newest.name} />
            ). Put it in place of <code className="font-mono">{placeholder}</code>, or make another one:
          </>
        ) : (
          'This project has no key yet:'
        )}
      </p>
      <div className="flex items-center gap-3">
        <Button
          look="primary"
          busy={create.isPending}
          onClick={() => create.mutate('Made on the page “Send data”', { onSuccess: ({ key }) => onMade(key) })}
        >
          Make a key
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
