import { renderToStaticMarkup } from 'react-dom/server';
import { createElement } from 'react';
import { describe, expect, test } from 'vitest';
import { TooltipProvider } from '../design/tooltip.tsx';
import { ChatView } from './chat-view.tsx';
import { readMessages } from './read-messages.ts';

describe('an image or sound', () => {
  const png = 'iVBORw0KGgo=';
  const link = 'https://example.com/a.png';
  test.each<[string, unknown, unknown]>([
    [
      "OpenAI's data URL",
      { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
      { image: `data:image/png;base64,${png}` },
    ],
    ["OpenAI's link", { type: 'input_image', image_url: link }, { image: link }],
    [
      "OpenAI's sound",
      { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
      { audio: `data:audio/wav;base64,${png}` },
    ],
    [
      "Anthropic's data",
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
      { image: `data:image/png;base64,${png}` },
    ],
    ["Anthropic's link", { type: 'image', source: { type: 'url', url: link } }, { image: link }],
    ["the AI SDK's file", { type: 'file', mediaType: 'audio/mpeg', data: png }, { audio: `data:audio/mpeg;base64,${png}` }],
    [
      "OpenTelemetry's blob",
      { type: 'blob', modality: 'image', mime_type: 'image/png', content: png },
      { image: `data:image/png;base64,${png}` },
    ],
    ["OpenTelemetry's link", { type: 'uri', modality: 'image', uri: link }, { image: link }],
    ["OpenInference's image", { type: 'image', image: { image: { url: link } } }, { image: link }],
    ["Gemini's data", { inlineData: { mimeType: 'image/png', data: png } }, { image: `data:image/png;base64,${png}` }],
    ["Gemini's file", { fileData: { mimeType: 'application/pdf', fileUri: link } }, { file: link }],
    ["Bedrock's data", { image: { format: 'png', source: { bytes: png } } }, { image: `data:image/png;base64,${png}` }],
    ['a script', { type: 'image_url', image_url: { url: 'javascript:alert(1)' } }, { image: null }],
    ['a page as data', { type: 'image_url', image_url: { url: 'data:text/html,<script>' } }, { file: 'data:text/html,<script>' }],
    ['data that is too long', { inlineData: { mimeType: 'image/png', data: 'A'.repeat(9_000_000) } }, { image: null }],
  ])('%s', (_what, part, expected) => {
    const found = readMessages([{ role: 'user', content: [part] }])?.flatMap(({ parts }) => parts) ?? [];
    expect(found.map((one) => (one.kind === 'media' ? { [one.medium]: one.url } : one))).toEqual([expected]);
  });

  const rendered = (part: object): string =>
    renderToStaticMarkup(
      createElement(
        TooltipProvider,
        null,
        createElement(ChatView, { messages: readMessages([{ role: 'user', content: [part] }]) ?? [] }),
      ),
    );

  test('is shown from data in a bounded size, and a link is not loaded', () => {
    const image = rendered({ inlineData: { mimeType: 'image/png', data: png } });
    expect(image).toContain(`<img src="data:image/png;base64,${png}"`);
    expect(image).toMatch(/class="max-h-\d+ max-w-full/);
    expect(rendered({ inlineData: { mimeType: 'audio/wav', data: png } })).toContain('<audio src="data:audio/wav;base64');
    const linked = rendered({ type: 'input_image', image_url: link });
    expect(linked).not.toContain('<img');
    expect(linked).toContain(`href="${link}"`);
    expect(rendered({ type: 'image_url', image_url: { url: 'data:text/html,<script>' } })).not.toMatch(/(?:src|href)="data:/);
    expect(rendered({ type: 'image_url', image_url: { url: 'javascript:alert(1)' } })).not.toContain('javascript:');
  });
});
