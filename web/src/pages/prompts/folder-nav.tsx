import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight, FileText, Files, Folder as FolderIcon } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../../design/class-names.ts';
import { VisibleLine } from '../../design/visible.tsx';
import { useProject } from '../../frame/project-context.ts';
import { pages } from '../../paths.ts';
import { folderTree, isWithin } from './folder-tree.ts';
import type { Folder } from './folder-tree.ts';
import type { PromptsSearch } from './search.ts';

const entry = 'flex h-7 w-full min-w-0 items-center gap-1.5 rounded-md px-1.5 [&_svg]:size-4 [&_svg]:shrink-0';

interface FolderNavProps {
  folders: readonly string[];
  /** They could not be loaded. */
  isMissing: boolean;
  search: PromptsSearch;
}

/** The folder tree as navigation. Links keep search and tag. */
export function FolderNav({ folders, isMissing, search }: FolderNavProps): ReactNode {
  const tree = useMemo(() => folderTree(folders), [folders]);
  return (
    <nav
      aria-label="Folders"
      className="scroll-thin flex shrink-0 flex-col gap-0.5 overflow-auto border-line bg-surface p-2 max-lg:max-h-40 max-lg:border-b lg:w-56 lg:border-r"
    >
      <FolderLink search={search} path={undefined}>
        <Files aria-hidden /> All prompts
      </FolderLink>
      {tree.length > 0 && (
        <FolderLink search={search} path="/">
          <FileText aria-hidden /> Unfiled
        </FolderLink>
      )}
      <Branch folders={tree} search={search} />
      {tree.length === 0 && (
        <p className="px-1.5 py-2 text-xs text-ink-faint">
          {isMissing ? 'Folders can’t be loaded.' : 'No folders. Set a folder on the prompt page.'}
        </p>
      )}
    </nav>
  );
}

interface FolderLinkProps {
  search: PromptsSearch;
  path: string | undefined;
  children: ReactNode;
}

function FolderLink({ search, path, children }: FolderLinkProps): ReactNode {
  const { at } = useProject();
  const current = search.folder === path;
  return (
    <Link
      {...pages.prompts(at)}
      search={{ ...search, folder: path }}
      replace
      // Otherwise "All prompts" would be active in every folder.
      activeOptions={{ exact: true, explicitUndefined: true }}
      className={classNames(
        entry,
        current ? 'bg-accent-soft font-medium text-accent' : 'text-ink-soft hover:bg-hover hover:text-ink',
      )}
    >
      {children}
    </Link>
  );
}

function Branch({ folders, search }: { folders: readonly Folder[]; search: PromptsSearch }): ReactNode {
  return (
    <ul className="flex flex-col gap-0.5">
      {folders.map((folder) => (
        <FolderItem key={folder.path} folder={folder} search={search} />
      ))}
    </ul>
  );
}

function FolderItem({ folder, search }: { folder: Folder; search: PromptsSearch }): ReactNode {
  // The first level and the ancestors of the selected folder are expanded.
  const containsSelected = search.folder !== undefined && isWithin(search.folder, folder.path);
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? (containsSelected || !folder.path.includes('/'));
  const Arrow = open ? ChevronDown : ChevronRight;
  return (
    <li>
      <div className="flex items-center">
        {folder.folders.length === 0 ? (
          <span className="w-5 shrink-0" />
        ) : (
          <button
            type="button"
            aria-expanded={open}
            aria-label={`Subfolders of ${folder.name}`}
            onClick={() => setChosen(!open)}
            className="flex h-7 w-5 shrink-0 items-center justify-center rounded text-ink-faint hover:text-ink"
          >
            <Arrow className="size-3.5" aria-hidden />
          </button>
        )}
        <FolderLink search={search} path={folder.path}>
          <FolderIcon aria-hidden />
          <VisibleLine text={folder.name} />
        </FolderLink>
      </div>
      {open && folder.folders.length > 0 && (
        <div className="ml-2.5 border-l border-line pl-1">
          <Branch folders={folder.folders} search={search} />
        </div>
      )}
    </li>
  );
}
