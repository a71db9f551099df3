import type { FoundFile } from './chosen-files.ts';

/** More files in a dropped folder are not read: the limit is 200, and a repository has many others. */
const maxEntries = 5_000;
/** Files and folders that hold no policies, as for `spanwise policy plan`. */
const isSkipped = (name: string) => name.startsWith('.') || name === 'node_modules';

/** The files of an input element; with `webkitdirectory` their paths begin with the folder's name. */
export function inputFiles(list: FileList | null): FoundFile[] {
  return [...(list ?? [])].slice(0, maxEntries).flatMap((file) => {
    const path = file.webkitRelativePath || file.name;
    // The chosen folder itself may have any name.
    return path.split('/').slice(1).some(isSkipped) ? [] : [foundOf(path, file)];
  });
}

/** Dropped files and the files in dropped folders. Call it in the event handler: the items are empty afterwards. */
export function droppedFiles({ items }: Pick<DataTransfer, 'items'>): Promise<FoundFile[]> {
  const taken = [...items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const entries = taken.flatMap(({ entry }) => entry ?? []);
  // What another program or a script drops may be no entry of a file system.
  const files = taken.flatMap(({ entry, file }) => (entry === null && file !== null ? [foundOf(file.name, file)] : []));
  return walk(entries, files);
}

async function walk(entries: readonly FileSystemEntry[], found: FoundFile[]): Promise<FoundFile[]> {
  const waiting = [...entries];
  for (let entry = waiting.pop(); entry !== undefined && found.length < maxEntries; entry = waiting.pop()) {
    if (isFile(entry)) {
      const file = await fileOf(entry);
      found.push(foundOf(entry.fullPath.replace(/^\//, ''), file));
    } else if (isFolder(entry)) waiting.push(...(await childrenOf(entry)).filter(({ name }) => !isSkipped(name)));
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives at most 100 entries a call, and none at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  while (all.length < maxEntries) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return all;
}

function foundOf(path: string, file: File): FoundFile {
  return { path, size: file.size, read: () => file.arrayBuffer() };
}
