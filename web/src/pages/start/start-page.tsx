import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { apiKeysQuery, useKeyActions } from '../../api/keys.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { Snippet } from '../../design/copy.tsx';
import { Tabs } from '../../design/tabs.tsx';
import { Visible } from '../../design/visible.tsx';
import { Page } from '../../frame/page.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { Rejections } from './rejections.tsx';
import { ways } from './search.ts';
import { guides, mcpSnippet } from './snippets.ts';
import type { Guide } from './snippets.ts';
import { Waiting } from './waiting.tsx';

const placeholder = 'spw_YOUR_KEY';

/** The set-up page: how to send spans, and ingestion status. */
export default function StartPage(): ReactNode {
  const { at, can } = useProject();
  const [key, setKey] = useState<string | null>(null);
  const place = { origin: location.origin, key: key ?? placeholder };
  const { way = ways[0] } = useSearch({ from: '/o/$org/p/$project/start' });
  const navigate = useNavigate();
  return (
    <Page title="Set up">
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
        <Card title="2. Send spans">
          <Tabs
            label="Ways to send spans"
            value={way}
            onValue={(next) => void navigate({ to: '.', search: next === ways[0] ? {} : { way: next }, replace: true })}
            tabs={ways.map((one) => ({
              value: one,
              label: guides[one].title,
              content: <GuideSteps guide={guides[one].guide(place)} />,
            }))}
          />
        </Card>
        <Card title="Connect a coding agent">
          <div className="flex flex-col gap-2 p-3">
            <p className="text-ink-soft">
              Coding agents read traces, models, prompts and incidents by the Model Context Protocol. For Claude Code:
            </p>
            <Snippet label="MCP command" text={mcpSnippet(place)} />
          </div>
        </Card>
        <p className="text-ink-faint">
          Manage keys in{' '}
          <Link {...pages.settings(at, 'keys')} className="text-accent hover:underline">
            Settings
          </Link>
          . The{' '}
          <Link {...pages.mappingInspector(at)} className="text-accent hover:underline">
            Mapping inspector
          </Link>{' '}
          shows what is stored of an OTLP body. API reference:{' '}
          <a href="/v1/openapi.json" className="text-accent hover:underline">
            /v1/openapi.json
          </a>
          .
        </p>
      </div>
    </Page>
  );
}

function GuideSteps({ guide }: { guide: Guide }): ReactNode {
  return (
    <div className="flex flex-col gap-2 p-3">
      <p className="text-ink-soft [overflow-wrap:anywhere]">{guide.about}</p>
      {guide.samples.map(({ label, text }) => (
        <Snippet key={label} label={label} text={text} />
      ))}
    </div>
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
        <p className="text-ink-soft">Shown once. Added to the samples below.</p>
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
          onClick={() => create.mutate({ name: 'Set-up key' }, { onSuccess: ({ key }) => onCreated(key) })}
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
