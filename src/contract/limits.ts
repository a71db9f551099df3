/** Maximum values of one filter. */
export const maxFilterValues = 20;

/** Maximum bytes of a pack that is sent to be verified. A generated pack is smaller. */
export const maxPackBytes = 16 * 1_048_576;

/** Limits of the files of a request. */
export const policyLimits = { files: 200, fileBytes: 256 * 1024, totalBytes: 1024 * 1024, replayHours: 168, replaySpans: 5_000 };

/** Maximum keys of metadata and attributes that one list has as columns. */
export const maxKeyColumns = 10;

/** Maximum entries of one page of a list. */
export const largestLimit = 200;

/** Maximum lines of a list that is asked for as JSON Lines. */
export const mostLines = 100_000;

/** Size of an imported file of dataset items, in bytes. */
export const maxImportBytes = 64 * 1_048_576;

/** Characters of a note on an incident. */
export const maxNoteCharacters = 2_000;

/** Most characters of a comment, in UTF-16 units. */
export const maxCommentLength = 10_000;

/** Clients in the ingestion status. */
export const maxListedClients = 50;
