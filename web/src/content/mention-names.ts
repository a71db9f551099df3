import { createContext } from 'react';

/** The names of the people whom a text mentions, by their addresses in lower case; Markdown shows them in place of the addresses. */
export const MentionNames = createContext<ReadonlyMap<string, string>>(new Map());
