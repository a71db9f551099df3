import type { PromptBody, PromptType, PromptVersion } from '../../api/wire.ts';
import { jsonText } from '../../content/json-text.ts';
import { messagesJson, promptMessages } from '../../content/prompt-messages.ts';
import type { PromptMessage } from '../../content/prompt-messages.ts';

/** A message that is being written. */
export interface DraftMessage extends PromptMessage {
  /** Stays with it when it moves. */
  key: number;
}

/** A version that is being written. */
export interface Draft {
  name: string;
  folder: string;
  type: PromptType;
  /** Of a text prompt. */
  text: string;
  /** Of a chat prompt. */
  messages: readonly DraftMessage[];
  /** The JSON of a chat prompt, where that is written instead of messages. */
  json: string | null;
  /** JSON. */
  config: string;
  commitMessage: string;
}

let lastKey = 0;

/** A message with a key of its own. */
export function draftMessage(role: string, content = '', rest: PromptMessage['rest'] = {}): DraftMessage {
  lastKey += 1;
  return { key: lastKey, role, content, rest };
}

const mostEditors = 50;

/** The draft of a first version. */
export function emptyDraft(name: string, folder: string): Draft {
  return { name, folder, type: 'text', text: '', messages: [], json: null, config: '{}', commitMessage: '' };
}

/** A draft that begins as a version. A chat of very many messages is edited as JSON. */
export function draftOf(version: PromptVersion): Draft {
  const messages = version.type === 'chat' ? promptMessages(version.prompt) : [];
  const asJson = version.type === 'chat' && (messages === null || messages.length > mostEditors);
  return {
    ...emptyDraft(version.name, ''),
    type: version.type,
    text: version.type === 'text' ? version.prompt : '',
    messages: asJson ? [] : (messages ?? []).map(({ role, content, rest }) => draftMessage(role, content, rest)),
    json: asJson ? indented(version.prompt) : null,
    config: jsonText(version.config),
  };
}

function indented(json: string): string {
  try {
    return jsonText(JSON.parse(json));
  } catch {
    return json;
  }
}

/** The draft as a prompt of the other type; what was written is kept as far as it fits. */
export function withType(draft: Draft, type: PromptType): Draft {
  if (type === draft.type) return draft;
  if (type === 'chat') {
    const kept = draft.messages.length > 0 || draft.json !== null;
    return { ...draft, type, messages: kept ? draft.messages : [draftMessage('system', draft.text), draftMessage('user')] };
  }
  const said = draft.json === null ? draft.messages : (promptMessages(draft.json) ?? []);
  return { ...draft, type, text: draft.text === '' ? said.map(({ content }) => content).join('\n\n') : draft.text };
}

/** A chat draft as JSON, or back as messages; null where its JSON is no list of messages. */
export function withJson(draft: Draft, asJson: boolean): Draft | null {
  if (asJson) return { ...draft, json: indented(messagesJson(draft.messages)) };
  const messages = promptMessages(draft.json ?? '');
  if (messages === null) return null;
  return { ...draft, json: null, messages: messages.map(({ role, content, rest }) => draftMessage(role, content, rest)) };
}

/** The prompt as it is sent. */
export function promptOf(draft: Draft): string {
  return draft.type === 'text' ? draft.text : (draft.json ?? messagesJson(draft.messages));
}

/** The draft as it is sent, or what is wrong with its configuration, which is not even JSON. */
export function bodyOf(draft: Draft, isNew: boolean): { body: Omit<PromptBody, 'projectId'> } | { configError: string } {
  let config: unknown;
  try {
    config = draft.config.trim() === '' ? {} : JSON.parse(draft.config);
  } catch (error) {
    return { configError: `This is not JSON yet: ${error instanceof Error ? error.message : 'it cannot be read'}.` };
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return { configError: 'The configuration must be a JSON object, such as {"temperature": 0.2}.' };
  return {
    body: {
      name: draft.name,
      type: draft.type,
      prompt: promptOf(draft),
      config: config as Record<string, unknown>,
      commitMessage: draft.commitMessage.trim(),
      // Left out, the family stays where it is.
      ...(isNew && draft.folder.trim() !== '' ? { folder: draft.folder.trim() } : {}),
    },
  };
}
