import type { StoreFault } from './judge-stores.ts';
import type { StoreName } from './store-names.ts';

/** Where the stores of a start are. */
export interface StorePlaces {
  dataDirectory: string;
  /** Whether a URL names a server. */
  postgresIsServer: boolean;
  clickhouseIsServer: boolean;
}

const lost: Readonly<Record<StoreName, string>> = {
  postgres: 'users, keys, prompts and settings',
  clickhouse: 'traces, scores and figures',
  log: 'what was acknowledged and is not in ClickHouse yet',
  secret: 'the keys of model connections, secrets of webhooks and the key that signs evidence packs',
};

/** One sentence that says what is wrong with a store, what to do, and which flag accepts the loss. */
export function describeFault(store: StoreName, fault: StoreFault, places: StorePlaces): string {
  const { title, place, remedy } = textsOf(store, places);
  const what = {
    missing: `${title} (${place}) is missing or empty, although the other stores have data`,
    other: `${title} (${place}) belongs to another installation than the other stores`,
    left: `${title} was on a server at the last start, and ${place} would take its place`,
  }[fault];
  return `${what}: ${remedy}, or accept the loss of ${lost[store]} with --accept-missing=${store}`;
}

function textsOf(store: StoreName, { dataDirectory, postgresIsServer, clickhouseIsServer }: StorePlaces) {
  const server = (variable: string) => ({
    place: variable,
    remedy: `correct ${variable}, or restore its database from a backup`,
  });
  const folder = (name: string, variable: string | null) => ({
    place: `${dataDirectory}/${name}`,
    remedy: `restore ${name} from a backup${variable === null ? '' : `, set ${variable} if it is on a server`}`,
  });
  switch (store) {
    case 'postgres':
      return { title: 'PostgreSQL', ...(postgresIsServer ? server('DATABASE_URL') : folder('postgres', 'DATABASE_URL')) };
    case 'clickhouse':
      return { title: 'ClickHouse', ...(clickhouseIsServer ? server('CLICKHOUSE_URL') : folder('clickhouse', 'CLICKHOUSE_URL')) };
    case 'log':
      return { title: 'the write-ahead log', ...folder('wal', null) };
    case 'secret':
      return {
        title: 'the secret key',
        place: `SPANWISE_SECRET_KEY, or ${dataDirectory}/secret.key`,
        remedy: 'put back secret.key, or set SPANWISE_SECRET_KEY to the value of the first start, the same for every replica',
      };
  }
}
