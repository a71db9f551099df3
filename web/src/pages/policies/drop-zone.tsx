import { FileUp, FolderUp } from 'lucide-react';
import { useRef, useState } from 'react';
import type { DragEvent, ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { classNames } from '../../design/class-names.ts';
import type { FoundFile } from './chosen-files.ts';
import { droppedFiles, inputFiles } from './dropped-entries.ts';

interface DropZoneProps {
  /** What is selected now; null for nothing. */
  selected: string | null;
  onFound(found: Promise<readonly FoundFile[]>): void;
}

/** Takes dropped files and folders, or those of a file chooser. A new choice replaces the one before. */
export function DropZone({ selected, onFound }: DropZoneProps): ReactNode {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const over = (event: DragEvent, next: boolean) => {
    event.preventDefault();
    setIsOver(next);
  };
  const choose = (input: HTMLInputElement) => {
    onFound(Promise.resolve(inputFiles(input.files)));
    // The same file can be chosen again after it was edited.
    input.value = '';
  };
  return (
    // Dropping is a shortcut for the buttons inside.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      aria-label="Policy files"
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        onFound(droppedFiles(event.dataTransfer));
      }}
      className={classNames(
        'flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-4 py-6 text-center',
        isOver ? 'border-accent bg-accent-soft' : 'border-line-strong/50 bg-surface',
      )}
    >
      <FolderUp className="size-7 text-ink-faint" strokeWidth={1.5} aria-hidden />
      <p className="font-semibold" role="status">
        {selected ?? 'Drop your policy folder or files here'}
      </p>
      <p className="text-ink-soft">
        {selected === null
          ? '.yaml and .yml, up to 200 files. Nothing changes before you apply a plan.'
          : 'Drop or choose again to replace them.'}
      </p>
      <div className="mt-1 flex flex-wrap justify-center gap-2">
        <Button onClick={() => folder.current?.click()}>
          <FolderUp aria-hidden />
          Choose folder
        </Button>
        <Button onClick={() => files.current?.click()}>
          <FileUp aria-hidden />
          Choose files
        </Button>
      </div>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept=".yaml,.yml,application/yaml"
        aria-label="Policy files to choose"
        onChange={(event) => choose(event.currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        // Not in React's types.
        {...{ webkitdirectory: '' }}
        aria-label="Policy folder to choose"
        onChange={(event) => choose(event.currentTarget)}
      />
    </section>
  );
}
