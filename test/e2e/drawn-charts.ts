import type { Locator, Page } from 'playwright-core';

/** A text on a canvas, with the rectangle that it covers, in CSS pixels of the canvas. */
export interface DrawnText {
  text: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What a canvas shows since it was last cleared. */
export interface Drawing {
  texts: DrawnText[];
  hasDashedLine: boolean;
}

/** Records what is drawn on canvases from now on, until the page is loaded again. */
export async function recordDrawings(page: Page): Promise<void> {
  await page.evaluate(record);
}

/** The drawing of a chart. @param title the beginning of its title */
export async function drawingOf(page: Page, title: string): Promise<Drawing> {
  return chartOf(page, title).locator('canvas').evaluate(read);
}

/** A chart by the beginning of its title. */
export function chartOf(page: Page, title: string): Locator {
  return page.getByRole('img', { name: new RegExp(`^Chart: ${title}`) });
}

/** The texts of an axis of values, which end left of the plot. */
export function leftmost({ texts }: Drawing): string[] {
  const start = Math.min(...texts.map(({ right }) => right));
  return texts.filter(({ right }) => Math.abs(right - start) < 2).map(({ text }) => text);
}

/** Pairs of texts that cover each other. */
export function overlaps(texts: readonly DrawnText[]): string[] {
  return texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
      .map((other) => `${one.text} covers ${other.text}`),
  );
}

// These functions run in the browser and must be self-contained.

function record(): void {
  const drawings = new Map<HTMLCanvasElement, { texts: object[]; hasDashedLine: boolean }>();
  Object.assign(globalThis, { canvasDrawings: drawings });
  const of = (canvas: HTMLCanvasElement) => {
    const found = drawings.get(canvas) ?? { texts: [], hasDashedLine: false };
    drawings.set(canvas, found);
    return found;
  };
  const drawn = CanvasRenderingContext2D.prototype;
  const { clearRect, fillText, stroke } = drawn;
  drawn.clearRect = function (...area) {
    drawings.delete(this.canvas);
    clearRect.apply(this, area);
  };
  drawn.stroke = function (path?: Path2D) {
    if (this.getLineDash().length > 0) of(this.canvas).hasDashedLine = true;
    Reflect.apply(stroke, this, path === undefined ? [] : [path]);
  };
  drawn.fillText = function (text, x, y, ...rest) {
    const { a: scale, d, e, f } = this.getTransform();
    const ratio = this.canvas.width / this.canvas.clientWidth;
    const { width, actualBoundingBoxAscent: above, actualBoundingBoxDescent: below } = this.measureText(text);
    const before = { left: 0, start: 0, center: width / 2, right: width, end: width }[this.textAlign];
    const left = ((x - before) * scale + e) / ratio;
    const [top, bottom] = [y - above, y + below].map((one) => (one * d + f) / ratio);
    of(this.canvas).texts.push({ text, left, right: left + (width * scale) / ratio, top, bottom });
    fillText.call(this, text, x, y, ...rest);
  };
}

function read(canvas: Element): Drawing {
  const { canvasDrawings: drawings } = globalThis as unknown as { canvasDrawings: Map<Element, Drawing> };
  return drawings.get(canvas) ?? { texts: [], hasDashedLine: false };
}
