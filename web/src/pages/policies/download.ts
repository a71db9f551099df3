import type { PulledPolicies } from '../../api/policies.ts';

/** A file for the viewer to save. */
export interface Download {
  name: string;
  type: 'application/yaml' | 'application/zip';
  content: Uint8Array<ArrayBuffer>;
}

/**
 * The files of a revision as one download: a single file as it is, several as a ZIP archive with their paths.
 *
 * @param project slug of the project, for the name
 */
export async function downloadOf({ files, revision }: PulledPolicies, project: string): Promise<Download> {
  const [first] = files;
  const encoder = new TextEncoder();
  if (first && files.length === 1) {
    const name = first.path.split('/').at(-1) ?? first.path;
    return { name, type: 'application/yaml', content: encoder.encode(first.content) };
  }
  const { zipSync } = await import('fflate');
  const entries = Object.fromEntries(files.map(({ path, content }) => [path, encoder.encode(content)]));
  return { name: `policies-${project}-${revision}.zip`, type: 'application/zip', content: zipSync(entries) };
}

/** Saves a download in the browser. */
export function save({ name, type, content }: Download): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
