import { FileText, Image, Video, Volume2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { Visible } from '../design/visible.tsx';
import { visibleText } from '../format/visible-text.ts';
import type { MediaPart } from './message.ts';

const icons: Readonly<Record<MediaPart['medium'], LucideIcon>> = { image: Image, audio: Volume2, video: Video, file: FileText };

/** An image or sound of a message. Data is shown in a bounded size; a link is not loaded, and opens in a new tab. */
export function MediaView({ media }: { media: MediaPart }): ReactNode {
  const [broken, setBroken] = useState(false);
  const { url, medium, label } = media;
  const Icon = icons[medium];
  const isData = url !== null && url.startsWith('data:') && !broken;
  return (
    <figure className="flex min-w-0 flex-col items-start gap-1.5">
      {isData && medium === 'image' && (
        <img
          src={url}
          alt={visibleText(label)}
          onError={() => setBroken(true)}
          className="max-h-80 max-w-full rounded-md border border-line object-contain"
        />
      )}
      {isData && medium === 'audio' && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption
        <audio src={url} controls onError={() => setBroken(true)} className="max-w-full" />
      )}
      <figcaption className="flex max-w-full min-w-0 items-center gap-1.5 text-ink-soft">
        <Icon className="size-4 shrink-0" aria-hidden />
        {url !== null && !url.startsWith('data:') ? (
          <a
            href={url}
            target="_blank"
            rel="noreferrer noopener"
            className="min-w-0 truncate font-mono text-xs text-accent hover:underline"
          >
            <Visible text={label} />
          </a>
        ) : (
          <Visible text={label} className="truncate font-mono text-xs" />
        )}
        {broken && <span className="shrink-0 text-xs text-ink-faint">cannot be shown</span>}
      </figcaption>
    </figure>
  );
}
