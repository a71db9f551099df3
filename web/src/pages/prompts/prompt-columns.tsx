import { Link } from '@tanstack/react-router';
import type { ListedPrompt } from '../../api/service.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';

const maxTags = 2;
const maxLabels = 2;

/** The columns of the list of prompts. Each row is the newest version of a prompt. */
export function promptColumns(
  at: ProjectPath,
  range: RangeSearch,
  onTag: (tag: string) => void,
): ReadonlyArray<Column<ListedPrompt>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 150,
      grow: true,
      cell: ({ name, resolutionError }) => (
        <span className="flex items-center gap-2">
          <Link {...pages.prompt(at, name)} search={range} className="min-w-0 font-medium hover:text-accent hover:underline">
            <VisibleLine text={name} />
          </Link>
          {resolutionError !== undefined && (
            <Badge tone="bad" title={resolutionError}>
              unresolved
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'labels',
      title: 'Labels',
      hint: 'Labels with the version each is on, except latest',
      width: 180,
      cell: ({ familyLabels }) => <Labels labels={familyLabels} />,
    },
    { id: 'type', title: 'Type', width: 55, droppable: true, cell: ({ type }) => type },
    { id: 'version', title: 'Version', hint: 'Newest version', width: 70, align: 'end', cell: ({ version }) => version },
    {
      id: 'folder',
      title: 'Folder',
      width: 120,
      droppable: true,
      cell: ({ folder }) =>
        folder === null ? <Absent why="No folder" /> : <VisibleLine text={folder} className="text-ink-soft" />,
    },
    {
      id: 'tags',
      title: 'Tags',
      width: 160,
      droppable: true,
      cell: ({ tags }) =>
        tags.length === 0 ? (
          <Absent why="No tags" />
        ) : (
          <span className="flex items-center gap-1">
            {tags.slice(0, maxTags).map((tag) => (
              <button key={tag} type="button" title="Filter by this tag" onClick={() => onTag(tag)} className="min-w-0">
                <Badge>
                  <Visible text={tag} />
                </Badge>
              </button>
            ))}
            {tags.length > maxTags && <Badge title={tags.join('\n')}>+{tags.length - maxTags}</Badge>}
          </span>
        ),
    },
    {
      id: 'by',
      title: 'Author',
      hint: 'Author of the newest version',
      width: 100,
      droppable: true,
      cell: ({ createdBy }) => <VisibleLine text={createdBy} className="text-ink-soft" />,
    },
    { id: 'created', title: 'Updated', width: 90, align: 'end', cell: ({ createdAt }) => <Moment ago iso={createdAt} /> },
  ];
}

function Labels({ labels }: { labels: ListedPrompt['familyLabels'] }) {
  if (labels.length === 0) return <Absent why="No labels except latest" />;
  const others = labels.slice(maxLabels);
  return (
    <span className="flex items-center gap-1">
      {labels.slice(0, maxLabels).map(({ label, version }) => (
        <Badge key={label} tone={label === 'production' ? 'good' : 'accent'} shrink>
          <Visible text={label} /> v{version}
        </Badge>
      ))}
      {others.length > 0 && (
        <Badge title={others.map(({ label, version }) => `${label} v${version}`).join('\n')}>+{others.length}</Badge>
      )}
    </span>
  );
}
