// The process of the migration test: applies the migrations of a directory to the database at a URL.
import { migratePostgres } from './migrate.ts';
import { openPostgres } from './postgres.ts';

const [url = '', directory = ''] = process.argv.slice(2);
const postgres = await openPostgres({ url, dataDirectory: '', onError: () => undefined });
await migratePostgres(postgres, directory);
await postgres.close();
