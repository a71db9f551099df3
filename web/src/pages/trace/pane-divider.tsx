import { useRef } from 'react';
import type { ReactNode } from 'react';

interface PaneDividerProps {
  /** The share of the left pane. */
  share: number;
  onShare(share: number): void;
}

const keyStep = 0.02;

/** The line between two panes: dragging or the arrow keys move it, a double click centres it. */
export function PaneDivider({ share, onShare }: PaneDividerProps): ReactNode {
  const line = useRef<HTMLDivElement>(null);
  const moveTo = (clientX: number) => {
    const box = line.current?.parentElement?.getBoundingClientRect();
    if (box && box.width > 0) onShare((clientX - box.left) / box.width);
  };
  return (
    // A separator that is moved is a control: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/
    <div
      ref={line}
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the span tree"
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={20}
      aria-valuemax={80}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) moveTo(event.clientX);
      }}
      onDoubleClick={() => onShare(0.5)}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -keyStep, ArrowRight: keyStep }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onShare(share + step);
      }}
      className="relative w-px shrink-0 cursor-col-resize touch-none bg-line after:absolute after:inset-y-0 after:-left-1 after:w-2.5 hover:bg-accent focus-visible:bg-accent max-lg:hidden"
    />
  );
}
