import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { PromptVersion } from '../../api/service.ts';
import { jsonText } from '../../content/json-text.ts';
import { PromptView } from '../../content/prompt-view.tsx';
import { buttonClass } from '../../design/button.tsx';
import { Card } from '../../design/card.tsx';
import { CopyButton, Snippet } from '../../design/copy.tsx';
import { deferred } from '../../design/deferred.tsx';
import { Moment } from '../../design/figures.tsx';
import { Segments } from '../../design/segments.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Visible } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { fetchSnippet } from './fetch-snippet.ts';
import { LabelBadges, ProposalBadge } from './label-badge.tsx';
import { LabelMenu } from './label-menu.tsx';
import { Placeholders } from './placeholders.tsx';
import { referenceLink } from './reference-link.tsx';
import type { Versions } from '../../api/prompt-versions.ts';

const CodeView = deferred(() => import('../../content/code-view.tsx'), <Skeleton className="h-24" />);

/** One version: author, commit message, prompt and configuration. */
export function VersionView({ version, versions }: { version: PromptVersion; versions: Versions }): ReactNode {
  const { at, can } = useProject();
  const hasConfig = Object.keys(version.config).length > 0;
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="text-lg font-semibold">Version {version.version}</h2>
        <LabelBadges labels={version.labels} />
        {version.proposal && <ProposalBadge />}
        <span className="flex-1" />
        {can('prompts:manage') && (
          <>
            <LabelMenu version={version} versions={versions} />
            <Link
              {...pages.newVersion(at, version.name)}
              search={version.version === versions.latest?.version ? {} : { base: version.version }}
              className={buttonClass()}
            >
              <Pencil aria-hidden />
              Edit as new version
            </Link>
          </>
        )}
      </div>
      <p className="text-ink-soft">
        {version.commitMessage === '' ? (
          <span className="text-ink-faint">No commit message</span>
        ) : (
          <Visible text={version.commitMessage} className="[overflow-wrap:anywhere] whitespace-pre-wrap" />
        )}
        <span className="text-ink-faint">
          {' · '}
          <Visible text={version.createdBy} />
          {', '}
          <Moment iso={version.createdAt} />
        </span>
      </p>
      <PromptCard version={version} />
      <Card title="Configuration">
        <div className="p-2">
          {hasConfig ? (
            <CodeView label="Configuration" text={jsonText(version.config)} />
          ) : (
            <p className="px-1 text-ink-faint">None. A version can include a JSON object, such as model settings.</p>
          )}
        </div>
      </Card>
      <Card title="Use this prompt">
        <div className="p-2">
          <Snippet label="curl command to get this version" text={fetchSnippet(location.origin, version)} />
        </div>
      </Card>
    </div>
  );
}

type Form = 'source' | 'resolved';

function PromptCard({ version }: { version: PromptVersion }): ReactNode {
  const [form, setForm] = useState<Form>('source');
  const { type, prompt, resolvedPrompt, resolutionError } = version;
  const shown = form === 'source' ? prompt : resolvedPrompt;
  return (
    <Card
      title={type === 'chat' ? 'Chat prompt' : 'Text prompt'}
      aside={
        <span className="flex items-center gap-1">
          <Segments<Form>
            label="Prompt as"
            value={form}
            options={[
              { value: 'source', label: 'Source' },
              { value: 'resolved', label: 'Resolved' },
            ]}
            onValue={setForm}
          />
          <CopyButton label="Copy prompt" text={() => (typeof shown === 'string' ? shown : jsonText(shown))} />
        </span>
      }
    >
      {resolutionError !== undefined && (
        <p role="alert" className="border-b border-line bg-bad-soft px-3 py-2 text-bad">
          This version can't be resolved. Requests for it fail. <Visible text={resolutionError} />
        </p>
      )}
      <div className="px-3 py-2.5">
        {form === 'source' ? (
          <PromptView type={type} prompt={prompt} reference={referenceLink} />
        ) : resolvedPrompt === null ? (
          <p className="text-ink-faint">Not available: a reference can't be resolved.</p>
        ) : (
          <PromptView type={type} prompt={resolvedPrompt} />
        )}
      </div>
      <Placeholders version={version} />
    </Card>
  );
}
