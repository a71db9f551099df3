import { readVersion } from '../../version-number.ts';

/** What stands in the URL of the editor of a new version. */
export interface NewVersionSearch {
  /** The version that it begins as; the newest unless given. */
  base?: number | undefined;
}

/** Reads the search of a URL. */
export function readNewVersionSearch(search: Record<string, unknown>): NewVersionSearch {
  const base = readVersion(search['base']);
  return base === undefined ? {} : { base };
}

/** What stands in the URL of the editor of a new prompt. */
export interface NewPromptSearch {
  folder?: string | undefined;
  name?: string | undefined;
}

/** Reads the search of a URL. */
export function readNewPromptSearch(search: Record<string, unknown>): NewPromptSearch {
  const { folder, name } = search;
  return {
    ...(typeof folder === 'string' && folder !== '' && folder !== '/' ? { folder } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}
