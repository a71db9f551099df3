import type { EvidencePack, PackFormat } from '../../../contract/evidence-packs.ts';
import { jsonType } from '../../../platform/http/index.ts';
import { signBytes } from '../format/ed25519.ts';
import { envelopeOf } from '../format/dsse.ts';
import { packHtml } from '../html/pack-html.ts';
import { findPack } from './find-pack.ts';
import type { PacksContext } from './packs-context.ts';

/** A file to download. */
export interface PackFile {
  content: Buffer;
  contentType: string;
  /** ASCII, without quotes. */
  name: string;
}

/** A pack as a file: the stored bytes, a page to print, or a DSSE envelope. Errors: `not_found`. */
export async function downloadPack(
  context: PacksContext,
  projectId: string,
  packId: string,
  format: PackFormat,
): Promise<PackFile> {
  const content = await findPack(context, projectId, packId);
  // Only this feature stores packs.
  const pack = JSON.parse(content.toString('utf8')) as EvidencePack;
  const stem = `spanwise-evidence-soc2-${packId.toLowerCase()}`;
  if (format === 'html')
    return { content: Buffer.from(packHtml(pack)), contentType: 'text/html; charset=utf-8', name: `${stem}.html` };
  if (format === 'dsse') {
    const { privateKey } = await context.key.pair();
    const envelope = envelopeOf(pack, (bytes) => signBytes(bytes, privateKey));
    return { content: Buffer.from(JSON.stringify(envelope)), contentType: jsonType, name: `${stem}.dsse.json` };
  }
  return { content, contentType: jsonType, name: `${stem}.json` };
}
