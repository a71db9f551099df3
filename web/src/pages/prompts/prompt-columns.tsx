import { Link } from '@tanstack/react-router';
import type { PromptVersion } from '../../api/wire.ts';
import { Badge } from '../../design/badge.tsx';
import type { Column } from '../../design/column.ts';
import { Absent, Moment } from '../../design/figures.tsx';
import { Visible, VisibleLine } from '../../design/visible.tsx';
import { pages } from '../../paths.ts';
import type { ProjectPath } from '../../paths.ts';
import type { RangeSearch } from '../../range.ts';

const mostTags = 2;

/** The columns of the list of prompts; each row is a prompt's newest version. */
export function promptColumns(
  at: ProjectPath,
  range: RangeSearch,
  onTag: (tag: string) => void,
): ReadonlyArray<Column<PromptVersion>> {
  return [
    {
      id: 'name',
      title: 'Name',
      width: 180,
      grow: true,
      cell: ({ name, resolutionError }) => (
        <span className="flex items-center gap-2">
          <Link {...pages.prompt(at, name)} search={range} className="min-w-0 font-medium hover:text-accent hover:underline">
            <VisibleLine text={name} />
          </Link>
          {resolutionError !== undefined && (
            <Badge tone="bad" title={resolutionError}>
              cannot be resolved
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'folder',
      title: 'Folder',
      width: 130,
      cell: ({ folder }) =>
        folder === null ? <Absent why="It is in no folder" /> : <VisibleLine text={folder} className="text-ink-soft" />,
    },
    { id: 'type', title: 'Type', width: 55, cell: ({ type }) => type },
    { id: 'version', title: 'Newest', hint: 'The newest version', width: 70, align: 'end', cell: ({ version }) => version },
    {
      id: 'labels',
      title: 'Its labels',
      hint: 'Labels on the newest version, beside latest',
      width: 120,
      cell: ({ labels }) => <Labels labels={labels} />,
    },
    {
      id: 'tags',
      title: 'Tags',
      width: 170,
      cell: ({ tags }) =>
        tags.length === 0 ? (
          <Absent why="It has no tags" />
        ) : (
          <span className="flex items-center gap-1">
            {tags.slice(0, mostTags).map((tag) => (
              <button key={tag} type="button" title="Show prompts with this tag" onClick={() => onTag(tag)} className="min-w-0">
                <Badge>
                  <Visible text={tag} />
                </Badge>
              </button>
            ))}
            {tags.length > mostTags && <Badge title={tags.join('\n')}>+{tags.length - mostTags}</Badge>}
          </span>
        ),
    },
    {
      id: 'by',
      title: 'By',
      hint: 'Who made the newest version',
      width: 100,
      cell: ({ createdBy }) => <VisibleLine text={createdBy} className="text-ink-soft" />,
    },
    { id: 'created', title: 'Changed', width: 90, align: 'end', cell: ({ createdAt }) => <Moment ago iso={createdAt} /> },
  ];
}

function Labels({ labels }: { labels: readonly string[] }) {
  const [first, ...others] = labels.filter((label) => label !== 'latest');
  if (first === undefined) return <Absent why="The newest version has no label but latest" />;
  return (
    <span className="flex items-center gap-1">
      <Badge tone={first === 'production' ? 'good' : 'accent'}>
        <Visible text={first} />
      </Badge>
      {others.length > 0 && <Badge title={others.join('\n')}>+{others.length}</Badge>}
    </span>
  );
}
