export { compareCodePoints } from './compare-code-points.ts';
export { cutText } from './cut-text.ts';
export { storableText } from './storable-text.ts';
