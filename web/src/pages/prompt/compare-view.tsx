import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useMemo } from 'react';
import type { ReactNode } from 'react';
import type { PromptVersion } from '../../api/service.ts';
import { DiffTable } from '../../content/diff-table.tsx';
import { jsonText } from '../../content/json-text.ts';
import { promptLines } from '../../content/prompt-messages.ts';
import { IconButton } from '../../design/button.tsx';
import { Select } from '../../design/field.tsx';
import { Empty, Failure, Skeleton } from '../../design/states.tsx';
import { visibleText } from '../../format/visible-text.ts';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { defaultLabel } from './label-move.ts';
import type { PromptSearch } from './search.ts';
import { useVersion } from '../../api/prompt-versions.ts';
import type { Versions } from '../../api/prompt-versions.ts';

interface CompareViewProps {
  version: PromptVersion;
  versions: Versions;
  search: PromptSearch;
}

/** Compares two versions of a prompt. The baseline is by default the version in production, or else the previous version. */
export default function CompareView({ version, versions, search }: CompareViewProps): ReactNode {
  const { projectId } = useProject();
  const production = useVersion(projectId, version.name, { label: defaultLabel }, versions);
  if (versions.newest?.version === 1) {
    return <Empty title="Only one version">Save another version to compare.</Empty>;
  }
  const baseline = search.with ?? (production.error ? previous(version.version) : baselineOf(version, production.version));
  if (baseline === undefined) return <Skeleton className="m-4 h-40" />;
  return <Comparison {...{ version, versions, search, baseline }} />;
}

/** Version 1 is compared with version 2. */
const previous = (version: number) => (version > 1 ? version - 1 : 2);

/** @param production null if no version is in production, undefined while that is not known */
function baselineOf(candidate: PromptVersion, production: PromptVersion | null | undefined): number | undefined {
  if (production === undefined) return undefined;
  return production === null || production.version === candidate.version ? previous(candidate.version) : production.version;
}

function Comparison({ version, versions, search, baseline }: CompareViewProps & { baseline: number }): ReactNode {
  const { at, projectId } = useProject();
  const navigate = useNavigate();
  const other = useVersion(projectId, version.name, { version: baseline }, versions);
  const show = (selected: number, beside: number) =>
    void navigate({
      ...pages.prompt(at, version.name),
      search: { ...search, label: undefined, version: selected, with: beside },
      replace: true,
    });
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-end gap-2">
        <VersionSelect label="Baseline" value={baseline} versions={versions} onValue={(left) => show(version.version, left)} />
        <IconButton label="Swap versions" onClick={() => show(baseline, version.version)}>
          <ArrowLeftRight aria-hidden />
        </IconButton>
        <VersionSelect label="Candidate" value={version.version} versions={versions} onValue={(right) => show(right, baseline)} />
      </div>
      {other.error ? (
        <Failure error={other.error} />
      ) : other.version === null ? (
        <Empty title={`Version ${baseline} not found`}>Choose another version.</Empty>
      ) : other.version === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <Differences left={other.version} right={version} />
      )}
    </div>
  );
}

interface VersionSelectProps {
  label: string;
  value: number;
  versions: Versions;
  onValue(version: number): void;
}

function VersionSelect({ label, value, versions, onValue }: VersionSelectProps): ReactNode {
  const options = versions.loaded.map((version) => ({ value: String(version.version), label: nameOf(version) }));
  // The selected version may not be loaded yet.
  if (!options.some((option) => option.value === String(value)))
    options.push({ value: String(value), label: `Version ${value}` });
  return (
    <Select
      label={label}
      className="w-80"
      value={String(value)}
      options={options}
      onValue={(chosen) => onValue(Number(chosen))}
    />
  );
}

function nameOf({ version, labels, commitMessage }: PromptVersion): string {
  const words = [`Version ${version}`, ...(labels.length > 0 ? [labels.join(', ')] : []), commitMessage.split('\n')[0] ?? ''];
  return visibleText(words.filter((word) => word !== '').join(' · ')).slice(0, 100);
}

function Differences({ left, right }: { left: PromptVersion; right: PromptVersion }): ReactNode {
  const texts = useMemo(
    () => ({
      prompt: [promptLines(left.type, left.prompt), promptLines(right.type, right.prompt)] as const,
      config: [jsonText(left.config), jsonText(right.config)] as const,
    }),
    [left, right],
  );
  const sides = [`Version ${left.version}`, `Version ${right.version}`] as const;
  return (
    <>
      {left.type !== right.type && (
        <p role="note" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
          Version {left.version} is a {left.type} prompt, version {right.version} a {right.type} prompt.
        </p>
      )}
      <DiffTable
        title="Prompt"
        texts={texts.prompt}
        sides={sides}
        same={left.prompt === right.prompt ? 'No changes.' : 'No changes in the messages; the JSON formatting differs.'}
      />
      <DiffTable title="Configuration" texts={texts.config} sides={sides} same="No changes." />
    </>
  );
}
