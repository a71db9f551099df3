import { label } from '../readers/attribute-readers.ts';
import type { Convention } from '../readers/convention.ts';
import { payload } from '../readers/payload-json.ts';
import { toolName } from '../readers/tool-name.ts';

/** Flue: tools that its agents run. */
export const convention: Convention = {
  name: 'flue',
  fields: {
    name: { 'flue.tool.name': toolName },
    toolName: { 'flue.tool.name': label },
    kind: { 'flue.tool.name': (value, span) => (label(value, span) === undefined ? undefined : 'tool') },
    input: { 'flue.tool.arguments': payload },
    output: { 'flue.tool.result': payload },
  },
};
