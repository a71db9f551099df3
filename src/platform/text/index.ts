export { compareCodePoints } from './compare-code-points.ts';
export { cutText } from './cut-text.ts';
export { escapeHtml } from './escape-html.ts';
export { firstCodePoints } from './first-code-points.ts';
export { SecretParts } from './secret-parts.ts';
export { storableText } from './storable-text.ts';
