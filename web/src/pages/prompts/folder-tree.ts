/** A folder of prompts with those in it. */
export interface Folder {
  /** Its last segment. */
  name: string;
  path: string;
  folders: Folder[];
}

/** Folders as a tree, by name. Folders that hold folders alone are there as well. */
export function folderTree(paths: readonly string[]): Folder[] {
  const root: Folder = { name: '', path: '', folders: [] };
  const known = new Map<string, Folder>([['', root]]);
  for (const path of paths.toSorted()) {
    let parent = root;
    for (const segment of path.split('/')) {
      const here = parent.path === '' ? segment : `${parent.path}/${segment}`;
      let folder = known.get(here);
      if (!folder) {
        folder = { name: segment, path: here, folders: [] };
        known.set(here, folder);
        parent.folders.push(folder);
      }
      parent = folder;
    }
  }
  for (const { folders } of known.values()) folders.sort((left, right) => left.name.localeCompare(right.name, 'en'));
  return root.folders;
}

/** Whether a folder is another, or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
