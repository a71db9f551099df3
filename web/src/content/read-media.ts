import { isFields, textOf, typeOf } from './message-shapes.ts';
import type { Fields } from './message-shapes.ts';
import type { MediaPart } from './message.ts';
import { memberOf } from './part-shapes.ts';

/** Longer data is not shown, in characters. */
const maxData = 8_000_000;
const maxLink = 2_000;
const maxLabel = 200;
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Reads a part of a message that holds an image, sound or a file, or links to one; null for other parts. */
export function readMedia(part: Fields): MediaPart | null {
  const type = typeOf(part);
  const inner = memberOf(part, 'inlineData', 'inline_data', 'fileData', 'file_data', 'media');
  const bedrock = type === '' ? memberOf(part, 'image', 'audio', 'video', 'document') : null;
  if (inner === null && bedrock === null && !/image|audio|video|file|document|blob|uri|media/.test(type)) return null;
  const source = inner ?? bedrock ?? part;
  const kind = bedrock === null ? type : (['image', 'audio', 'video'].find((name) => isFields(part[name])) ?? 'document');
  const mime = mimeOf(source, kind);
  const url = urlOf(source, mime);
  return {
    kind: 'media',
    medium: mediumOf(mime ?? dataMime(url) ?? `${kind} ${String(source['modality'] ?? '')}`),
    label: labelOf(kind, mime, url, source),
    url,
  };
}

function mimeOf(source: Fields, kind: string): string | null {
  const nested = memberOf(source, 'source', 'input_audio', 'file');
  const named = textOf(
    ...['mime_type', 'mimeType', 'mediaType', 'media_type', 'contentType'].flatMap((name) => [source[name], nested?.[name]]),
  );
  if (named !== null) return named;
  const format = textOf(source['format'], nested?.['format']);
  if (format === null || !/^[\w.+-]{1,20}$/.test(format)) return null;
  const family = ['image', 'audio', 'video'].find((name) => kind.includes(name)) ?? 'application';
  return `${family}/${format}`;
}

/** A data URL, or a link; null if there is neither or it is too long. */
function urlOf(source: Fields, mime: string | null): string | null {
  for (const found of candidates(source)) {
    if (/^https?:\/\//i.test(found)) return found.length <= maxLink ? found : null;
    if (found.length > maxData) return null;
    if (/^data:[\w.+-]+\/[\w.+-]+[;,]/.test(found)) return found;
    if (mime !== null && found.length >= 4 && base64.test(found.slice(0, 64).trimEnd())) return `data:${mime};base64,${found}`;
  }
  return null;
}

const sourceNames = ['image_url', 'url', 'uri', 'fileUri', 'file_uri', 'image', 'audio', 'data', 'bytes', 'content', 'file_data'];

/** The texts that may be the data or a link, from the outermost on. */
function candidates(source: Fields): string[] {
  const found: string[] = [];
  let level: Fields[] = [source];
  // OpenInference nests two levels: `{"image": {"image": {"url": ...}}}`.
  for (let depth = 0; depth < 3; depth++) {
    const next: Fields[] = [];
    for (const fields of level) {
      for (const name of [...sourceNames, 'source', 'input_audio', 'file']) {
        const value = fields[name];
        if (typeof value === 'string' && value !== '') found.push(value);
        else if (isFields(value)) next.push(value);
      }
    }
    level = next;
  }
  return found;
}

function dataMime(url: string | null): string | null {
  return url === null ? null : (/^data:([^;,]{1,100})/.exec(url)?.[1] ?? null);
}

function mediumOf(told: string): MediaPart['medium'] {
  return (['image', 'audio', 'video'] as const).find((name) => told.includes(name)) ?? 'file';
}

function labelOf(kind: string, mime: string | null, url: string | null, source: Fields): string {
  const isData = url?.startsWith('data:') === true;
  const shown = url === null ? '' : isData ? dataMime(url) : url.slice(0, maxLabel);
  const name = textOf(source['filename'], source['name'], source['displayName'], source['file_id']);
  return [kind, name?.slice(0, maxLabel), mime === shown ? null : mime, shown].filter(Boolean).join(' · ');
}
