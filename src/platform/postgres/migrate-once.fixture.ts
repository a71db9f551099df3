// A process for the migration test: brings the database of a URL up to date with the files of a directory.
import { migratePostgres } from './migrate.ts';
import { openPostgres } from './postgres.ts';

const [url = '', directory = ''] = process.argv.slice(2);
const postgres = await openPostgres({ url, dataDirectory: '', onError: () => undefined });
await migratePostgres(postgres, directory);
await postgres.close();
