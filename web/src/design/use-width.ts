import { useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** The inner width of an element in pixels; null before it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(current);
    return () => resized.disconnect();
  }, [element]);
  return width;
}
