import { readVersion } from '../../version-number.ts';

/** The search parameters of the editor of a new version. */
export interface NewVersionSearch {
  /** The version to start from; the latest by default. */
  base?: number | undefined;
}

/** Parses the search parameters of a URL. */
export function readNewVersionSearch(search: Record<string, unknown>): NewVersionSearch {
  const base = readVersion(search['base']);
  return base === undefined ? {} : { base };
}

/** The search parameters of the editor of a new prompt. */
export interface NewPromptSearch {
  folder?: string | undefined;
  name?: string | undefined;
}

/** Parses the search parameters of a URL. */
export function readNewPromptSearch(search: Record<string, unknown>): NewPromptSearch {
  const { folder, name } = search;
  return {
    ...(typeof folder === 'string' && folder !== '' && folder !== '/' ? { folder } : {}),
    ...(typeof name === 'string' && name !== '' ? { name } : {}),
  };
}
