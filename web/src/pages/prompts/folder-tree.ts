/** A prompt folder with its subfolders. */
export interface Folder {
  /** The last segment of the path. */
  name: string;
  path: string;
  folders: Folder[];
}

/** Builds a folder tree, sorted by name. Includes parent folders that contain no prompts. */
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

/** Whether a path equals a folder or is below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}
