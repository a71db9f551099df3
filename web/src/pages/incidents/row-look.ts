/** The classes of a row of the page's lists. */
export const rowLook = 'flex items-center gap-2 border-t border-line px-3 py-1.5 first:border-t-0';
