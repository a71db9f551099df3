import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { ApiError } from '../../api/client.ts';
import { LineExcerpt } from '../../content/line-excerpt.tsx';
import { lineOf } from '../../content/text-line.ts';
import { Visible } from '../../design/visible.tsx';
import { placeOf } from './import-place.ts';

interface ImportErrorProps {
  error: ApiError | null;
  message: string;
  file: File | null;
}

/** An import error with an excerpt of the line that it refers to. */
export function ImportError({ error, message, file }: ImportErrorProps): ReactNode {
  const place = error && placeOf(error);
  const lineNumber = place?.line;
  const [read, setRead] = useState<{ file: File; lineNumber: number; line: string | null } | null>(null);
  useEffect(() => {
    if (file === null || lineNumber === undefined) return undefined;
    let cancelled = false;
    void file.text().then(
      (text) => !cancelled && setRead({ file, lineNumber, line: lineOf(text, lineNumber) }),
      // If the file cannot be read, the message still names the line.
      () => undefined,
    );
    return () => {
      cancelled = true;
    };
  }, [file, lineNumber]);
  const line = read !== null && read.file === file && read.lineNumber === lineNumber ? read.line : null;
  const character = place?.column !== null && /^\d+$/.test(place?.column ?? '') ? Number(place?.column) : null;
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft px-2.5 py-2">
      <Visible text={message} className="block break-words text-bad" />
      {line !== null && <LineExcerpt lineNumber={lineNumber ?? 1} line={line} character={character} />}
    </div>
  );
}
